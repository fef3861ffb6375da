/// One unit of work on a device's store: records, bases, the outbox, and the engine's memory.
///
/// Reads see what this unit has written and, beside it, what others have saved. Nobody else sees what it writes
/// before ``save()``, which commits all of it at once. A unit that is released without `save()` leaves no trace.
/// After `save()` the unit can be used again.
///
/// From the first write (or ``begin()``) to `save()` the unit holds the store's only write lock, and other writers
/// wait for it. So a unit is never held across an `await`.
///
/// The methods named after Trendy's own kinds (`findEvent(id:)`, `upsertGeofence(id:configure:)` …) are
/// extensions over these few.
///
/// Every method throws ``StoreError``. Those under *Records* throw ``StoreError/unknownEntityType(_:)`` if the store
/// has no table for the kind, even if there is nothing to do. Those of the queue take mutations of any kind.
///
/// `DataStoreContract` in TrendyTestSupport holds an implementation to all of this.
public protocol DataStoreProtocol: VersionStore {
    // MARK: Unit of work

    /// Takes the write lock now, so that what is read from here on stays true until ``save()``.
    ///
    /// The first write does it by itself; call this before a read that a write depends on. Does nothing
    /// where the lock is held already.
    func begin() throws

    /// Takes the write lock as ``begin()`` does, for work that a device may forget if its power fails: it can be done
    /// again, like taking a lease or receiving. Then ``save()`` need not wait for the disk.
    ///
    /// What it saves is there for everyone, also after a crash of the process, and a later durable `save()` makes it
    /// durable too. By default it is `begin()`.
    func beginRepeatable() throws

    /// Commits everything since the last `save()`, durably, and gives the write lock back.
    func save() throws

    // MARK: Records

    /// The record of that id, nil where there is none.
    func find<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> LocalRecord<Entity>?

    /// The records that meet the condition, in the order of their ids (``IdOrder``); all of them without one.
    ///
    /// - Throws: ``StoreError``, also for a condition on a field that the kind does not have: an empty answer would
    ///   hide the mistake.
    func fetch<Entity: SyncEntity>(_ type: Entity.Type, where condition: FieldCondition?) throws
        -> [LocalRecord<Entity>]

    /// The records whose ids come after that one, or the first ones, in the order of the ids (``IdOrder``); at most
    /// `limit`. So a reader goes through a kind of any size with one page in memory.
    ///
    /// - Throws: ``StoreError``; ``StoreError/unreadableRecord(entityType:id:reason:)`` names the first such record.
    func fetch<Entity: SyncEntity>(_ type: Entity.Type, after id: String?, limit: Int) throws -> [LocalRecord<Entity>]

    /// How many records of the kind there are.
    func count<Entity: SyncEntity>(_ type: Entity.Type) throws -> Int

    /// Puts a record in, in place of the one with the same id.
    func upsert<Entity: SyncEntity>(_ record: LocalRecord<Entity>) throws

    /// Removes a record. Returns whether it was there.
    @discardableResult
    func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> Bool

    /// Removes all records of a kind.
    func deleteAll<Entity: SyncEntity>(_ type: Entity.Type) throws

    /// Sets the status of a record; does nothing if there is no such record.
    func setSyncStatus<Entity: SyncEntity>(_ type: Entity.Type, id: String, _ status: SyncStatus) throws

    // MARK: Queue

    /// Appends a mutation. Returns it with its id, which is greater than every id before it.
    @discardableResult
    func insertMutation(_ mutation: PendingMutation) throws -> PendingMutation

    /// Appends mutations in their order, as ``insertMutation(_:)`` does each.
    func insertMutations(_ mutations: [PendingMutation]) throws

    /// Replaces the mutation with the same id; does nothing if there is none.
    func updateMutation(_ mutation: PendingMutation) throws

    /// Sets the state of these mutations to sending. Ids without a mutation are ignored.
    func markSending(_ ids: [Int64]) throws

    /// Removes a mutation for good. Use it only for settled, old ones.
    func deleteMutation(id: Int64) throws

    /// The mutation of that id.
    func findMutation(id: Int64) throws -> PendingMutation?

    /// The mutations that meet the query, in the order of their ids.
    func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation]

    /// How many mutations meet the query, whatever its limit.
    func countMutations(_ query: MutationQuery) throws -> Int

    // MARK: Memory of the engine

    /// The value that was set under that name.
    func metadata(_ key: String) throws -> String?

    /// Sets a value, or removes it with nil.
    func setMetadata(_ key: String, _ value: String?) throws

    /// Puts a document in, in place of the one with the same id in its collection.
    func putDocument<Document: StoredDocument>(_ document: Document) throws

    /// The document with that id in its collection; nil if there is none.
    func findDocument<Document: StoredDocument>(_ type: Document.Type, id: String) throws -> Document?

    /// The documents of a collection, by id.
    func fetchDocuments<Document: StoredDocument>(_ type: Document.Type) throws -> [Document]

    /// How many documents a collection has.
    func countDocuments<Document: StoredDocument>(_ type: Document.Type) throws -> Int

    /// Removes a document; does nothing if there is none.
    func deleteDocument<Document: StoredDocument>(_ type: Document.Type, id: String) throws
}

extension DataStoreProtocol {
    /// Takes the write lock for work that is durable once it is saved.
    public func beginRepeatable() throws { try begin() }
}

/// A field that has a value: `event_type_id` is this id.
public struct FieldCondition: Sendable, Hashable {
    /// The wire name of the field: one of the kind's, or the condition is an error.
    public var field: String
    /// The value that it must have. Only strings are compared.
    public var value: String

    /// Asks that a field has this value.
    public init(_ field: String, equals value: String) {
        self.field = field
        self.value = value
    }
}
