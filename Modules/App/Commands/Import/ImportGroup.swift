import ArgumentParser
import TrendyNotation

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
