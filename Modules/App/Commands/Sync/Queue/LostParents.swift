import TrendyData
import TrendyDomain

/// Tells which records cannot be sent because what they belong to is not here any more.
@MainActor
struct LostParents {
    let context: CommandContext

    /// The field that names a missing record without which the record of a change cannot be; nil where all are here.
    func reference(of mutation: PendingMutation) throws -> ParentReference? {
        if mutation.operation == .delete { return nil }
        return try reference(of: mutation.entityType, mutation.entityId)
    }

    /// The same of a record.
    func reference(of entityType: EntityType, _ id: String) throws -> ParentReference? {
        guard let type = EntitySchema.trendy.type(for: entityType) else { return nil }
        return try reference(type, id)
    }

    private func reference<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> ParentReference? {
        guard let record = try context.reader.find(type, id: id) else { return nil }
        let fields = try WireCoding.fields(of: record.entity)
        return try Entity.parents.first { reference in
            guard reference.onDelete == .cascade, let parent = fields[reference.field]?.stringValue else {
                return false
            }
            return try !isHere(reference.entityType, parent)
        }
    }

    /// Whether there is a record of that kind and id.
    func isHere(_ entityType: EntityType, _ id: String) throws -> Bool {
        guard let type = EntitySchema.trendy.type(for: entityType) else { return true }
        return try exists(type, id)
    }

    private func exists<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Bool {
        try context.reader.find(type, id: id) != nil
    }
}
