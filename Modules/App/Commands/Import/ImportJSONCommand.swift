import ArgumentParser
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

struct ImportJSONCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "json", abstract: "Import JSON in the format of 'export json'.",
        discussion: """
            The file is an object with the arrays event_types, property_definitions,
            geofences and events, or an array of events. Records keep their ids. An event
            that you write by hand needs a timestamp and an event_type (a name); it may
            have end_date, notes, is_all_day and properties.

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
        commandName: "jsonl", abstract: "Import JSON Lines in the format of 'export jsonl'.",
        discussion: """
            Each line is a record. The field entity_type is its kind; without it, the record is
            an event. For events written by hand see 'trendy import json --help'.

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

/// The options for importing Trendy's own records.
struct RecordOptions: ParsableArguments {
    @Flag(
        name: .customLong("new-ids"),
        help: "Give the records new ids, as is done for another account's records.")
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

    /// Refuses a file of another format, before every line is reported as bad.
    @MainActor
    private static func require(_ form: JSONElements.Form, _ file: ImportFile, skipsBad: Bool) throws {
        switch form {
        case .lines:
            // A bad first line can make the file look like another format.
            let damaged: Set<FileKind> = skipsBad ? [.json, .plainArray, .jrnl, .text] : []
            try file.require(damaged.union([.jsonLine, .jsonLines, .empty]), "file of JSON Lines")
        case .document:
            if try file.kind() == .plainArray {
                throw CommandFailure.data(
                    "\(file.name) is a JSON array without objects; each event must be an object like "
                        + "{\"timestamp\": \"2026-03-01 9:15\", \"event_type\": \"run\"}")
            }
            try file.require([.json, .jsonLine, .emptyArray, .empty], "file of JSON")
            try requireRecords(file)
        }
    }

    /// Refuses JSON that does not look like Trendy's, by its beginning.
    @MainActor
    private static func requireRecords(_ file: ImportFile) throws {
        let beginning = String(decoding: try file.source().next(), as: UTF8.self)
        let names = ["events", "event_types", "property_definitions", "geofences"].map { "\"\($0)\"" }
        guard beginning.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) == "{",
            !names.contains(where: beginning.contains)
        else { return }
        let advice =
            beginning.contains("\"timestamp\"")
            ? "import a single event with 'trendy import jsonl'"
            : "for events written by hand see 'trendy import json --help'"
        throw CommandFailure.data(
            "\(file.name) is JSON, but not an export of Trendy: it has no member \"events\"; \(advice)")
    }
}
