/// Selects mutations; every condition that is set must hold.
public struct MutationQuery: Sendable, Hashable {
    /// In one of these states; nil for any.
    public var states: Set<MutationState.Name>?
    /// Only mutations of this kind of record; none for all.
    public var entityType: EntityType?
    /// Only mutations that do one of these; none for all.
    public var operations: Set<MutationOperation>?
    /// Only mutations of the record with this id; none for all.
    public var entityId: String?
    /// With an id greater than this one.
    public var afterId: Int64?
    /// Settled before this moment.
    public var settledBefore: Timestamp?
    /// At most this many; nil for all.
    public var limit: Int?

    /// Makes a query; what is left out restricts nothing.
    public init(
        states: Set<MutationState.Name>? = nil, entityType: EntityType? = nil,
        operations: Set<MutationOperation>? = nil, entityId: String? = nil, afterId: Int64? = nil,
        settledBefore: Timestamp? = nil, limit: Int? = nil
    ) {
        self.states = states
        self.entityType = entityType
        self.operations = operations
        self.entityId = entityId
        self.afterId = afterId
        self.settledBefore = settledBefore
        self.limit = limit
    }

    /// So many accepted mutations a store keeps at least. It may forget older ones when it accepts more.
    public static let keptAccepted = 10_000

    /// Mutations that are queued or sending.
    public static let unsent = MutationQuery(states: [.queued, .sending])

    /// True where the mutation meets every condition but the limit.
    public func matches(_ mutation: PendingMutation) -> Bool {
        if let states, !states.contains(mutation.state.name) { return false }
        if let entityType, mutation.entityType != entityType { return false }
        if let operations, !operations.contains(mutation.operation) { return false }
        if let entityId, mutation.entityId != entityId { return false }
        if let afterId, mutation.id <= afterId { return false }
        if let settledBefore {
            guard let settledAt = mutation.settledAt, settledAt < settledBefore else { return false }
        }
        return true
    }
}
