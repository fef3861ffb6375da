import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

struct AccountExportCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write what the server has of you as JSON, as 'export json' does.",
        discussion: """
            It is what the server has: what this device has not sent yet is not in it.
            'trendy import json' reads it.

            Example:
              trendy account export mine.json
            """)

    @Argument(help: "The file; standard output otherwise.")
    var file: String?

    @OptionGroup var common: CommonOptions

    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        let account = try OwnAccount(in: context)
        let export = ExportTarget(path: file == "-" ? nil : file, context: context)
        try export.requireFree()
        let records = try await Self.records(of: account)
        try export.write { output in
            for (place, kind) in ExportedKinds.all.enumerated() {
                try output.write("\(place == 0 ? "{" : ",\n")\"\(kind.name)\":")
                var array = JSONArrayWriter(output: output)
                for record in records[kind.entityType, default: [:]].sorted(by: { $0.key < $1.key }) {
                    try array.add(record.value)
                }
                try array.end(isNested: true)
            }
            try output.write("}\n")
        }
        guard let file, !export.isStandardOutput else { return }
        let events = records[.event, default: [:]].count
        try context.say(
            "wrote \(counted(events, "event")) and what describes them to \(file)",
            json: Exported(file: file, events: events))
    }

    /// All records of the account: a snapshot, and the changes that were made while it was read.
    @MainActor
    private static func records(of account: OwnAccount) async throws -> [EntityType: [String: JSONValue]] {
        var records: [EntityType: [String: JSONValue]] = [:]
        var request = SyncRequest(limit: SyncRequest.changeLimit)
        while true {
            let asked = request
            let answer = try await account.send { try await $0.exchange(asked) }
            for change in answer.changes {
                records[change.entityType, default: [:]][change.entityId] = change.deleted ? nil : change.record
            }
            if !answer.more { return records }
            (request.epoch, request.cursor) = (answer.epoch, answer.cursor)
        }
    }
}
