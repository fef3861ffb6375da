public import TrendyDomain

/// What dropping a mutation does, or did.
public struct DropSummary: Sendable, Hashable {
    /// The mutations that are dropped, the named one first.
    public var dropped: [Int64] = []
    /// How many records this device loses, by kind.
    public var removed: [EntityType: Int] = [:]
    /// How many deleted records this device gets back, by kind.
    public var restored: [EntityType: Int] = [:]
    /// Whether a deletion is queued, because the server may have the record.
    public var queuesDeletion = false

    /// Makes a summary of nothing.
    public init() {}
}
