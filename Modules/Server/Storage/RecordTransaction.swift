public import Foundation
public import TrendyDomain

/// One transaction on the records of one user, by sets: a thousand names are one question.
///
/// Within one that writes, nobody else changes the user's records. It is not to be used after its end.
public protocol RecordTransaction {
    /// Where the user's history stands; nil where nothing has happened in it.
    func history() throws -> AccountHistory?
    /// Puts a history in the place of the one before. It comes before the first record.
    func save(_ history: AccountHistory) throws

    /// What tells one start of the database from another; empty where nothing does.
    ///
    /// It is another one, too, where the database or its tables were made anew or emptied, as programs do that restore
    /// a backup into a database that is in use.
    var databaseStart: String { get }
    /// The last revision in the account's history that a run has made, where others have written since; nil where none is
    /// known.
    func lastRevision(of run: String) throws -> Int64?
    /// Keeps that a run has ended there for now; it may write again, and end later.
    func save(_ run: EndedRun) throws
    /// Forgets all runs of the account: its devices must take everything anew.
    func deleteRuns() throws

    /// Whether the user has an account. If so, it is not deleted before the end of this transaction, which writes.
    func hasAccount() throws -> Bool

    /// What stands under those names; names that nobody has used are left out.
    func records(_ keys: Set<RecordKey>) throws -> [RecordKey: Standing]
    /// The ids of the user's records that have these keys, the oldest first; keys that none has are left out.
    func holders(of keys: Set<UniqueKey>) throws -> [UniqueKey: [String]]
    /// The user's records that refer to each of those.
    func children(of parents: Set<RecordKey>) throws -> [RecordKey: [ChildRecord]]
    /// Some of the user's records of a kind that refer to a parent by that field, and the same ones until they change.
    ///
    /// - Parameter byteLimit: How many bytes of documents are enough. At most one record is read after that many.
    func children(
        _ entityType: EntityType, of reference: RecordIndex.Reference, limit: Int, byteLimit: Int
    ) throws -> [StoredRecord]
    /// Whether one of the user's records of a kind that refer to a parent by that field has a greater revision.
    func hasChild(_ entityType: EntityType, of reference: RecordIndex.Reference, after revision: Int64) throws -> Bool
    /// Keeps records and tombstones, each in the place of what stood under its name.
    func save(_ writes: [RecordWrite]) throws

    /// What became of the user's requests and mutations with those keys; unknown keys are left out.
    func outcomes(_ keys: Set<String>) throws -> [String: KeptOutcome]
    /// Keeps what became of some, each in the place of an older one with its key.
    func save(_ outcomes: [KeptOutcome]) throws
    /// Forgets the outcomes that were kept before that moment.
    func deleteOutcomes(before moment: Timestamp) throws
    /// Forgets some of them, and answers how many.
    func deleteOutcomes(before moment: Timestamp, limit: Int) throws -> Int

    /// The records and tombstones whose revisions are greater than the first and at most the second, in their order.
    ///
    /// - Parameter byteLimit: How many bytes of documents are enough. At most one entry is read after that many.
    func changes(after revision: Int64, upTo last: Int64, limit: Int, byteLimit: Int) throws -> [StoredRecord]
    /// The records that the query asks for, by order and then by id, within the same limit of bytes.
    func page(
        of entityType: EntityType, _ query: RecordQuery, byteLimit: Int
    ) throws -> [(record: StoredRecord, order: Int64)]
    /// Tombstones of before that moment whose revisions are greater than that one, in the order of revisions.
    func tombstones(before moment: Timestamp, after revision: Int64, limit: Int) throws -> [StoredRecord]
    /// Removes records and tombstones without leaving anything, where they are still as they were read.
    ///
    /// - Parameter records: What was read, children before their parents, with the references that it has as former ones.
    /// - Returns: How many were removed.
    func erase(_ records: [RecordWrite]) throws -> Int
    /// Removes the history and what was counted. No records and outcomes are left when it is called.
    func eraseHistory() throws
    /// What the user's records of each kind take, as ``add(_:)`` was told; kinds without any are left out.
    ///
    /// It takes the same time for any number of records.
    func usage() throws -> [EntityType: RecordUsage]
    /// Adds by how much the records that were saved, of each kind, are more and larger than those in whose place they are.
    func add(_ growth: [EntityType: RecordUsage]) throws
}

/// Where the history of an account stands.
public struct AccountHistory: Sendable, Hashable {
    /// The name of the history. Revisions of another one mean nothing in it.
    public var epoch: String
    /// The revision of the latest change.
    public var head: Int64
    /// The highest revision of a tombstone that is not kept any more: who has read less may have missed a deletion.
    public var horizon: Int64
    /// The run of a server that has made the head; empty in a history that is older than runs.
    public var run: String

    /// Makes a history of its parts; without anything else it is at its beginning.
    public init(epoch: String, head: Int64 = 0, horizon: Int64 = 0, run: String = "") {
        self.epoch = epoch
        self.head = head
        self.horizon = horizon
        self.run = run
    }
}

/// How far a run of a server has written an account's history, before another went on with it.
///
/// A run is one start of a server on one start of its database. It does not outlive the state of the data that it works
/// on: a server that finds its data put back begins another one. So what a run made up to its end, it made in this
/// history.
public struct EndedRun: Sendable, Hashable {
    /// The run's name.
    public var name: String
    /// The last revision that it has made.
    public var last: Int64

    /// Makes it of its parts.
    public init(name: String, last: Int64) {
        self.name = name
        self.last = last
    }
}

extension ServerHead {
    /// What devices are told of a history.
    init(_ history: AccountHistory) {
        self.init(epoch: history.epoch, head: history.head)
    }
}

/// What is kept of a write that was carried out, so that it takes effect once.
public struct KeptOutcome: Sendable, Hashable {
    /// Its idempotency key: that of a mutation, or route and key of a request to the older routes.
    public var key: String
    /// What tells it from other writes. A key is used for one of them.
    public var digest: Int64
    /// What a request to the older routes did; nil for a mutation.
    public var outcome: WriteReply.Outcome?
    /// The revision that it has made.
    public var revision: Int64
    /// When it was carried out.
    public var at: Timestamp
    /// The JSON of what failed of a batch.
    public var errors: Data?

    /// Makes an outcome of its parts.
    public init(
        key: String, digest: Int64, outcome: WriteReply.Outcome? = nil, revision: Int64, at: Timestamp,
        errors: Data? = nil
    ) {
        self.key = key
        self.digest = digest
        self.outcome = outcome
        self.revision = revision
        self.at = at
        self.errors = errors
    }
}
