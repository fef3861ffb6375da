import TrendyDomain

/// When to sync automatically again after cycles that could not reach the server, or that it did not let in.
///
/// A pure value. The engine keeps it in the store, so that it outlives the process. It holds back automatic syncs
/// only; a sync that a person asks for begins at once.
struct ConnectionBackoff: Codable, Hashable {
    /// Cycles in a row that could not reach the server.
    private(set) var failures = 0
    /// The moment of the next automatic try.
    private(set) var nextAttempt: Timestamp?
    /// How many seconds the present pause lasts.
    private var pause: Double?
    /// Whether the server has asked for it; nil where it has not.
    private var isAsked: Bool?

    /// The moment of the next automatic try; nil where it may be made now.
    ///
    /// - Parameter isReached: Whether the server was heard since, which ends a pause that it has not asked for.
    func pending(at now: Timestamp, isReached: Bool = false) -> Timestamp? {
        guard let nextAttempt, now < nextAttempt, !isReached || isAsked == true else { return nil }
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
        isAsked = asked > usual ? true : nil
    }
}

extension Backoff {
    /// The longest pause of ``connection(failures:random:)``, in seconds.
    static let longestConnectionPause = 300.0
    /// The longest pause that a failing server can ask for, in seconds: a day, as for 429.
    static let longestAskedPause = 86_400.0
}

extension SyncReport.Failure {
    /// Whether a cycle ended because no server could be reached, what answered was none, or its sign-in service may be
    /// out of order: all of that may pass by itself.
    var isConnectionFailure: Bool {
        switch self {
        case .unreachable, .notAServer, .protocol, .signInFailing: true
        case .rateLimited, .signedOut, .store, .cancelled, .quarantineFull, .takenOver: false
        }
    }

    /// Whether a cycle ended with an answer that only a reached server can give.
    ///
    /// A rate limit is not among them: the pause may be that of an earlier cycle.
    var isAnswer: Bool {
        switch self {
        case .signedOut, .quarantineFull: true
        case .unreachable, .notAServer, .protocol, .signInFailing, .rateLimited, .store, .cancelled, .takenOver: false
        }
    }
}
