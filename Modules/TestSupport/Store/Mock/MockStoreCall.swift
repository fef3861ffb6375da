public import TrendyDomain

/// An operation of ``DataStoreProtocol``, or the making of a unit of work.
public enum MockStoreOperation: String, Sendable, Hashable, CaseIterable {
    /// A unit of work was asked for, of a ``MockDataStoreFactory``.
    case makeDataStore
    /// The unit of work itself: its write lock and its commit.
    case begin, save
    /// The records of a kind.
    case find, fetch, count, upsert, delete, deleteAll, setSyncStatus
    /// The server's versions of the records of a kind, and sets of records.
    case standings, ids, confirm, bases, baseIds, putBases, deleteBases, voidRevisions, mark, unmarkedIds, clearMarks
    /// Sets of mutations.
    case openMutations, updateMutations, acceptMutations
    /// The queue of mutations.
    case insertMutation, updateMutation, markSending, deleteMutation, findMutation, fetchMutations, countMutations
    /// What the engine remembers: values by name, and documents by collection.
    case metadata, setMetadata, putDocument, findDocument, fetchDocuments, countDocuments, deleteDocument
}

/// A call that a ``MockDataStore`` received.
public struct MockStoreCall: Sendable, Hashable {
    /// The method that was called; its first word, where the protocol has several.
    public var operation: MockStoreOperation
    /// The kind of record, for the operations that have one; that of the mutation for those of the queue.
    public var entityType: EntityType?
    /// The ids of the records in the call, in order; that of the mutation's record for those of the queue.
    public var entityIds: [String] = []
    /// The mutation as it was handed over, for `insertMutation` and `updateMutation`.
    public var mutation: PendingMutation?
    /// The ids of the mutations in the call, in order.
    public var mutationIds: [Int64] = []
    /// The name of a value, for `metadata` and `setMetadata`; the collection, for documents.
    public var key: String?

    /// Makes a call with nothing but its name.
    public init(_ operation: MockStoreOperation, _ entityType: EntityType? = nil) {
        self.operation = operation
        self.entityType = entityType
    }
}

/// What a ``MockDataStore`` does with one call in place of serving it.
public enum MockStoreAnswer: Sendable, Hashable {
    /// Serves it, for a queue in which only a later call goes wrong.
    case serve
    /// Fails, and nothing has changed.
    case fail(StoreError)
    /// Serves it and then fails: a save whose commit reached the disk, though it was reported as lost.
    case serveThenFail(StoreError)
}
