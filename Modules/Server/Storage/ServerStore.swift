/// Where a server keeps everything; a database, behind transactions.
///
/// The calls block until the transaction has ended, so that the core can be stepped by a simulator. The
/// HTTP layer calls them away from its event loops. `ServerStoreContract` in the tests says what an
/// implementation has to do.
public protocol ServerStore: Sendable {
    /// Runs the body on one consistent state of everything; it sees no later writes.
    func read<Value>(_ body: (any ServerTransaction) throws -> Value) throws -> Value

    /// Runs the body alone among all writers. When it returns, all that it wrote is on disk; when it
    /// throws, nothing of it is.
    func write<Value>(_ body: (any ServerTransaction) throws -> Value) throws -> Value
}

/// What can be done within one transaction; not to be used after it has ended.
public protocol ServerTransaction: RecordStorage, ExchangeStorage, ChangeLogStorage, ReplyStorage, AccountStorage {}
