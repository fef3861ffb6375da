import ArgumentParser

struct ImportGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Bring events in from a file.",
        discussion: """
            Importing a file again adds nothing.

            Examples:
              trendy import csv habits.csv --dry-run
              trendy import ics calendar.ics --from 2026-01-01
            """,
        subcommands: [
            ImportCSVCommand.self, ImportJSONCommand.self, ImportJSONLinesCommand.self, ImportCalendarCommand.self,
            ImportLoopCommand.self, ImportDaylioCommand.self, ImportTimewarriorCommand.self, ImportJrnlCommand.self,
        ])
}
