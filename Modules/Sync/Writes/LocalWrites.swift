public import TrendyDomain

/// Writes of several kinds that belong together; see ``SyncEngine/perform(_:)``.
public struct LocalWrites {
    let writer: LocalWriter

    /// Puts a new record in and queues its creation.
    ///
    /// - Throws: As ``SyncEngine/create(_:)``.
    public func create<Entity: SyncEntity>(_ entity: Entity) throws {
        try writer.create(entity)
    }

    /// Changes a record and queues the fields that differ; does nothing where none does.
    ///
    /// - Throws: As ``SyncEngine/update(_:)``.
    public func update<Entity: SyncEntity>(_ entity: Entity) throws {
        try writer.update(entity)
    }

    /// Deletes a record, with its children by the schema's rules, and queues the deletion.
    ///
    /// - Throws: As ``SyncEngine/delete(_:id:)``.
    public func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws {
        try writer.delete(type, id: id)
    }

    /// The records that meet the condition as these writes have left them, all of them without one.
    ///
    /// Nothing changes between this look and the save, so that what it finds can be relied upon.
    /// - Throws: ``StoreError``.
    public func fetch<Entity: SyncEntity>(_ type: Entity.Type, where condition: FieldCondition? = nil) throws
        -> [Entity]
    {
        try writer.store.begin()
        return try writer.store.fetch(type, where: condition).map(\.entity)
    }

    /// The record of that id as these writes have left it, nil where there is none.
    ///
    /// - Throws: ``StoreError``.
    public func find<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> Entity? {
        try writer.store.begin()
        return try writer.store.find(type, id: id)?.entity
    }
}
