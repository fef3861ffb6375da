import TrendyData
import TrendyDomain

extension StoreReader {
    /// The present fields of a record; nil if it does not exist.
    func fields(of entityType: EntityType, id: String) throws -> [String: JSONValue]? {
        guard let type = EntitySchema.trendy.type(for: entityType) else { return nil }
        return try fields(type, id)
    }

    /// The ids under which records go on that had other ids before.
    func presentIds() throws -> PresentIds { PresentIds(try documents(FormerId.self)) }

    /// Refuses an invalid record; see ``SyncEntity/validate(over:isHere:)``.
    func validate<Entity: SyncEntity>(_ entity: Entity) throws {
        try entity.validate(over: find(Entity.self, id: entity.id)?.entity) { reference, id in
            try fields(of: reference.entityType, id: id) != nil
        }
    }

    private func fields<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> [String: JSONValue]? {
        try find(type, id: id).map { try WireCoding.fields(of: $0.entity) }
    }
}
