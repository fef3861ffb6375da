import ArgumentParser
import TrendyTerminal

struct ExportGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write everything out: csv, json, jsonl or ics.",
        discussion: "Example:\n  trendy export csv --output events.csv",
        subcommands: [
            ExportCSVCommand.self, ExportJSONCommand.self, ExportJSONLinesCommand.self, ExportCalendarCommand.self,
        ])
}
