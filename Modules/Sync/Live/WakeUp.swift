import Synchronization

/// Wakes one task that waits, whatever the reason. A ring while nobody waits is kept for the next wait.
final class WakeUp: Sendable {
    private struct State {
        var isRung = false
        var sleeper: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func ring() { resume { $0.isRung = true } }

    /// Waits for a ring, but no longer than the interval.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func wait(atMost interval: Duration, on clock: any Clock<Duration>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.waitForRing() }
            group.addTask { try await clock.sleep(for: interval) }
            _ = try await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }

    private func waitForRing() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isAwake = state.withLock { state in
                    if state.isRung || Task.isCancelled {
                        state.isRung = false
                        return true
                    }
                    state.sleeper = continuation
                    return false
                }
                if isAwake { continuation.resume() }
            }
        } onCancel: {
            resume { _ in }
        }
    }

    private func resume(_ change: (inout State) -> Void) {
        let sleeper = state.withLock { state in
            change(&state)
            guard let sleeper = state.sleeper else { return nil as CheckedContinuation<Void, Never>? }
            (state.sleeper, state.isRung) = (nil, false)
            return sleeper
        }
        sleeper?.resume()
    }
}
