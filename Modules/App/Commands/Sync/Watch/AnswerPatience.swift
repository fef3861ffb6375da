import TrendyDomain
import TrendySync

/// Notices a sync that gets no further, because the server does not answer.
@MainActor
struct AnswerPatience {
    let context: CommandContext
    /// Told at each look whether the sync stands still for too long.
    let tell: @MainActor (_ isLate: Bool) -> Void

    /// Between two looks at a sync.
    private static let step = Duration.seconds(2)
    /// At how many looks a sync may be as far as before: 10 seconds. The transport waits longer, because the answer may
    /// still come.
    private static let mostEqualLooks = 5

    /// Looks at the sync of the engine until the task is cancelled.
    func start() -> Task<Void, any Error> {
        Task {
            // That it begins is not yet the server's answer.
            try await context.process.clock.sleep(for: Self.step)
            var last = try Mark(context)
            var equalLooks = 0
            while true {
                try await context.process.clock.sleep(for: Self.step)
                // What is told after the end of the sync would stand there until the next one.
                try Task.checkCancellation()
                let present = try Mark(context)
                let isWaiting = try await context.root.engine.isWaitingForLease
                equalLooks = present == last && !isWaiting ? equalLooks + 1 : 0
                last = present
                if equalLooks == 0 || equalLooks == Self.mostEqualLooks { tell(equalLooks > 0) }
            }
        }
    }

    /// How far a sync is.
    private struct Mark: Equatable {
        let state: SyncState
        let received: Int
        let requests: Int

        @MainActor
        init(_ context: CommandContext) throws {
            let engine = try context.root.engine
            (state, received, requests) = (engine.state, engine.receivedCount, engine.requestCount)
        }
    }
}
