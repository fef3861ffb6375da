import Dispatch
import Foundation
import Synchronization

/// Runs what blocks on the database away from the event loops and the shared thread pool.
final class BlockingWork: Sendable {
    /// Writes that wait are carried out together, so many at a time: they share one wait for the disk.
    private static let largestGroup = 64

    /// How many pages are read at a time.
    private static let pageReaderCount = 4

    private let store: any ServerStore
    private let metrics: ServerMetrics
    /// Who waits in a lane.
    private struct Lane {
        typealias Waiting = (job: WriteJob, since: ContinuousClock.Instant)

        var writes: [Waiting] = []
        /// Pieces of large writes. Each takes its time, so that only one of them goes with a group.
        var pieces: [Waiting] = []

        /// Takes out those whose turn it is.
        mutating func next() -> [Waiting] {
            let jobs = Array(writes.prefix(BlockingWork.largestGroup))
            writes.removeFirst(jobs.count)
            return pieces.isEmpty ? jobs : jobs + [pieces.removeFirst()]
        }
    }

    /// Who waits, by his lane: that of his account, or the one lane where all wait for one lock.
    ///
    /// A lane with nothing in it is being emptied just now.
    private let waiting = Mutex<[String: Lane]>([:])
    /// Reads run side by side; the store limits how many.
    private let readers = DispatchQueue(label: "trendy.server.read", attributes: .concurrent)
    private let pageReaders: OperationQueue
    /// Bodies are read side by side, before the writes that they ask for queue up.
    private let preparers = DispatchQueue(label: "trendy.server.prepare", attributes: .concurrent)
    /// One large body at a time: several would keep every core busy, and with that whatever runs side by side.
    private let largePreparer = DispatchQueue(label: "trendy.server.prepare.large")
    /// Writes of a lane queue up instead of each holding a thread while it waits for the one before. Lanes run side by side.
    private let writer: DispatchQueue

    /// The bytes of a body that is large: reading one of these takes some milliseconds.
    private static let largeSize = 1 << 16

    init(store: any ServerStore, metrics: ServerMetrics = ServerMetrics()) {
        self.store = store
        self.metrics = metrics
        pageReaders = OperationQueue()
        pageReaders.maxConcurrentOperationCount = Self.pageReaderCount
        writer = DispatchQueue(label: "trendy.server.write", attributes: store.hasOneWriter ? [] : .concurrent)
    }

    /// How many writes wait for their turn.
    var waitingWrites: Int {
        waiting.withLock { $0.values.reduce(0) { $0 + $1.writes.count + $1.pieces.count } }
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await run(on: readers, work)
    }

    /// Reads what may be large, few at a time: what they hold is counted only once it is known.
    func readPage<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            pageReaders.addOperation { continuation.resume(with: Result(catching: work)) }
        }
    }

    /// Reads what a client has sent.
    ///
    /// - Parameter size: How many bytes it has.
    func prepare<Value: Sendable>(
        _ size: Int, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await run(on: size > Self.largeSize ? largePreparer : preparers, work)
    }

    /// Carries out a write. Writes that wait at the same time share a transaction; a large write goes in pieces, each
    /// in a transaction with others.
    func commit<Value: Sendable>(_ write: PreparedWrite<Value>) async throws -> Value {
        if let piece = write.piece {
            let userId = write.userId
            while try await enqueue(userId, isPiece: true, { WriteJob(userId, piece, then: $0) }) {}
        }
        return try await enqueue(write.userId, isPiece: false) { write.job(then: $0) }
    }

    private func enqueue<Value: Sendable>(
        _ userId: String, isPiece: Bool,
        _ job: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> WriteJob
    ) async throws -> Value {
        let lane = store.hasOneWriter ? "" : userId
        return try await withCheckedThrowingContinuation { continuation in
            let job = (job: job { continuation.resume(with: $0) }, since: ContinuousClock.now)
            let isIdle = waiting.withLock { waiting in
                let isIdle = waiting[lane] == nil
                if isPiece {
                    waiting[lane, default: Lane()].pieces.append(job)
                } else {
                    waiting[lane, default: Lane()].writes.append(job)
                }
                return isIdle
            }
            if isIdle { writer.async { [self] in carryOut(lane) } }
        }
    }

    /// Carries out what waits in a lane. What comes meanwhile has its turn after the other lanes.
    private func carryOut(_ lane: String) {
        let jobs = waiting.withLock { $0[lane]?.next() ?? [] }
        metrics.beginTransaction(jobs.map(\.since))
        store.write(jobs.map(\.job))
        let isIdle = waiting.withLock { waiting in
            guard let jobs = waiting[lane], jobs.writes.isEmpty, jobs.pieces.isEmpty else { return false }
            waiting[lane] = nil
            return true
        }
        if !isIdle { writer.async { [self] in carryOut(lane) } }
    }

    func write<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        return try await run(on: writer) { [metrics] in
            metrics.beginTransaction([start])
            return try work()
        }
    }

    private func run<Value: Sendable>(
        on queue: DispatchQueue, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
