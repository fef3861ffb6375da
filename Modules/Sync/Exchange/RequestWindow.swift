import TrendyDomain

/// How much one request carries, by what has passed before and how long it took.
///
/// It doubles after a full request that was answered fast, and becomes smaller after one that took long. What did not
/// pass is halved; before the window grows as far again, so many full requests have to pass, and twice as many after
/// each growth in vain. So a limit on the way costs ever fewer refused requests, and is found again once it is gone. Below
/// the size with which it began it also doubles after a request that took a while: a slow line alone makes it no smaller than that.
///
/// The unit is that of what the request carries: bytes that are sent, or items that are asked for.
struct RequestWindow: Codable, Hashable, Sendable {
    /// How much the next request may carry.
    private(set) var size: Int
    /// Where it began. Time alone makes it no smaller: what is slow however little is asked for would make it as small
    /// as can be.
    private let start: Int
    /// What did not pass; nil if as much has passed since.
    private var refused: Int?
    /// How much it was before syncs ended early; nil if the last request was answered.
    private var whole: Int?
    /// How many full requests have to pass before the window grows to what did not pass.
    private var patience = 0
    /// How many have passed since the window has changed.
    private var passes = 0
    /// Whether about as much as the window allows has passed since something did not.
    private var hasPassed = true

    /// How long a request should take.
    static let aim = Duration.seconds(5)
    private static let longestPatience = 64

    init(start: Int) { (size, self.start) = (start, start) }

    /// Notes that a request was answered.
    ///
    /// - Parameters:
    ///   - amount: How much it carried.
    ///   - isFull: Whether it would have carried more if it could.
    ///   - limit: The most that a request may carry.
    mutating func passed(_ amount: Int, isFull: Bool, in time: Duration, atMost limit: Int) {
        if let whole, !isFull { size = whole }
        whole = nil
        if let refused, amount >= refused { forgetRefusals() }
        if isFull || amount >= size / 2 { hasPassed = true }
        if time > Self.aim * 2, amount > start {
            (size, passes) = (max(start, Int(Double(amount) * (Self.aim / time))), 0)
        } else if isFull, time <= (size < start ? Self.aim * 2 : Self.aim / 2), size < limit {
            passes += 1
            if let refused, size * 2 >= refused, passes <= patience { return }
            (size, passes) = (min(size * 2, limit), 0)
        }
    }

    /// Notes that a request did not pass although the server is well.
    mutating func refused(_ amount: Int) {
        let isGrowthInVain = hasPassed && refused != nil
        patience = isGrowthInVain ? min(patience * 2, Self.longestPatience) : max(patience, 1)
        (size, whole, refused, passes, hasPassed) = (max(1, amount / 2), nil, amount, 0, false)
    }

    /// Notes that a sync ended before its request was answered: its process died, or it was cancelled.
    ///
    /// Nobody knows whether the request was too large for the time that it had. So the next one carries half as much, and its
    /// answer tells: if that is full, the window grows from there; else it is as before.
    mutating func endedEarly() {
        whole = whole ?? size
        size = max(min(size, start / 32), size / 2)
    }

    /// Lets the window grow at once, because what did not pass was not too much: something else was wrong with it.
    mutating func forgetRefusals() { (refused, patience, passes) = (nil, 0, 0) }
}

extension Clock where Duration == Swift.Duration {
    /// Does a piece of work. Returns what comes of it, and how long it took.
    func timing<Answer>(_ work: () async throws -> Answer) async rethrows -> (answer: Answer, time: Duration) {
        let start = now
        let answer = try await work()
        return (answer, start.duration(to: now))
    }
}
