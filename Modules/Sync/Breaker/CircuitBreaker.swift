import TrendyDomain

/// Keeps a client silent when a server has asked for silence.
///
/// A pure value; the engine keeps it in the store, so that it outlives the process. Two refusals (429)
/// in a row trip it; each trip waits longer. A `Retry-After` is honoured from the first refusal on.
/// A success closes it and forgets everything; any other failure only ends the row of refusals.
struct CircuitBreaker: Codable, Hashable {
    /// Refusals in a row.
    private(set) var refusals = 0
    /// How often it has tripped since the last success.
    private(set) var trips = 0
    /// Nothing may be sent before this moment.
    private(set) var silentUntil: Timestamp?
    /// How many seconds the pause lasts in all; nil where a former version has begun it.
    private var length: Double?
    /// How many seconds after the pause an automatic sync begins; nil for none.
    private var spread: Double?

    /// How many refusals in a row trip it.
    static let tripsAfter = 2

    /// Whether the clock was set back since the pause began: its end is further off than the whole of it. The end is
    /// rounded to milliseconds, so it may lie slightly later.
    private func isClockSetBack(at now: Timestamp) -> Bool {
        guard let silentUntil else { return false }
        return silentUntil.seconds(since: now) > (length ?? Self.longestPause).rounded(.up)
    }

    /// Seconds of silence that are left; nil where a request may be sent.
    ///
    /// After the clock was set back, the elapsed part of the pause is unknown. The whole pause counts as left.
    func remaining(at now: Timestamp) -> Double? {
        guard let silentUntil, now < silentUntil else { return nil }
        return isClockSetBack(at: now) ? length : silentUntil.seconds(since: now)
    }

    /// When an automatic sync may begin; nil if it may now. Where the clock was set back it may, and begins the pause anew.
    ///
    /// Devices that share an address share its limit, and were refused together. They come back one after the other.
    func pending(at now: Timestamp) -> Timestamp? {
        guard let silentUntil, !isClockSetBack(at: now) else { return nil }
        let moment = silentUntil.advanced(bySeconds: spread ?? 0)
        return moment > now ? moment : nil
    }

    /// Brings the pause up to date before a request: forgets a pause that is over, and restarts one that was begun by a
    /// clock which has been set back since.
    ///
    /// If a past pause were kept, setting the clock back would make it count again. If a pause were not restarted, one that
    /// was measured by a clock nine hours ahead would last nine hours.
    mutating func settlePause(at now: Timestamp) {
        if let left = remaining(at: now) {
            if isClockSetBack(at: now) { silentUntil = now.advanced(bySeconds: left) }
        } else {
            (silentUntil, length, spread) = (nil, nil, nil)
        }
    }

    /// - Parameter spread: A random part from 0 to 1 of the longest time by which automatic syncs come later.
    mutating func refused(retryAfter: Double?, at now: Timestamp, spread share: Double = 0) {
        let asked = min(max(0, retryAfter ?? 0), Self.longestPause)
        if let left = remaining(at: now) {
            // These requests were under way when the first was refused. Their refusals can only make the pause
            // longer.
            if asked > left { (silentUntil, length) = (now.advanced(bySeconds: asked), asked) }
            return
        }
        refusals += 1
        var pause = asked
        if refusals >= Self.tripsAfter {
            trips += 1
            pause = max(pause, Backoff.rateLimit(trips: trips))
        }
        silentUntil = pause > 0 ? now.advanced(bySeconds: pause) : nil
        length = pause > 0 ? pause : nil
        spread = pause > 0 ? pause * Self.longestSpread * share : nil
    }

    mutating func succeeded(at now: Timestamp) {
        // A success that was under way when another request was refused does not end the pause.
        if remaining(at: now) == nil { self = CircuitBreaker() }
    }

    mutating func failedOtherwise() {
        refusals = 0
    }

    /// A server that asks for a longer silence is not believed.
    private static let longestPause = 86_400.0
    /// By which part of a pause automatic syncs come later at most.
    private static let longestSpread = 0.25
}
