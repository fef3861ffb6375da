import ArgumentParser

struct ExportCalendarCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ics", abstract: "Write the events as a calendar (iCalendar, RFC 5545).",
        discussion: """
            The UID is the event's id, the category its type. A calendar has no place for
            properties: 'export json' has them.

            Example:
              trendy export ics --output events.ics
            """)

    @OptionGroup var file: ExportFileOptions

    @OptionGroup var query: SearchOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try file.check(isJSON: common.json, "calendar") }

    func run(in context: CommandContext) async throws {
        let filter = try context.query(query.texts).filter
        var calendar = try EventCalendar(context: context)
        try file.write(in: context) { export, target in
            try target.write(calendar.header())
            let count = try export.forEachEvent(matching: filter) { try target.write(calendar.event($0)) }
            try target.write(calendar.footer())
            return count
        }
    }
}
