import TrendyDomain

/// Names a record among those of all kinds.
struct RecordKey: Codable, Hashable, Comparable {
    var entityType: EntityType
    var entityId: String

    static func < (left: Self, right: Self) -> Bool {
        (left.entityType.rawValue, left.entityId) < (right.entityType.rawValue, right.entityId)
    }
}

extension RecordKey {
    /// The key of a mutation's record.
    init(of mutation: PendingMutation) {
        self.init(entityType: mutation.entityType, entityId: mutation.entityId)
    }

    init(_ entry: ChangeEntry) {
        self.init(entityType: entry.entityType, entityId: entry.entityId)
    }
}
