public import Foundation
public import TrendyDomain

/// Everything that can be done with records, for many users kept apart; no HTTP inside.
///
/// Bodies and answers are wire JSON. Each write is one transaction that holds the records and what is kept of its key:
/// after a crash either all of it is there, or nothing. The calls block; refusals are thrown as ``ServerProblem``. A
/// record of another user is never told apart from none.
public struct RecordService: Sendable {
    /// The largest number of records in a batch.
    public static let batchLimit = 500
    /// How long a request to the older routes is known by its key at least, in seconds: 30 days, by the contract.
    public static let replyLifetime = 30.0 * 86_400
    /// How long the keys of mutations are kept at least, in seconds: 90 days, by the contract.
    static let keyLifetime = 90.0 * 86_400

    let store: any ServerStore
    let catalog: RecordCatalog
    let clock: any WallClock
    let random: any RandomSource
    let run: ServerRun
    let replyLifetime: Double
    let settledClock: SettledClock
    let pruning = PruningSchedule()
    let live: LiveHub
    let quota: QuotaSetting
    let demandsAccounts: Bool

    /// Makes the service over a store.
    ///
    /// - Parameters:
    ///   - random: What the names of histories and runs are made of.
    ///   - uptime: A clock that does not jump, by which keys are forgotten.
    ///   - replyLifetime: How long a request to the older routes is known by its key at least, in seconds.
    ///   - quota: How much each account may keep.
    ///   - demandsAccounts: Whether only those write who have an account in the store: a request may outlive its account.
    ///   - live: Told of each commit.
    public init(
        store: any ServerStore, catalog: RecordCatalog = .trendy, clock: any WallClock = SystemWallClock(),
        uptime: any Clock<Duration> = ContinuousClock(), random: any RandomSource = SystemRandomSource(),
        replyLifetime: Double = RecordService.replyLifetime, quota: AccountQuota = AccountQuota(),
        demandsAccounts: Bool = false, live: LiveHub? = nil
    ) {
        self.demandsAccounts = demandsAccounts
        self.live = live ?? LiveHub()
        self.quota = QuotaSetting(quota)
        self.store = store
        self.random = random
        run = ServerRun(random)
        self.catalog = catalog
        self.clock = clock
        settledClock = SettledClock(clock, uptime: uptime)
        self.replyLifetime = replyLifetime
    }

    /// From the next write on, an account may keep so much.
    public func setQuota(_ quota: AccountQuota) { self.quota.quota = quota }

    /// Makes the record in the body, or replaces the one that has its id: created or replaced.
    public func create(
        _ entityType: EntityType, _ body: Data, beneath scope: ParentScope? = nil, _ context: WriteContext
    ) throws -> WriteReply {
        try prepareCreate(entityType, body, beneath: scope, context).commit()
    }

    /// Makes many records in one transaction. Those that cannot be made do not hold back the others: the
    /// answer lists both.
    ///
    /// - Parameter member: The member of the body that holds the records: "events".
    public func createBatch(
        _ entityType: EntityType, _ body: Data, member: String, _ context: WriteContext
    ) throws -> WriteReply {
        try prepareBatch(entityType, body, member: member, context).commit()
    }

    /// Changes the fields that the body names.
    public func update(
        _ entityType: EntityType, id: String, _ body: Data, _ context: WriteContext
    ) throws -> WriteReply {
        try prepareUpdate(entityType, id: id, body, context).commit()
    }

    /// Deletes a record and all that cannot be without it.
    public func delete(_ entityType: EntityType, id: String, _ context: WriteContext) throws -> WriteReply {
        try prepareDelete(entityType, id: id, context).commit()
    }

    /// The name of a record that a path gives.
    static func key(_ entityType: EntityType, _ id: String) throws -> RecordKey {
        guard let uuid = UUIDv7(id) else {
            throw ServerProblem.field("id", "must be a UUID of version 7", code: "invalid_uuid", kind: .invalidUUID)
        }
        return RecordKey(entityType, uuid.description)
    }
}
