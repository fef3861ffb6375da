public import TrendyDomain

/// Writes of several kinds that belong together; see ``SyncEngine/perform(_:)``.
public struct LocalWrites {
    let writer: RecordWriter

    /// Puts a new record in and queues its creation.
    ///
    /// - Throws: As ``SyncEngine/create(_:)``.
    public func create<Entity: SyncEntity>(_ entity: Entity) throws {
        try writer.create(entity)
    }

    /// Puts a record in that was made elsewhere or was here before, and queues its creation.
    ///
    /// It demands only what is demanded of a server's record (``SyncEntity/validateReceived()``), so that it keeps
    /// what a newer version wrote. Use ``create(_:)`` for what a person enters.
    ///
    /// - Throws: As ``SyncEngine/create(_:)``.
    public func adopt<Entity: SyncEntity>(_ entity: Entity) throws {
        try entity.validateReceived()
        try writer.replica.takeUp([entity.id], Entity.entityType)
        try writer.insert(entity, isAdopted: true)
    }

    /// Puts records in that were made elsewhere, as ``adopt(_:)`` does, and skips those whose ids are here.
    ///
    /// - Returns: How many were put in.
    /// - Throws: As ``adopt(_:)``.
    public func adoptMissing<Entity: SyncEntity>(_ entities: [Entity]) throws -> Int {
        for entity in entities { try entity.validateReceived() }
        try writer.replica.takeUp(entities.map(\.id), Entity.entityType)
        return try writer.insertMissing(entities)
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

    /// Deletes records of a kind, each once, as ``delete(_:id:)`` does; quickly where they are many.
    ///
    /// - Throws: As ``SyncEngine/delete(_:id:)``.
    public func delete<Entity: SyncEntity>(_ type: Entity.Type, ids: [String]) throws {
        try writer.delete(type, ids: ids)
    }

    /// The changes of these writes so far, in their order. The children of a deleted record come before it.
    ///
    /// Records whose reference to a deleted one was cleared are among them.
    public var changes: [LocalChange] { writer.changes.all }

    /// Something small that the app remembers under a key, as these writes have left it.
    ///
    /// - Throws: ``StoreError``.
    public func metadata(_ key: String) throws -> String? {
        try writer.store.begin()
        return try writer.store.metadata(key)
    }

    /// Remembers something small under a key in the same save, or forgets it where the value is nil.
    ///
    /// - Parameter key: A key that nothing else uses; ``MetadataKey`` has those of the engine.
    /// - Throws: ``StoreError``.
    public func setMetadata(_ key: String, _ value: String?) throws {
        try writer.store.begin()
        try writer.store.setMetadata(key, value)
    }

    /// The ids under which records go on that had other ids before: two records turned out to be one, or a server
    /// refused an id.
    ///
    /// An app that keeps ids in ``setMetadata(_:_:)`` reads them through this.
    /// - Throws: ``StoreError``.
    public func presentIds() throws -> PresentIds {
        try writer.store.begin()
        return PresentIds(try writer.store.fetchDocuments(FormerId.self))
    }

    /// The records that meet the condition as these writes have left them, all of them without one.
    ///
    /// The records do not change between this read and the save.
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

    /// The records of these ids as these writes have left them, by id; one that is not here is missing.
    ///
    /// - Throws: ``StoreError``.
    public func find<Entity: SyncEntity>(_ type: Entity.Type, ids: [String]) throws -> [String: Entity] {
        try writer.store.begin()
        return try writer.store.fetch(type, ids: ids).mapValues(\.entity)
    }
}
