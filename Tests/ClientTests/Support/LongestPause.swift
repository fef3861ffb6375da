/// The longest time between two requests of a test.
///
/// A client closes a connection that it has not used for a minute. On a machine that is busy with other tests that can
/// happen between two requests, and is no fault.
struct LongestPause {
    private var last = ContinuousClock.now
    private var longest = Duration.zero

    /// Whether every connection was in use again before it could be closed.
    var keepsConnections: Bool { longest < .seconds(55) }

    mutating func mark() {
        let now = ContinuousClock.now
        longest = max(longest, last.duration(to: now))
        last = now
    }
}
