public import TrendyDomain

extension MockDataStore {
    /// Finds a record; the call has the id that was asked for, found or not.
    public func find<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> LocalRecord<Entity>? {
        try record(.find, type, [id]) { try base.find(type, id: id) }
    }

    /// Reads records of a kind; the call does not say which condition they had to meet.
    public func fetch<Entity: SyncEntity>(
        _ type: Entity.Type, where condition: FieldCondition?
    ) throws -> [LocalRecord<Entity>] {
        try record(.fetch, type) { try base.fetch(type, where: condition) }
    }

    /// Counts the records of a kind.
    public func count<Entity: SyncEntity>(_ type: Entity.Type) throws -> Int {
        try record(.count, type) { try base.count(type) }
    }

    /// Puts a record in; the call has its id. Read the record itself with ``MockDataStoreFactory/unrecorded(_:)``.
    public func upsert<Entity: SyncEntity>(_ record: LocalRecord<Entity>) throws {
        try self.record(.upsert, Entity.self, [record.id]) { try base.upsert(record) }
    }

    /// Removes a record; the call has the id that was asked for, found or not.
    @discardableResult
    public func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> Bool {
        try record(.delete, type, [id]) { try base.delete(type, id: id) }
    }

    /// Removes all records of a kind, in a single call without ids.
    public func deleteAll<Entity: SyncEntity>(_ type: Entity.Type) throws {
        try record(.deleteAll, type) { try base.deleteAll(type) }
    }

    /// Sets the status of a record; the call has its id and not the status.
    public func setSyncStatus<Entity: SyncEntity>(_ type: Entity.Type, id: String, _ status: SyncStatus) throws {
        try record(.setSyncStatus, type, [id]) { try base.setSyncStatus(type, id: id, status) }
    }
}
