import Synchronization

/// Runs the jobs of Swift tasks one after another, in the order of their arrival, and only when it is told to.
///
/// Tasks that prefer it, with all their children and the actors that they enter, run on the thread that calls
/// ``runUntilIdle(limit:)``. So nothing but the caller decides what happens between two suspensions.
final class SteppedExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var next = 0
    }

    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// Runs jobs until there are none, and answers whether that came before the limit: what never comes to rest
    /// is a livelock.
    func runUntilIdle(limit: Int = 200_000) -> Bool {
        for _ in 0..<limit {
            guard let job = takeJob() else { return true }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
        return false
    }

    private func takeJob() -> UnownedJob? {
        state.withLock { state in
            guard state.next < state.jobs.count else {
                state.jobs.removeAll(keepingCapacity: true)
                state.next = 0
                return nil
            }
            state.next += 1
            return state.jobs[state.next - 1]
        }
    }
}
