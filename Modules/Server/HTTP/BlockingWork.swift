import Dispatch
import Synchronization

/// Runs what blocks (the database, password hashing) away from the event loops and the shared thread pool.
final class BlockingWork: Sendable {
    /// Writes that wait are carried out together, so many at a time: they share one wait for the disk.
    private static let largestGroup = 64

    private let store: any ServerStore
    private let waiting = Mutex<[WriteJob]>([])
    /// Reads run side by side; the store limits how many.
    private let readers = DispatchQueue(label: "trendy.server.read", attributes: .concurrent)
    /// Bodies are read side by side, before the writes that they ask for queue up.
    private let preparers = DispatchQueue(label: "trendy.server.prepare", attributes: .concurrent)
    /// One large body at a time: several would keep every core busy, and with that whatever runs side by side.
    private let largePreparer = DispatchQueue(label: "trendy.server.prepare.large")
    /// Writes queue up here instead of each holding a thread while it waits for the one before.
    private let writer = DispatchQueue(label: "trendy.server.write")
    /// One password at a time: each takes as much memory as its cost says.
    private let hasher = DispatchQueue(label: "trendy.server.password")

    /// The bytes of a body that is large: reading one of these takes some milliseconds.
    private static let largeSize = 1 << 16

    init(store: any ServerStore) { self.store = store }

    func read<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await run(on: readers, work)
    }

    /// Reads what a client has sent.
    ///
    /// - Parameter size: How many bytes it has.
    func prepare<Value: Sendable>(
        _ size: Int, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await run(on: size > Self.largeSize ? largePreparer : preparers, work)
    }

    /// Carries out a write with those that wait as it does.
    func commit<Value: Sendable>(_ write: PreparedWrite<Value>) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            waiting.withLock { $0.append(write.job { continuation.resume(with: $0) }) }
            writer.async { [self] in
                let jobs = waiting.withLock { waiting in
                    defer { waiting.removeFirst(min(waiting.count, Self.largestGroup)) }
                    return Array(waiting.prefix(Self.largestGroup))
                }
                // There are none where an earlier group has taken them.
                if !jobs.isEmpty { store.write(jobs) }
            }
        }
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
