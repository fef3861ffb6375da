/// How the values of one stretch of time become one value.
public enum Aggregation: String, Sendable, Hashable, CaseIterable {
    /// How many there are, or all of them added up.
    case count, sum
    /// Their arithmetic mean, or the one in the middle.
    case mean, median
    /// The smallest, or the largest.
    case min, max
}
