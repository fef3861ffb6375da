import Synchronization

/// The result of a task that may not have ended yet.
final class Pending<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    /// Nil while the task runs.
    var value: Result<Value, any Error>? { result.withLock { $0 } }

    fileprivate func settle(_ new: Result<Value, any Error>) { result.withLock { $0 = new } }
}

extension SteppedExecutor {
    /// Begins a task here.
    func start<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) -> (task: Task<Void, Never>, result: Pending<Value>) {
        let pending = Pending<Value>()
        let task = Task(executorPreference: self) {
            do { pending.settle(.success(try await body())) } catch { pending.settle(.failure(error)) }
        }
        return (task, pending)
    }

    /// Runs a task that waits for nothing outside, and answers what it came to.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let pending = start(body).result
        _ = runUntilIdle()
        guard let result = pending.value else { throw Unfinished() }
        return try result.get()
    }

    /// A task that was to be done at once waits for something.
    struct Unfinished: Error {}
}
