import TrendyDomain
import TrendySync
import TrendyTerminal

/// Shows on a terminal what a sync is doing, for as long as it does it.
@MainActor
struct SyncProgress {
    let context: CommandContext

    func during<Result: Sendable>(_ work: () async throws -> Result) async throws -> Result {
        let engine = try context.root.engine
        let progress = context.progress("syncing", unit: "changes")
        return try await progress.during({ Self.show(engine, $0) }, work)
    }

    private static func show(_ engine: SyncEngine, _ progress: Progress) {
        switch engine.state {
        case .syncing(let synced, let total):
            progress.show(synced, of: total, unit: "changes", doing: "sending")
        case .pulling:
            progress.show(engine.receivedCount, unit: "records", doing: "receiving")
        case .idle, .rateLimited, .error: break
        }
    }
}
