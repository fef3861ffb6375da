public import TrendyDomain

extension MockDataStore {
    public func find<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> LocalRecord<Entity>? {
        try record(.find, type, [id]) { try base.find(type, id: id) }
    }

    public func fetch<Entity: SyncEntity>(
        _ type: Entity.Type, where condition: FieldCondition?
    ) throws -> [LocalRecord<Entity>] {
        try record(.fetch, type) { try base.fetch(type, where: condition) }
    }

    public func count<Entity: SyncEntity>(_ type: Entity.Type) throws -> Int {
        try record(.count, type) { try base.count(type) }
    }

    public func upsert<Entity: SyncEntity>(_ record: LocalRecord<Entity>) throws {
        try self.record(.upsert, Entity.self, [record.id]) { try base.upsert(record) }
    }

    @discardableResult
    public func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> Bool {
        try record(.delete, type, [id]) { try base.delete(type, id: id) }
    }

    public func deleteAll<Entity: SyncEntity>(_ type: Entity.Type) throws {
        try record(.deleteAll, type) { try base.deleteAll(type) }
    }

    public func setSyncStatus<Entity: SyncEntity>(_ type: Entity.Type, id: String, _ status: SyncStatus) throws {
        try record(.setSyncStatus, type, [id]) { try base.setSyncStatus(type, id: id, status) }
    }

    // MARK: Staging

    public func stage<Entity: SyncEntity>(_ records: [Remote<Entity>]) throws {
        try record(.stage, Entity.self, records.map(\.id)) { try base.stage(records) }
    }

    public func findStaged<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> Remote<Entity>? {
        try record(.findStaged, type, [id]) { try base.findStaged(type, id: id) }
    }

    public func stagedIds<Entity: SyncEntity>(_ type: Entity.Type) throws -> [String] {
        try record(.stagedIds, type) { try base.stagedIds(type) }
    }

    public func replaceWithStaged<Entity: SyncEntity>(_ type: Entity.Type, keeping: Set<String>) throws {
        try record(.replaceWithStaged, type, keeping.sorted()) { try base.replaceWithStaged(type, keeping: keeping) }
    }

    public func clearStaged<Entity: SyncEntity>(_ type: Entity.Type) throws {
        try record(.clearStaged, type) { try base.clearStaged(type) }
    }
}
