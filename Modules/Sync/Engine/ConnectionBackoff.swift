import TrendyDomain

/// When to try again by oneself after cycles that could not reach the server.
///
/// A pure value; the engine keeps it in the store, so that it outlives the process. It holds back automatic
/// syncs only: one that a person asks for goes at once.
struct ConnectionBackoff: Codable, Hashable {
    /// Cycles in a row that could not reach the server.
    private(set) var failures = 0
    /// The moment of the next automatic try.
    private(set) var nextAttempt: Timestamp?

    /// The moment of the next automatic try; nil where it may be made now.
    func pending(at now: Timestamp) -> Timestamp? {
        guard let nextAttempt, now < nextAttempt else { return nil }
        // A moment that is further off than any pause comes from a clock that has since been set back.
        return nextAttempt.seconds(since: now) <= Backoff.longestConnectionPause ? nextAttempt : nil
    }

    mutating func failed(at now: Timestamp, random: any RandomSource) {
        failures += 1
        nextAttempt = now.advanced(bySeconds: Backoff.connection(failures: failures, random: random))
    }
}

extension Backoff {
    /// The longest pause of ``connection(failures:random:)``, in seconds.
    static let longestConnectionPause = 300.0
}

extension SyncReport.Failure {
    /// True where a cycle ended because no server, or none that makes sense, was to be had.
    var isConnectionFailure: Bool {
        switch self {
        case .unreachable, .notAServer, .protocol: true
        case .rateLimited, .signedOut, .store, .cancelled, .feedReplaced, .quarantineFull: false
        }
    }
}
