import ArgumentParser
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

struct ImportGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import events from a file.",
        discussion: """
            A second import of the same file adds nothing. Options of all imports: --dry-run shows the result and
            writes nothing. --skip-bad reports bad rows and imports the others (default for CSV files);
            --no-skip-bad refuses the whole file (default for other files). --create-types creates missing types
            and properties (default); --no-create-types refuses them.

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
            A recurring event becomes single events, up to now if it has no end. The type is
            the first category, or the name of the calendar, or 'calendar'. The summary
            becomes the title; a long summary goes into the note, too. Cancelled events are
            left out.

            Example:
              trendy import ics work.ics --type meeting --from 2026-01-01 --to 2026-06-30
            """)

    @Argument(help: "The file; - for standard input.")
    var file: String

    @Option(name: .long, help: "Use this type for all events.")
    var type: String?

    @Option(name: .long, parsing: .unconditional, help: "Leave out events that start before this time.")
    var from: String?

    @Option(name: .long, parsing: .unconditional, help: "Leave out events that start after this time.")
    var to: String?

    @OptionGroup var options: ImportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let times = context.times
        let window = CalendarSource.Window(
            from: try from.map { try times.parse($0) }, to: try to.map { try times.parse($0) }, now: context.now)
        if let from = window.from, let to = window.to, to < from {
            throw CommandFailure.usage("--to is before --from; exchange them")
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
