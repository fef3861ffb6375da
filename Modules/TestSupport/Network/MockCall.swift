public import TrendyDomain

/// An operation of ``NetworkClientProtocol``.
public enum MockOperation: String, Sendable, Hashable, CaseIterable {
    /// The operation of ``NetworkClientProtocol`` with this name.
    case checkHealth, serverTime, list, get, create, createBatch, update, delete, getChanges, getLatestCursor, exchange
}

/// A call that a ``MockNetworkClient`` received.
public struct MockCall: Sendable, Hashable {
    /// What was asked for.
    public var operation: MockOperation
    /// The kind of record, for the operations that have one.
    public var entityType: EntityType?
    /// The ids of the records in the call: one, or those of a batch in order.
    public var entityIds: [String] = []
    /// The key that came with it, where one did.
    public var idempotencyKey: String?
    /// The body as JSON: the record, the array of records of a batch, or the patch.
    public var body: JSONValue?
    /// Of a listing.
    public var list: ListRequest?
    /// Of a call for changes.
    public var cursor: Int64?
    /// Of a call for changes.
    public var limit: Int?
    /// Of an exchange.
    public var exchange: SyncRequest?

    /// Makes a call with nothing but its name.
    public init(_ operation: MockOperation, _ entityType: EntityType? = nil) {
        self.operation = operation
        self.entityType = entityType
    }
}

/// What a ``MockNetworkClient`` does with one call in place of serving it.
public enum MockAnswer: Sendable {
    /// Serves it, for a queue in which only a later call goes wrong.
    case serve
    /// Fails, and nothing has happened on the server.
    case fail(any Error)
    /// Serves it and then fails: the answer was lost on the way.
    case serveThenFail(any Error)
    /// Answers this JSON, whatever the server holds.
    case respond(JSONValue)
}
