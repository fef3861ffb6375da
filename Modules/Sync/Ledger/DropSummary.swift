public import TrendyDomain

/// What dropping a mutation does, or did.
public struct DropSummary: Sendable, Hashable {
    /// The mutations that are dropped, the named one first.
    public var dropped: [Int64] = []
    /// How many records go from this device, by kind.
    public var removed: [EntityType: Int] = [:]
    /// How many records that were deleted here come back, by kind.
    public var restored: [EntityType: Int] = [:]
    /// True where the server may have the record, so that a deletion is queued.
    public var queuesDeletion = false

    /// Makes a summary of nothing.
    public init() {}
}
