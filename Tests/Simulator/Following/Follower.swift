import Synchronization
import TrendyDomain

/// A process that follows the server. It decides when to sync; the world begins the syncs, as it does those of people.
final class Follower {
    let desk: FollowDesk
    let task: Task<Void, Never>
    let result: Pending<Void>
    /// The sync that it waits for.
    var sync: RunningSync?

    init(desk: FollowDesk, task: Task<Void, Never>, result: Pending<Void>) {
        self.desk = desk
        self.task = task
        self.result = result
    }

    deinit { task.cancel() }
}

/// Where a follower says that it wants to sync, and gets the report.
final class FollowDesk: Sendable {
    private struct State {
        var waiting: CheckedContinuation<SyncReport?, Never>?
        var isTaken = false
    }

    private let state = Mutex(State())

    /// Waits until the world has carried out a sync; nil where the follower is stopped.
    func sync() async -> SyncReport? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: nil) }
                state.withLock { ($0.waiting, $0.isTaken) = (continuation, false) }
            }
        } onCancel: {
            finish(nil)
        }
    }

    /// Whether a sync is wanted that nobody has begun.
    func takeWish() -> Bool {
        state.withLock { state in
            guard state.waiting != nil, !state.isTaken else { return false }
            state.isTaken = true
            return true
        }
    }

    func finish(_ report: SyncReport?) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: report)
    }
}
