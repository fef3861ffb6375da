public import Foundation
public import TrendyDomain

// What a person does. Each call is one durable save; when it returns, the record and its mutation are on disk.

extension SyncEngine {
    /// Puts a new record in and queues its creation.
    ///
    /// - Throws: ``ValidationError``, ``StoreError``, or ``SyncEngineError/alreadyExists(entityType:id:)``.
    @discardableResult
    public func create<Entity: SyncEntity>(_ entity: Entity) throws -> Entity {
        _ = try write { try $0.create(entity) }
        return entity
    }

    /// Puts many new records in and queues their creation, all of them in one save or none.
    ///
    /// - Returns: How many there were.
    /// - Throws: As ``create(_:)``, for the first record that cannot be put in.
    @discardableResult
    public func create<Entity: SyncEntity>(contentsOf entities: [Entity]) throws -> Int {
        if entities.isEmpty { return 0 }
        try write { writer in
            for entity in entities { try writer.create(entity) }
        }
        return entities.count
    }

    /// Changes a record and queues the fields that differ; does nothing where none does.
    ///
    /// - Throws: ``ValidationError``, ``StoreError``, or ``SyncEngineError/notFound(entityType:id:)``.
    @discardableResult
    public func update<Entity: SyncEntity>(_ entity: Entity) throws -> Entity {
        _ = try write { try $0.update(entity) }
        return entity
    }

    /// Deletes a record, with its children by the schema's rules, and queues the deletion.
    ///
    /// - Throws: ``StoreError``, or ``SyncEngineError/notFound(entityType:id:)``.
    public func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws {
        _ = try write { try $0.delete(type, id: id) }
    }

    /// Does several writes in one save: all of them, or none where the closure throws.
    ///
    /// ```swift
    /// try await engine.perform { writes in
    ///     try writes.create(type)
    ///     try writes.create(Event(id: ids.makeId(), eventTypeId: type.id, timestamp: now))
    /// }
    /// ```
    /// - Throws: What the closure throws, or ``StoreError``.
    @discardableResult
    public func perform<Result: Sendable>(_ body: @Sendable (LocalWrites) throws -> Result) throws -> Result {
        try write { try body(LocalWrites(writer: $0)) }
    }

    /// As ``perform(_:)``, on the thread of the caller, who waits until the disk has it.
    ///
    /// For a program that writes once and ends: a switch to another thread and back takes longer than the write. A
    /// program that does other work meanwhile, such as a user interface, uses ``perform(_:)``.
    /// - Throws: What the closure throws, or ``StoreError``.
    @discardableResult
    public nonisolated func performSynchronously<Result>(_ body: (LocalWrites) throws -> Result) throws -> Result {
        try write { try body(LocalWrites(writer: $0)) }
    }

    /// Queues a mutation by its payload, and changes the record accordingly.
    ///
    /// - Parameter payload: JSON: the record for a create, the changed fields for an update; ignored for a delete.
    /// - Returns: The id of the mutation in the ledger; nil for an update that changes nothing.
    /// - Throws: ``SyncEngineError``, ``ValidationError`` or ``StoreError``.
    @discardableResult
    public func queueMutation(
        entityType: MutationEntityType, operation: MutationOperation, entityId: String, payload: Data
    ) throws -> Int64? {
        guard let type = schema.type(for: entityType) else { throw SyncEngineError.unknownEntityType(entityType) }
        return try write { writer in
            try QueuedPayload(writer: writer)
                .queue(type, operation: operation, entityId: entityId, payload: payload)?.id
        }
    }

    /// It uses no state of the actor, and the store puts all writes in their order, so it need not be isolated.
    private nonisolated func write<Result>(_ body: (RecordWriter) throws -> Result) throws -> Result {
        let store = try stores.makeDataStore()
        let result = try body(writer(on: store))
        try store.save()
        bell.ring()
        return result
    }

    nonisolated func writer(on store: any DataStoreProtocol) -> RecordWriter {
        RecordWriter(
            replica: Replica(store: store, schema: schema, wallClock: wallClock, identifiers: identifiers))
    }
}
