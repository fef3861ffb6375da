import ArgumentParser
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

struct ExportGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write everything out: csv, json, jsonl or ics.",
        discussion: "Example:\n  trendy export csv --output events.csv",
        subcommands: [
            ExportCSVCommand.self, ExportJSONCommand.self, ExportJSONLinesCommand.self, ExportCalendarCommand.self,
        ])
}

/// Where an export of events goes.
struct ExportFileOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "The file; standard output otherwise.")
    var output: String?

    /// The file; nil for standard output, which `-` names, too.
    private var path: String? { output == "-" ? nil : output }

    /// - Parameter form: What is written, for people: "CSV".
    func check(isJSON: Bool, _ form: String) throws {
        guard isJSON && path == nil else { return }
        throw CommandFailure.usage("--json needs --output FILE here: the \(form) itself goes to standard output")
    }

    /// Writes, and says how much where a file was asked for.
    ///
    /// - Parameters:
    ///   - more: What is written besides events, for people.
    ///   - body: Writes, and answers how many events there were.
    @MainActor
    func write(in context: CommandContext, more: String = "", _ body: (ExportTarget, Output) throws -> Int) throws {
        var events = 0
        let export = ExportTarget(path: path, context: context)
        try export.write { events = try body(export, $0) }
        guard let path, !export.isStandardOutput else { return }
        try context.say(
            "wrote \(counted(events, "event"))\(more) to \(path)", json: Exported(file: path, events: events))
    }
}

/// What was exported, as JSON.
struct Exported: Encodable {
    var file: String
    var events: Int
}

struct ExportCSVCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "csv", abstract: "Write the events as CSV, oldest first.",
        discussion: """
            What was exported can be imported elsewhere, with the types and properties
            that it needs. 'export json' is the exact form: it has all types, properties
            and places as they are.

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
        var calendar = EventCalendar(typeNames: try context.typeNames, zone: context.process.zone)
        try file.write(in: context) { export, target in
            try target.write(calendar.header())
            let count = try export.forEachEvent(matching: filter) { try target.write(calendar.event($0)) }
            try target.write(calendar.footer())
            return count
        }
    }
}
