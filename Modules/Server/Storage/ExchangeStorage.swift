public import Foundation
public import TrendyDomain

/// Where the history of an account stands.
public struct AccountHistory: Sendable, Hashable {
    /// The name of the history. Revisions of another one mean nothing in it.
    public var epoch: String
    /// The revision of the latest change.
    public var head: Int64
    /// The highest revision of a tombstone that is not kept any more: who has read less may have missed a deletion.
    public var horizon: Int64

    /// Makes a history of its parts; without anything else it is at its beginning.
    public init(epoch: String, head: Int64 = 0, horizon: Int64 = 0) {
        self.epoch = epoch
        self.head = head
        self.horizon = horizon
    }
}

/// What is left of a record that was deleted.
public struct Tombstone: Sendable, Hashable {
    /// The record that was deleted.
    public var key: RecordKey
    /// The revision of its deletion.
    public var revision: Int64
    /// When it was deleted.
    public var at: Timestamp

    /// Makes a tombstone of its parts.
    public init(key: RecordKey, revision: Int64, at: Timestamp) {
        self.key = key
        self.revision = revision
        self.at = at
    }
}

/// What is kept of a mutation that was accepted, so that it takes effect once.
public struct KeptOutcome: Sendable, Hashable {
    /// The mutation's idempotency key.
    public var mutationKey: String
    /// The record that it was about.
    public var record: RecordKey
    /// The revision that it has made.
    public var revision: Int64
    /// When it was accepted.
    public var at: Timestamp

    /// Makes an outcome of its parts.
    public init(mutationKey: String, record: RecordKey, revision: Int64, at: Timestamp) {
        self.mutationKey = mutationKey
        self.record = record
        self.revision = revision
        self.at = at
    }
}

/// The histories of accounts: revisions, tombstones and the keys of mutations.
///
/// Within one transaction that has written, an account's history is changed by nobody else.
public protocol ExchangeStorage {
    /// The history of a user's account; nil where nothing has happened in it.
    func history(userId: String) throws -> AccountHistory?

    /// Puts a history in the place of the one before.
    func save(_ history: AccountHistory, userId: String) throws

    /// The revisions of the user's tombstones of those names; names without one are left out.
    func tombstones(_ keys: Set<RecordKey>, userId: String) throws -> [RecordKey: Int64]

    /// Keeps tombstones, in place of older ones of the same names.
    func save(_ tombstones: [Tombstone], userId: String) throws

    /// Takes tombstones out, because records of those names are there again.
    func deleteTombstones(_ keys: Set<RecordKey>, userId: String) throws

    /// What became of the user's mutations with those keys; unknown keys are left out.
    func outcomes(_ mutationKeys: Set<String>, userId: String) throws -> [String: KeptOutcome]

    /// Keeps what became of mutations.
    func save(_ outcomes: [KeptOutcome], userId: String) throws

    /// Forgets the outcomes that were kept before that moment.
    func deleteOutcomes(before moment: Timestamp) throws

    /// The user's records and tombstones with a greater revision than that, in the order of revisions.
    ///
    /// - Parameter byteLimit: How many bytes of documents are enough. At most one entry is read after that many.
    func changes(userId: String, after revision: Int64, limit: Int, byteLimit: Int) throws -> [RevisedRecord]

    /// The user's records of a kind whose ids come after that one, in the order of their ids.
    ///
    /// - Parameter byteLimit: How many bytes of documents are enough. At most one entry is read after that many.
    func snapshot(
        of entityType: EntityType, userId: String, after id: String?, limit: Int, byteLimit: Int
    ) throws -> [RevisedRecord]
}

/// A record, or its tombstone, with its revision.
public struct RevisedRecord: Sendable, Hashable {
    /// The record's name.
    public var key: RecordKey
    /// The revision of its latest change.
    public var revision: Int64
    /// The revision with which it was made; that of its deletion for a tombstone.
    public var createdRevision: Int64
    /// The whole record as JSON; nil for a tombstone.
    public var document: Data?

    /// Makes it of its parts.
    public init(key: RecordKey, revision: Int64, createdRevision: Int64, document: Data?) {
        self.key = key
        self.revision = revision
        self.createdRevision = createdRevision
        self.document = document
    }
}
