import ArgumentParser
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

struct ImportJSONCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "json", abstract: "Import JSON, as 'export json' writes it.",
        discussion: """
            An object with the arrays event_types, property_definitions, geofences and
            events, or an array of events alone. Records keep their ids. An event written
            by hand needs a timestamp and an event_type (a name); it may have end_date,
            notes, is_all_day and properties.

            Examples:
              trendy import json backup.json
              trendy import json backup.json --update
              trendy import json - --dry-run < events.json
            """)

    @Argument(help: "The file; - for standard input.")
    var file: String

    @OptionGroup var records: RecordOptions
    @OptionGroup var options: ImportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        try await records.run(file, .document, options, in: context)
    }
}

struct ImportJSONLinesCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jsonl", abstract: "Import JSON Lines, as 'export jsonl' writes them.",
        discussion: """
            A record on each line; entity_type says of what kind, and without it the line
            is an event. Events may be written by hand as for 'import json'.

            Example:
              trendy import jsonl events.jsonl
            """)

    @Argument(help: "The file; - for standard input.")
    var file: String

    @OptionGroup var records: RecordOptions
    @OptionGroup var options: ImportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        try await records.run(file, .lines, options, in: context)
    }
}

/// What an import of Trendy's own records can be told.
struct RecordOptions: ParsableArguments {
    @Flag(
        name: .customLong("new-ids"),
        help: "Give the records ids of their own, the same each time; done anyway for those of another account.")
    var newIds = false

    @OptionGroup var update: UpdateOption

    @MainActor
    func run(
        _ path: String, _ form: JSONElements.Form, _ options: ImportOptions, in context: CommandContext
    ) async throws {
        let file = try ImportFile(path, context: context)
        try Self.require(form, file, skipsBad: options.skipBad ?? false)
        let run = ImportRun(context: context, options: options, updates: update.update, file: file)
        try await run.run { scope in
            try RecordSource(form: form, newIds: newIds, scope: scope) { try file.source() }
        }
    }

    /// Refuses a file of another kind, before each of its lines is told to be none.
    @MainActor
    private static func require(_ form: JSONElements.Form, _ file: ImportFile, skipsBad: Bool) throws {
        switch form {
        case .lines:
            // A first line that is bad makes another kind of the file, as it seems.
            let damaged: Set<FileKind> = skipsBad ? [.json, .plainArray, .jrnl, .text] : []
            try file.require(damaged.union([.jsonLine, .jsonLines, .empty]), "file of JSON Lines")
        case .document:
            if try file.kind() == .plainArray {
                throw CommandFailure.data(
                    "\(file.name) is JSON, but an array without objects; each event is an object like "
                        + "{\"timestamp\": \"2026-03-01 9:15\", \"event_type\": \"run\"}")
            }
            try file.require([.json, .jsonLine, .emptyArray, .empty], "file of JSON")
            try requireRecords(file)
        }
    }

    /// Refuses JSON of something else, as far as its beginning shows.
    @MainActor
    private static func requireRecords(_ file: ImportFile) throws {
        let beginning = String(decoding: try file.source().next(), as: UTF8.self)
        let names = ["events", "event_types", "property_definitions", "geofences"].map { "\"\($0)\"" }
        guard beginning.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) == "{",
            !names.contains(where: beginning.contains)
        else { return }
        let advice =
            beginning.contains("\"timestamp\"")
            ? "if it is one event, 'trendy import jsonl' takes it"
            : "an array of events may be written by hand, see 'trendy import json --help'"
        throw CommandFailure.data(
            "\(file.name) is JSON, but no export of Trendy's: it has no member \"events\"; \(advice)")
    }
}
