import ArgumentParser
import TrendyData
import TrendyDomain

struct ExportCalendarCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ics", abstract: "Write the events as a calendar (iCalendar, RFC 5545).",
        discussion: """
            The UID is the event's id, the category its type. A calendar has no place for
            properties: 'export json' has them.

            Example:
              trendy export ics --output events.ics
            """)

    @Option(name: .shortAndLong, help: "The file; standard output otherwise.")
    var output: String?

    @OptionGroup var common: CommonOptions

    func check() throws {
        if common.json && output == nil {
            throw CommandFailure.usage(
                "--json needs --output FILE here: the calendar itself goes to standard output")
        }
    }

    func run(in context: CommandContext) async throws {
        var calendar = try EventCalendar(context: context)
        var count = 0
        let export = ExportTarget(path: output, context: context)
        try export.write { target in
            try target.write(calendar.header())
            count = try export.forEachEvent { try target.write(calendar.event($0)) }
            try target.write(calendar.footer())
        }
        if let output {
            try context.say(
                "wrote \(counted(count, "event")) to \(output)", json: Exported(file: output, events: count))
        }
    }
}
