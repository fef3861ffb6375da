import ArgumentParser
import TrendyDomain
import TrendySync
import TrendyTerminal

struct LogCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Log an event.",
        discussion: """
            Examples:
              trendy coffee size=large --at 9:15
              trendy log run --at 'yesterday 9:00' --until 'yesterday 9:45' km=7.5
              trendy log - < lines
            """)

    @Argument(help: "The type: name, alias, beginning of the name or id; '-' reads lines.")
    var type: String

    @OptionGroup var fields: EventFields

    @Flag(name: .long, help: "Log an all-day event.")
    var allDay = false

    @Flag(name: .long, help: "Create the type if it does not exist.")
    var createType = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        guard type == "-", !fields.isEmpty || allDay else { return }
        throw CommandFailure.usage(
            "with '-', give the fields in the lines of standard input; only --create-type and --json can be added")
    }

    var request: LogRequest {
        LogRequest(type: type, texts: fields.texts, isAllDay: allDay, createsType: createType)
    }

    func run(in context: CommandContext) async throws {
        if type == "-" { return try await LogLines(createsTypes: createType).run(in: context) }
        try await request.run(in: context)
    }
}
