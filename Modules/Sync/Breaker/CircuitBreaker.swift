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

    /// How many seconds after the pause an automatic sync begins; nil for none.
    private var spread: Double?

    /// How many refusals in a row trip it.
    static let tripsAfter = 2

    /// Seconds of silence that are left; nil where a request may be sent.
    func remaining(at now: Timestamp) -> Double? {
        guard let silentUntil, now < silentUntil else { return nil }
        let seconds = silentUntil.seconds(since: now)
        // An end that is further off than any pause comes from a clock that has since been set back.
        return seconds <= Self.longestPause ? seconds : nil
    }

    /// When an automatic sync may begin; nil if it may now.
    ///
    /// Devices that share an address share its limit, and were refused together. They come back one after the other.
    func pending(at now: Timestamp) -> Timestamp? {
        guard let silentUntil else { return nil }
        let moment = silentUntil.advanced(bySeconds: spread ?? 0)
        let seconds = moment.seconds(since: now)
        return seconds > 0 && seconds <= Self.longestPause * (1 + Self.longestSpread) ? moment : nil
    }

    /// Forgets a pause that is over, before the first request after it leaves.
    ///
    /// Otherwise a clock that is set back would begin that pause anew, and the next refusal would count as one of a
    /// request from within it.
    mutating func forgetPastPause(at now: Timestamp) {
        if remaining(at: now) == nil { (silentUntil, spread) = (nil, nil) }
    }

    /// - Parameter spread: A random part from 0 to 1 of the longest time by which automatic syncs come later.
    mutating func refused(retryAfter: Double?, at now: Timestamp, spread share: Double = 0) {
        let asked = min(max(0, retryAfter ?? 0), Self.longestPause)
        if remaining(at: now) != nil {
            // These requests were under way when the first was refused. Their refusals can only make the pause
            // longer.
            silentUntil = max(silentUntil ?? now, now.advanced(bySeconds: asked))
            return
        }
        refusals += 1
        var pause = asked
        if refusals >= Self.tripsAfter {
            trips += 1
            pause = max(pause, Backoff.rateLimit(trips: trips))
        }
        silentUntil = pause > 0 ? now.advanced(bySeconds: pause) : nil
        spread = pause > 0 ? pause * Self.longestSpread * share : nil
    }

    mutating func succeeded(at now: Timestamp) {
        // A success that was under way when another request was refused does not end the pause.
        if remaining(at: now) == nil { self = CircuitBreaker() }
    }

    mutating func failedOtherwise() {
        refusals = 0
    }

    /// A clock that ran ahead when the breaker tripped must not silence a device for years.
    private static let longestPause = 86_400.0
    /// By which part of the pause automatic syncs come later at most.
    private static let longestSpread = 0.25
}
