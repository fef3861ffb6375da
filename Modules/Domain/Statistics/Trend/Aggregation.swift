/// How the values of one stretch of time become one value.
public enum Aggregation: String, Sendable, Hashable, CaseIterable {
    /// All of them added up, their arithmetic mean, or the largest.
    case sum, mean, max
}
