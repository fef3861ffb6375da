/// Names a record among those of all kinds.
public struct RecordKey: Sendable, Hashable, Comparable, Codable {
    /// The record's kind.
    public var entityType: EntityType
    /// The record's id.
    public var id: String

    /// Names a record by its kind and id.
    public init(_ entityType: EntityType, _ id: String) {
        self.entityType = entityType
        self.id = id
    }

    private enum CodingKeys: String, CodingKey {
        case entityType
        case id = "entityId"
    }

    /// By kind, then by id.
    public static func < (left: RecordKey, right: RecordKey) -> Bool {
        (left.entityType.rawValue, left.id) < (right.entityType.rawValue, right.id)
    }

    /// Hashes the id alone, which hardly another kind has too.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension PendingMutation {
    /// The record that is changed.
    package var recordKey: RecordKey { RecordKey(entityType, entityId) }
}

extension ChangeEntry {
    /// The record that was changed.
    package var recordKey: RecordKey { RecordKey(entityType, entityId) }
}
