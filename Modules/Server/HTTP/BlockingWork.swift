import Dispatch

/// Runs what blocks (the database, password hashing) away from the event loops and the shared thread pool.
struct BlockingWork: Sendable {
    /// Reads run side by side; the store limits how many.
    private let readers = DispatchQueue(label: "trendy.server.read", attributes: .concurrent)
    /// Writes queue up here instead of each holding a thread while it waits for the one before.
    private let writer = DispatchQueue(label: "trendy.server.write")
    /// One password at a time: each takes as much memory as its cost says.
    private let hasher = DispatchQueue(label: "trendy.server.password")

    func read<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await run(on: readers, work)
    }

    func write<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await run(on: writer, work)
    }

    func hash<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await run(on: hasher, work)
    }

    private func run<Value: Sendable>(
        on queue: DispatchQueue, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
