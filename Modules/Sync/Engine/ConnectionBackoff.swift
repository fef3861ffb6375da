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
    /// How many seconds the present pause lasts.
    private var pause: Double?

    /// The moment of the next automatic try; nil where it may be made now.
    func pending(at now: Timestamp) -> Timestamp? {
        guard let nextAttempt, now < nextAttempt else { return nil }
        // A moment that is further off than the whole pause comes from a clock that has since been set back.
        // Moments have whole milliseconds, which may be a fraction more than the pause.
        let longest = (pause ?? Backoff.longestConnectionPause).rounded(.up)
        return nextAttempt.seconds(since: now) <= longest ? nextAttempt : nil
    }

    /// - Parameter asked: How many seconds the server asked for, with 503 for instance (RFC 9110, section 10.2.3).
    mutating func failed(at now: Timestamp, random: any RandomSource, asked: Double) {
        failures += 1
        let usual = Backoff.connection(failures: failures, random: random)
        let pause = max(usual, min(asked, Backoff.longestAskedPause))
        nextAttempt = now.advanced(bySeconds: pause)
        self.pause = pause
    }
}

extension Backoff {
    /// The longest pause of ``connection(failures:random:)``, in seconds.
    static let longestConnectionPause = 300.0
    /// The longest pause between automatic syncs that a failing server is granted, in seconds: a day, as for 429.
    static let longestAskedPause = 86_400.0
}

extension SyncReport.Failure {
    /// True where a cycle ended because no server, or none that makes sense, was to be had.
    var isConnectionFailure: Bool {
        switch self {
        case .unreachable, .notAServer, .protocol: true
        case .rateLimited, .signedOut, .store, .cancelled, .quarantineFull, .takenOver: false
        }
    }

    /// True where a cycle ended with something that only a server that was reached can say.
    ///
    /// A pause may have been asked for in an earlier cycle.
    var isAnswer: Bool {
        switch self {
        case .signedOut, .quarantineFull: true
        case .unreachable, .notAServer, .protocol, .rateLimited, .store, .cancelled, .takenOver: false
        }
    }
}
