import ArgumentParser
import TrendyData
import TrendyDomain

struct HistoryCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show the past syncs, newest first.",
        discussion: "Example:\n  trendy history --limit 5")

    @Option(name: .long, help: "At most this many.")
    var limit = 20

    @OptionGroup var common: CommonOptions

    func check() throws {
        if limit < 1 { throw CommandFailure.usage("--limit must be at least 1") }
    }

    func run(in context: CommandContext) async throws {
        let past = try context.reader.documents(SyncHistoryEntry.self).reversed().prefix(limit)
        if context.wantsJSON { return try context.output.jsonArray(past.map(PastSync.init)) }
        var table = TextTable("WHEN", "TOOK", "SENT", "RECEIVED", "RESULT")
        for entry in past {
            let seconds = max(0, entry.finishedAt.seconds(since: entry.startedAt))
            table.add(
                context.process.zone.minuteText(entry.startedAt), DurationText.text(seconds), String(entry.pushed),
                "\(entry.pulled)\(entry.bootstrapped ? " (all anew)" : "")", entry.error ?? "done")
        }
        try context.print(table, whenEmpty: "no sync yet")
    }
}

/// A past sync as JSON: every key is always there.
struct PastSync: Encodable {
    let entry: SyncHistoryEntry

    private enum CodingKeys: String, CodingKey {
        case id, pushed, pulled, bootstrapped, failure, error
        case startedAt = "started_at"
        case finishedAt = "finished_at"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(entry.id, forKey: .id)
        try container.encode(entry.startedAt, forKey: .startedAt)
        try container.encode(entry.finishedAt, forKey: .finishedAt)
        try container.encode(entry.pushed, forKey: .pushed)
        try container.encode(entry.pulled, forKey: .pulled)
        try container.encode(entry.bootstrapped, forKey: .bootstrapped)
        try container.encode(entry.failure, forKey: .failure)
        try container.encode(entry.error, forKey: .error)
    }
}
