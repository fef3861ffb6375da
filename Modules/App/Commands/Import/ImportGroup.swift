import ArgumentParser
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

struct ImportGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Bring events in from a file.",
        discussion: """
            Importing a file again adds nothing. All of them take these options: --dry-run says what would be
            imported and writes nothing. --skip-bad reports bad rows and imports the others, as is usual for CSV
            files; --no-skip-bad refuses the whole file, as is usual for others. --create-types makes types and
            properties that do not exist, as is usual; --no-create-types refuses them.

            Examples:
              trendy import csv habits.csv --dry-run
              trendy import ics calendar.ics --from 2026-01-01
            """,
        subcommands: [
            ImportCSVCommand.self, ImportJSONCommand.self, ImportJSONLinesCommand.self, ImportCalendarCommand.self,
            ImportLoopCommand.self, ImportDaylioCommand.self, ImportTimewarriorCommand.self, ImportJrnlCommand.self,
        ])
}

struct ImportCalendarCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ics", abstract: "Import a calendar (iCalendar, RFC 5545).",
        discussion: """
            A series becomes the single events that it stands for; one without an end is
            taken up to now. The type is the first category, else the calendar's name,
            else 'calendar'; the summary is kept as the title, and a long one in the note
            too. Cancelled events are left out.

            Example:
              trendy import ics work.ics --type meeting --from 2026-01-01 --to 2026-06-30
            """)

    @Argument(help: "The file; - for standard input.")
    var file: String

    @Option(name: .long, help: "The type of all events.")
    var type: String?

    @Option(name: .long, parsing: .unconditional, help: "Nothing that begins before this time.")
    var from: String?

    @Option(name: .long, parsing: .unconditional, help: "Nothing that begins after this time.")
    var to: String?

    @OptionGroup var options: ImportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let times = context.times
        let window = CalendarSource.Window(
            from: try from.map { try times.parse($0) }, to: try to.map { try times.parse($0) }, now: context.now)
        if let from = window.from, let to = window.to, to < from {
            throw CommandFailure.usage("--to is before --from; nothing lies between")
        }
        let file = try ImportFile(file, context: context)
        try file.require([.calendar], "calendar")
        try await ImportRun(context: context, options: options, file: file).run { scope in
            try CalendarSource(type: type, window: window, zone: context.process.zone, step: scope.step) {
                try file.source()
            }
        }
    }
}
