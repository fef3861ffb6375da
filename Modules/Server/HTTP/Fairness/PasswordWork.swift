import Dispatch
import Synchronization
import TrendyDomain

/// Hashes passwords in a few workers of its own, and fairly: those who try out passwords wait for each other, and hardly
/// anybody waits for them.
final class PasswordWork: Sendable {
    private struct Job: Sendable {
        let run: @Sendable () -> Void
        let refuse: @Sendable (ServerProblem) -> Void
    }

    private struct State {
        var turns = Turns<Job>()
        var running = 0
    }

    /// How many are hashed at a time. Each takes a core, and as much memory as its cost says.
    private let workers: Int
    private let queue = DispatchQueue(label: "trendy.server.password", attributes: .concurrent)
    private let state = Mutex(State())

    /// Seconds that a hash takes about, by which refusals say when to come again.
    private static let usualDuration = 0.25

    /// - Parameter workers: How many passwords are hashed at a time. The other half of the cores is for all other work.
    init(workers: Int) {
        self.workers = max(1, workers)
    }

    /// Does work that hashes a password when it is its turn.
    ///
    /// - Parameters:
    ///   - address: Where the request comes from.
    ///   - account: What the password belongs to.
    /// - Throws: ``ServerProblem`` of kind `rateLimit` where too much waits of the address or account, or in all.
    func run<Value: Sendable>(
        address: String, account: String, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job {
                continuation.resume(with: Result(catching: work))
            } refuse: {
                continuation.resume(throwing: $0)
            }
            let (refused, count) = state.withLock { state in
                (state.turns.add(job, address: address, account: account), state.turns.count)
            }
            refused?.refuse(Self.refusal(waiting: count, workers: workers))
            begin()
        }
    }

    private func begin() {
        let next = state.withLock { state -> Turns<Job>.Entry? in
            guard state.running < workers, let next = state.turns.next() else { return nil }
            state.running += 1
            return next
        }
        guard let next else { return }
        queue.async { [self] in
            next.work.run()
            state.withLock { state in
                state.running -= 1
                state.turns.end(next)
            }
            begin()
        }
    }

    private static func refusal(waiting: Int, workers: Int) -> ServerProblem {
        let seconds = max(1, Int((Double(waiting) * usualDuration / Double(workers)).rounded(.up)))
        return ServerProblem(
            .rateLimit, "too many sign-ins of this account or address wait already; try again in \(seconds) s",
            retryAfter: seconds)
    }
}
