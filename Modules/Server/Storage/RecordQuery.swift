import TrendyDomain

/// A record's place in lists of its kind.
public struct RecordPosition: Sendable, Hashable {
    /// The first that lists are sorted by.
    public var order: Int64
    /// What decides between records of the same order.
    public var id: String
}

/// Which records of a kind to list.
public struct RecordQuery: Sendable, Hashable {
    /// At most this many; nil for all.
    public var limit: Int?
    /// How many of the first are left out.
    public var offset = 0
    /// Only those that come after this place.
    public var after: RecordPosition?
    /// Largest order first.
    public var isDescending = false
    /// Only those that refer to this parent by this field.
    public var parent: RecordIndex.Reference?
    /// Only the active, or only the inactive ones.
    public var isActive: Bool?
}
