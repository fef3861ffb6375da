import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct HistoryCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List past syncs, newest first.",
        discussion: "Example:\n  trendy history --limit 5")

    @Option(name: .long, help: "Show at most this many syncs.")
    var limit = 20

    @OptionGroup var common: CommonOptions

    func check() throws {
        if limit < 1 { throw CommandFailure.usage("--limit must be at least 1") }
    }

    func run(in context: CommandContext) async throws {
        let past = try context.reader.documents(SyncHistoryEntry.self).reversed().prefix(
            min(limit, SyncConfiguration().historyLimit))
        if context.wantsJSON { return try context.output.jsonArray(past.map(PastSyncJSON.init)) }
        var table = TextTable("WHEN", "TOOK", "SENT", "RECEIVED", "RESULT")
        for entry in past {
            let seconds = max(0, entry.finishedAt.seconds(since: entry.startedAt))
            table.add(
                context.process.zone.minuteText(entry.startedAt), DurationText.text(seconds), String(entry.pushed),
                "\(entry.pulled)\(entry.bootstrapped ? " (full sync)" : "")", entry.error ?? "done")
        }
        try context.print(table, whenEmpty: "no syncs yet")
    }
}

/// A past sync as JSON; all keys are always present.
struct PastSyncJSON: Encodable {
    let entry: SyncHistoryEntry

    func encode(to encoder: any Encoder) throws {
        try JSONFields([
            "id": entry.id, "started_at": entry.startedAt, "finished_at": entry.finishedAt, "pushed": entry.pushed,
            "pulled": entry.pulled, "bootstrapped": entry.bootstrapped, "failure": entry.failure,
            "error": entry.error,
        ]).encode(to: encoder)
    }
}
