import TrendyDomain

/// Keeps a client silent when a server has asked for silence.
///
/// A pure value; the engine keeps it in the store, so that it outlives the process. Three refusals (429)
/// in a row trip it; each trip waits longer. A `Retry-After` is honoured from the first refusal on.
/// A success closes it and forgets everything; any other failure only ends the row of refusals.
struct CircuitBreaker: Codable, Hashable {
    /// Refusals in a row.
    private(set) var refusals = 0
    /// How often it has tripped since the last success.
    private(set) var trips = 0
    /// Nothing may be sent before this moment.
    private(set) var silentUntil: Timestamp?

    /// How many refusals in a row trip it.
    static let tripsAfter = 3

    /// Seconds of silence that are left; nil where a request may be sent.
    func remaining(at now: Timestamp) -> Double? {
        guard let silentUntil, now < silentUntil else { return nil }
        return silentUntil.seconds(since: now)
    }

    mutating func refused(retryAfter: Double?, at now: Timestamp) {
        refusals += 1
        var pause = max(0, retryAfter ?? 0)
        if refusals >= Self.tripsAfter {
            trips += 1
            pause = max(pause, Backoff.rateLimit(trips: trips))
        }
        silentUntil = pause > 0 ? now.advanced(bySeconds: min(pause, Self.longestPause)) : nil
    }

    mutating func succeeded() {
        self = CircuitBreaker()
    }

    mutating func failedOtherwise() {
        refusals = 0
    }

    /// A clock that ran ahead when the breaker tripped must not silence a device for years.
    private static let longestPause = 86_400.0
}
