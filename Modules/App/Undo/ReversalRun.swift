import Synchronization
import TrendyTerminal

/// Takes a change back, or does it again: shows on a terminal how far that is, and lets Ctrl-C end it in order.
@MainActor
struct ReversalRun {
    let context: CommandContext
    /// What is done, as it is shown: `taking back`.
    let doing: String

    /// - Throws: What the work throws; ``CommandFailure`` at Ctrl-C.
    func run(
        _ work: @escaping @MainActor (ReversalProgress) async throws -> ReversalSummary?
    ) async throws -> ReversalSummary? {
        let latest = ReversalProgress()
        let progress = context.progress(doing, unit: "changes")
        do {
            return try await context.interruption.during {
                try await progress.during({ Self.show(latest, $0) }) { try await work(latest) }
            }
        } catch is CancellationError {
            // It is one transaction.
            throw CommandFailure.interrupted("nothing was changed; run the same command again")
        }
    }

    private static func show(_ latest: ReversalProgress, _ progress: Progress) {
        let state = latest.state
        guard let total = state.total else { return progress.show(0, unit: "") }
        progress.show(state.done, of: total, unit: "changes")
    }
}

/// How many steps of a change are taken back, told from another thread.
final class ReversalProgress: Sendable {
    /// How far it is.
    struct State: Sendable {
        var done = 0
        /// Nil as long as the steps are being read.
        var total: Int?
    }

    private let latest = Mutex(State())

    var state: State { latest.withLock { $0 } }

    func begin(_ total: Int) { latest.withLock { $0.total = total } }

    func step() { latest.withLock { $0.done += 1 } }
}
