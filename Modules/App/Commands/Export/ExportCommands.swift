import ArgumentParser
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

struct ExportGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export events or all records: csv, json, jsonl or ics.",
        discussion: "Example:\n  trendy export csv --output events.csv",
        subcommands: [
            ExportCSVCommand.self, ExportJSONCommand.self, ExportJSONLinesCommand.self, ExportCalendarCommand.self,
        ])
}

/// The destination of an export.
struct ExportFileOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "The file (default: standard output).")
    var output: String?

    /// The file; nil for standard output, also given as `-`.
    private var path: String? { output == "-" ? nil : output }

    /// - Parameter form: The format, for messages: "CSV".
    func check(isJSON: Bool, _ form: String) throws {
        guard isJSON && path == nil else { return }
        throw CommandFailure.usage("--json needs --output FILE, because the \(form) goes to standard output")
    }

    /// Writes the export, and reports the number of events if it goes into a file.
    ///
    /// - Parameters:
    ///   - more: What is written besides events, for the message.
    ///   - body: Writes the export, and returns the number of events.
    @MainActor
    func write(in context: CommandContext, more: String = "", _ body: (ExportTarget, Output) throws -> Int) throws {
        var events = 0
        let export = ExportTarget(path: path, context: context)
        try export.write { events = try body(export, $0) }
        guard let path, !export.isStandardOutput else { return }
        try context.say(
            "wrote \(counted(events, "event"))\(more) to \(path)", json: ExportResult(file: path, events: events))
    }
}

/// The result of an export, as JSON.
struct ExportResult: Encodable {
    var file: String
    var events: Int
}

struct ExportCSVCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "csv", abstract: "Export events as CSV, oldest first.",
        discussion: """
            'trendy import csv' reads the file, and creates missing types and properties.
            For a complete copy with all definitions and places, use 'trendy export json'.

            Example:
              trendy export csv --output events.csv
              trendy import csv events.csv
            """)

    @OptionGroup var file: ExportFileOptions

    @OptionGroup var query: SearchOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try file.check(isJSON: common.json, "CSV") }

    func run(in context: CommandContext) async throws {
        let filter = try context.query(query.texts).filter
        var csv = try EventCSV(context: context)
        try file.write(in: context) { export, target in
            try target.write(csv.header())
            return try export.forEachEvent(matching: filter) { try target.write(try csv.row($0)) }
        }
    }
}

struct ExportCalendarCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ics", abstract: "Export events as a calendar (iCalendar, RFC 5545).",
        discussion: """
            The UID is the id of the event, and the category is its type. The calendar format
            has no properties; use 'trendy export json' to keep them.

            Example:
              trendy export ics --output events.ics
            """)

    @OptionGroup var file: ExportFileOptions

    @OptionGroup var query: SearchOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try file.check(isJSON: common.json, "calendar") }

    func run(in context: CommandContext) async throws {
        let filter = try context.query(query.texts).filter
        var calendar = EventCalendar(typeNames: try context.typeNames, zone: context.process.zone)
        try file.write(in: context) { export, target in
            try target.write(calendar.header())
            let count = try export.forEachEvent(matching: filter) { try target.write(calendar.event($0)) }
            try target.write(calendar.footer())
            return count
        }
    }
}
