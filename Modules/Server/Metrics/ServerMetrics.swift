import Synchronization

/// Counts what a server does, for whoever watches it.
///
/// It holds no ids, no addresses and nothing that a person has written. A request costs it two short locks.
final class ServerMetrics: Sendable {
    /// Requests that are counted together.
    struct RequestClass: Sendable, Hashable {
        /// GET, POST and the other methods that some route takes; "other" for the rest, which a client can make up.
        var method: String
        /// The path as the list of routes has it, with names in place of ids; "none" where no route has the path.
        var route: String
        /// The first digit of the status.
        var statusClass: Int
    }

    /// How the work of one sort of request has gone.
    struct Requests: Sendable {
        var underWay = 0
        var rateLimited = 0
        var durations: [RequestClass: Histogram] = [:]
    }

    /// How the writes have gone.
    struct Writes: Sendable {
        /// Writes that were carried out, or refused in their transaction.
        var writes = 0
        /// Transactions of one or several writes. Each waits for the disk once.
        var transactions = 0
        /// How long writes have waited for their turn.
        var waits = Histogram()
    }

    /// The connections of a server that listens.
    struct Connections: Sendable {
        var open: Int
        var refused: Int
    }

    private let requestState = Mutex(Requests())
    private let writeState = Mutex(Writes())
    private let connectionState = Mutex<@Sendable () -> Connections>({ Connections(open: 0, refused: 0) })

    var requests: Requests { requestState.withLock { $0 } }
    var writes: Writes { writeState.withLock { $0 } }
    var connections: Connections { connectionState.withLock { $0 }() }

    /// A request has come.
    func begin() { requestState.withLock { $0.underWay += 1 } }

    /// The head of the answer to a request is ready.
    func end(_ request: RequestClass, after duration: Duration, isRateLimited: Bool) {
        requestState.withLock { state in
            state.underWay -= 1
            if isRateLimited { state.rateLimited += 1 }
            state.durations[request, default: Histogram()].observe(duration)
        }
    }

    /// It is the turn of writes that began to wait at those moments, and share a transaction.
    func beginTransaction(_ starts: [ContinuousClock.Instant]) {
        let now = ContinuousClock.now
        writeState.withLock { state in
            state.writes += starts.count
            state.transactions += 1
            for start in starts { state.waits.observe(now - start) }
        }
    }

    /// From now on the connections are counted there.
    func countConnections(_ count: @escaping @Sendable () -> Connections) { connectionState.withLock { $0 = count } }
}
