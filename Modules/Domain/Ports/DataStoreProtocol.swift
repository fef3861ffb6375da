/// One unit of work on a device's store: records, the queue of mutations, and what the engine remembers.
///
/// Reads see what this unit has written and, beside it, what others have saved. Nothing that it writes
/// is visible to anyone else before ``save()``, which commits all of it at once; a unit that is let go
/// without `save()` leaves no trace. After `save()` the unit can be used again.
///
/// From the first write (or ``begin()``) to `save()` the unit holds the store's only write lock, and
/// others who want to write wait for it. So it is never held across an `await`.
///
/// The methods named after Trendy's own kinds (`findEvent(id:)`, `upsertGeofence(id:configure:)` …) are
/// extensions over these few.
///
/// Every method throws ``StoreError``. Those under *Records* throw ``StoreError/unknownEntityType(_:)``
/// where the store has no table for the kind that they are about, also where there would be nothing to do. Those of the
/// queue do not: a mutation is taken whatever kind it names.
///
/// `DataStoreContract` in TrendyTestSupport holds an implementation to all of this.
public protocol DataStoreProtocol: VersionStore {
    // MARK: Unit of work

    /// Takes the write lock now, so that what is read from here on stays true until ``save()``.
    ///
    /// The first write does it by itself; call this before a read that a write depends on. Does nothing
    /// where the lock is held already.
    func begin() throws

    /// Commits everything since the last `save()`, durably, and gives the write lock back.
    func save() throws

    // MARK: Records

    /// The record of that id, nil where there is none.
    func find<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> LocalRecord<Entity>?

    /// The records that meet the condition, in the order of their ids (``IdOrder``); all of them without one.
    ///
    /// - Throws: ``StoreError``, also for a condition on a field that the kind does not have: nothing found would look
    ///   as if there were no such record.
    func fetch<Entity: SyncEntity>(_ type: Entity.Type, where condition: FieldCondition?) throws
        -> [LocalRecord<Entity>]

    /// The records whose ids come after that one, from the first where there is none, in the order of the ids
    /// (``IdOrder``); at most `limit`. So a kind of any size is gone through with a page of it in memory.
    ///
    /// - Throws: ``StoreError``; ``StoreError/unreadableRecord(entityType:id:reason:)`` names the first such record.
    func fetch<Entity: SyncEntity>(_ type: Entity.Type, after id: String?, limit: Int) throws -> [LocalRecord<Entity>]

    /// How many records of the kind there are.
    func count<Entity: SyncEntity>(_ type: Entity.Type) throws -> Int

    /// Puts a record in, in place of the one with the same id.
    func upsert<Entity: SyncEntity>(_ record: LocalRecord<Entity>) throws

    /// Takes a record out. Answers whether it was there.
    @discardableResult
    func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> Bool

    /// Takes all records of a kind out.
    func deleteAll<Entity: SyncEntity>(_ type: Entity.Type) throws

    /// Says where a record stands; does nothing where there is no such record.
    func setSyncStatus<Entity: SyncEntity>(_ type: Entity.Type, id: String, _ status: SyncStatus) throws

    // MARK: Queue

    /// Appends a mutation. Answers it with the id that it was given: greater than every id before it.
    @discardableResult
    func insertMutation(_ mutation: PendingMutation) throws -> PendingMutation

    /// Replaces the mutation with the same id; does nothing where there is none.
    func updateMutation(_ mutation: PendingMutation) throws

    /// Says that these mutations are sending; every other part of them stays. Ids without a mutation are passed over.
    func markSending(_ ids: [Int64]) throws

    /// Takes a mutation out for good. Only for what is settled and old.
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

    /// The documents of a collection, by id.
    func fetchDocuments<Document: StoredDocument>(_ type: Document.Type) throws -> [Document]

    /// How many documents a collection has.
    func countDocuments<Document: StoredDocument>(_ type: Document.Type) throws -> Int

    /// Takes a document out; does nothing where there is none.
    func deleteDocument<Document: StoredDocument>(_ type: Document.Type, id: String) throws
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
