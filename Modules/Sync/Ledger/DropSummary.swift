public import TrendyDomain

/// What dropping a mutation does, or did.
public struct DropSummary: Sendable, Hashable {
    /// The mutations that are dropped, the named one first.
    public var dropped: [Int64] = []
    /// How many records go from this device, by kind.
    public var removed: [EntityType: Int] = [:]
    /// How many records that were deleted here come back, by kind.
    public var restored: [EntityType: Int] = [:]
    /// Mutations that the dropped deletion had swallowed, and that wait again.
    public var reopened: [Int64] = []
    /// True where the server may have the record, so that a deletion is queued.
    public var queuesDeletion = false
    /// True where the next sync fetches everything anew, to bring back what went with a deletion.
    public var asksFullResync = false

    /// Makes a summary of nothing.
    public init() {}
}
