import Synchronization

/// Where a server keeps everything; a database, behind transactions.
///
/// The calls block until the transaction has ended, so that the core can be stepped by a simulator. The
/// HTTP layer calls them away from its event loops. `ServerStoreContract` in the tests says what an
/// implementation has to do.
public protocol ServerStore: Sendable {
    /// Runs the body on one consistent state of a user's records; it sees no later writes.
    func read<Value>(_ userId: String, _ body: (any RecordTransaction) throws -> Value) throws -> Value

    /// Carries out writes in their order, each alone among all writers, wholly or not at all.
    ///
    /// They may share one wait for the disk. Each is told its end when all that it wrote is on disk.
    func write(_ jobs: [WriteJob])

    /// Runs the body on one consistent state of all accounts.
    func readAccounts<Value>(_ body: (any AccountStorage) throws -> Value) throws -> Value

    /// Runs the body alone among all writers. When it returns, all that it wrote is on disk; when it
    /// throws, nothing of it is.
    func writeAccounts<Value>(_ body: (any AccountStorage) throws -> Value) throws -> Value
}

/// A write of one user's records that waits for its turn.
public struct WriteJob: Sendable {
    /// The user whose records it changes.
    public let userId: String
    /// The write. What it throws undoes it, and nothing else.
    public let run: @Sendable (any RecordTransaction) throws -> Void
    /// Told once how it has ended: nil where it is on disk.
    public let end: @Sendable ((any Error)?) -> Void

    /// Makes a write whose value, or what it threw, is told when it is on disk.
    public init<Value: Sendable>(
        _ userId: String, _ body: @escaping @Sendable (any RecordTransaction) throws -> Value,
        then tell: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let value = Kept<Value>()
        self.userId = userId
        run = { transaction in
            let made = try body(transaction)
            value.content.withLock { $0 = made }
        }
        end = { error in
            if let made = value.content.withLock({ $0 }), error == nil {
                tell(.success(made))
            } else {
                tell(.failure(error ?? ServerProblem(.internal, "the write was not carried out")))
            }
        }
    }
}

private final class Kept<Value: Sendable>: Sendable {
    let content = Mutex<Value?>(nil)
}

extension ServerStore {
    /// Runs the body alone among all writers of a user's records. When it returns, all that it wrote is on disk; when
    /// it throws, nothing of it is.
    public func write<Value: Sendable>(
        _ userId: String, _ body: @escaping @Sendable (any RecordTransaction) throws -> Value
    ) throws -> Value {
        let outcome = Kept<Result<Value, any Error>>()
        write([WriteJob(userId, body) { result in outcome.content.withLock { $0 = result } }])
        guard let result = outcome.content.withLock({ $0 }) else {
            throw ServerProblem(.internal, "the store has not told how a write has ended")
        }
        return try result.get()
    }
}
