import TrendyDomain
import TrendySync

/// What taking a change back needs to know of one record.
struct UndoStep: Codable, Sendable, Hashable {
    let operation: MutationOperation
    let entityType: EntityType
    let id: String
    /// The whole record where it was deleted; the former values of the changed fields where it was edited.
    let before: [String: JSONValue]?
    /// The new values of the changed fields where it was edited.
    let after: [String: JSONValue]?
    /// When an edit was made; nil for what is none, and where an earlier version noted it.
    var at: Timestamp?

    init(_ change: LocalChange) throws {
        switch change {
        case .created(let record): self = Self.created(record)
        case .deleted(let record): self = try Self.deleted(record)
        case .updated(let former, let present): self = try Self.updated(former, present)
        }
    }

    init(
        _ operation: MutationOperation, _ entityType: EntityType, _ id: String, before: [String: JSONValue]? = nil,
        after: [String: JSONValue]? = nil
    ) {
        self.operation = operation
        self.entityType = entityType
        self.id = id
        self.before = before
        self.after = after
    }

    private static func created<Entity: SyncEntity>(_ record: Entity) -> UndoStep {
        UndoStep(.create, Entity.entityType, record.id)
    }

    private static func deleted<Entity: SyncEntity>(_ record: Entity) throws -> UndoStep {
        UndoStep(.delete, Entity.entityType, record.id, before: try WireCoding.fields(of: record))
    }

    private static func updated<Entity: SyncEntity>(_ former: Entity, _ present: any SyncEntity) throws -> UndoStep {
        guard let present = present as? Entity else { return UndoStep(.update, Entity.entityType, former.id) }
        let patch = try Patch(from: former, to: present)
        return UndoStep(
            .update, Entity.entityType, former.id, before: try patch.values(in: former), after: patch.changes)
    }

    private enum CodingKeys: String, CodingKey {
        case operation, id, before, after, at
        case entityType = "entity_type"
    }
}
