import Dispatch
import Synchronization

/// Runs what blocks (the database, password hashing) away from the event loops and the shared thread pool.
final class BlockingWork: Sendable {
    /// Writes that wait are carried out together, so many at a time: they share one wait for the disk.
    private static let largestGroup = 64

    private let store: any ServerStore
    /// Who waits, by the lane that he waits in: that of his account, or the one lane where all wait for one lock.
    ///
    /// A lane with nothing in it is being emptied just now.
    private let waiting = Mutex<[String: [WriteJob]]>([:])
    /// Reads run side by side; the store limits how many.
    private let readers = DispatchQueue(label: "trendy.server.read", attributes: .concurrent)
    /// Bodies are read side by side, before the writes that they ask for queue up.
    private let preparers = DispatchQueue(label: "trendy.server.prepare", attributes: .concurrent)
    /// One large body at a time: several would keep every core busy, and with that whatever runs side by side.
    private let largePreparer = DispatchQueue(label: "trendy.server.prepare.large")
    /// Writes of a lane queue up instead of each holding a thread while it waits for the one before. Lanes run side by side.
    private let writer: DispatchQueue
    /// One password at a time: each takes as much memory as its cost says.
    private let hasher = DispatchQueue(label: "trendy.server.password")

    /// The bytes of a body that is large: reading one of these takes some milliseconds.
    private static let largeSize = 1 << 16

    init(store: any ServerStore) {
        self.store = store
        writer = DispatchQueue(label: "trendy.server.write", attributes: store.hasOneWriter ? [] : .concurrent)
    }

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
        let lane = store.hasOneWriter ? "" : write.userId
        return try await withCheckedThrowingContinuation { continuation in
            let isIdle = waiting.withLock { waiting in
                defer { waiting[lane, default: []].append(write.job { continuation.resume(with: $0) }) }
                return waiting[lane] == nil
            }
            if isIdle { writer.async { [self] in carryOut(lane) } }
        }
    }

    /// Carries out what waits in a lane. What comes meanwhile has its turn after the other lanes.
    private func carryOut(_ lane: String) {
        let jobs = waiting.withLock { waiting in
            let jobs = waiting[lane, default: []].prefix(Self.largestGroup)
            waiting[lane]?.removeFirst(jobs.count)
            return Array(jobs)
        }
        store.write(jobs)
        let isIdle = waiting.withLock { waiting in
            guard waiting[lane]?.isEmpty == true else { return false }
            waiting[lane] = nil
            return true
        }
        if !isIdle { writer.async { [self] in carryOut(lane) } }
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
