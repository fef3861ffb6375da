/// How many of some durations were at most so long, and how long they were together.
struct Histogram: Sendable {
    /// The upper bounds of the buckets, in seconds: from what a read in memory takes to what nobody waits for.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// How many durations are in each bucket and in no smaller one. The last is for those above all bounds.
    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The sum of all durations, in seconds.
    private(set) var sum = 0.0

    mutating func observe(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }
}
