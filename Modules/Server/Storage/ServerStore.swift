import Synchronization
public import TrendyDomain

/// Where a server keeps everything; a database, behind transactions.
///
/// The calls block until the transaction has ended, so that the core can be stepped by a simulator. The
/// HTTP layer calls them away from its event loops. `ServerStoreContract` in the tests says what an
/// implementation has to do.
public protocol ServerStore: Sendable {
    /// Whether all writes wait for one lock, so that it pays to carry out those of several users together.
    var hasOneWriter: Bool { get }

    /// Runs the body on one consistent state of a user's records; it sees no later writes. It may be run again from its
    /// beginning, of which the last run counts.
    func read<Value>(_ userId: String, _ body: (any RecordTransaction) throws -> Value) throws -> Value

    /// Carries out the writes of each user in their order, each alone among all writers of that user's records, wholly
    /// or not at all.
    ///
    /// They may share one wait for the disk. Each is told its end when all that it wrote is on disk. A store that others
    /// were in the way of may run a write several times, of which the last one counts.
    func write(_ jobs: [WriteJob])

    /// Where the histories of those users stand; users in whose accounts nothing has happened are left out.
    func heads(of userIds: Set<String>) throws -> [String: ServerHead]

    /// The users who have a history, in an order of the store's own: the first ones, or those after one of them.
    func userIds(after userId: String?, limit: Int) throws -> [String]

    /// What is wrong with the database itself: damage, and what is left of deleted accounts.
    func flaws() throws -> StoreFlaws

    /// What other processes on the same data tell of their commits; nil where none can tell anything.
    var headHints: (any HeadHints)? { get }

    /// How its connections to the database are used; empty where it does not count them.
    var connections: [StoreConnections] { get }

    /// Tries whether a write can be committed just now, and changes nothing that anybody reads.
    ///
    /// - Throws: ``StoreFault``, where it can say why not.
    func probe() throws

    /// Looks through everything that is kept, which may take minutes.
    ///
    /// - Throws: ``StoreFault`` where something is damaged.
    func checkIntegrity() throws

    /// Runs the body on one consistent state of all accounts.
    func readAccounts<Value>(_ body: (any AccountStorage) throws -> Value) throws -> Value

    /// Runs the body alone among all writers of accounts. When it returns, all that it wrote is on disk; when it
    /// throws, nothing of it is. It may be run several times, of which the last one counts.
    func writeAccounts<Value>(_ body: (any AccountStorage) throws -> Value) throws -> Value
}

/// A write of one user's records that waits for its turn.
public struct WriteJob: Sendable {
    /// The user whose records it changes.
    public let userId: String
    /// The write, which answers what to do when it is on disk. What it throws undoes it, and nothing else.
    public let run: @Sendable (any RecordTransaction) throws -> @Sendable () -> Void
    /// Told in place of that why the write is not on disk.
    public let fail: @Sendable (any Error) -> Void

    /// Makes a write whose value, or what it threw, is told when it has ended.
    public init<Value: Sendable>(
        _ userId: String, _ body: @escaping @Sendable (any RecordTransaction) throws -> Value,
        then tell: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.userId = userId
        run = { transaction in
            let value = try body(transaction)
            return { tell(.success(value)) }
        }
        fail = { tell(.failure($0)) }
    }
}

extension ServerStore {
    /// There is one, unless the store says otherwise.
    public var hasOneWriter: Bool { true }

    /// They are not counted.
    public var connections: [StoreConnections] { [] }

    /// Begins a write of accounts, and ends it without one.
    public func probe() throws { try writeAccounts { _ in } }

    /// It is left to the database.
    public func checkIntegrity() throws {}

    /// Nobody tells anything.
    public var headHints: (any HeadHints)? { nil }

    /// Asks for one user after the other.
    public func heads(of userIds: Set<String>) throws -> [String: ServerHead] {
        var heads: [String: ServerHead] = [:]
        for userId in userIds { heads[userId] = try read(userId) { try $0.history() }.map(ServerHead.init) }
        return heads
    }

    /// Runs the body alone among all writers of a user's records. When it returns, all that it wrote is on disk; when
    /// it throws, nothing of it is.
    public func write<Value: Sendable>(
        _ userId: String, _ body: @escaping @Sendable (any RecordTransaction) throws -> Value
    ) throws -> Value {
        let outcome = Outcome<Value>()
        write([WriteJob(userId, body) { result in outcome.result.withLock { $0 = result } }])
        return try outcome.result.withLock { $0 }.get()
    }
}

private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex(
        Result<Value, any Error>.failure(ServerProblem(.internal, "the store has not told how a write has ended")))
}
