/// The numbers that a sync engine works by.
public struct SyncConfiguration: Sendable, Hashable {
    /// The most records that one request creates. The server's own limit may be lower.
    public var batchSize = 50
    /// How many requests that create batches may be under way at once.
    public var concurrentBatches = 3
    /// How many mutations are marked as sending by one save; at least as many as a batch holds.
    public var windowSize = 100
    /// How many changes one request asks for; servers give at most 500.
    public var changesPerPage = 500
    /// After how many pages of the feed a cycle ends, and the next one goes on from there. At least two more than
    /// ``feedOverlap`` count.
    public var feedPagesPerCycle = 600
    /// How many changes can wait aside that cannot be understood. The next one stops the feed, so that none is lost.
    public var quarantineLimit = 10_000
    /// How many bytes the data of those changes can have together.
    public var quarantineByteLimit = 64 << 20
    /// After how many records the listing of one kind counts as one without end.
    public var listingLimit = 1_000_000
    /// How many of the newest changes are read again on the next pull, in case one appears late.
    public var feedOverlap = 500
    /// For how long, in milliseconds, a change counts as young enough to be read again.
    public var feedSettlingTime: Int64 = 60_000
    /// In how many cycles a server may fail on one mutation, while others pass, before it is parked.
    public var blameLimit = 5
    /// After how many failures of the server in a row a cycle gives up; more than one bad record in a batch
    /// causes on the way to being found.
    public var serverErrorLimit = 16
    /// For how long, in milliseconds, a server is trusted to know an idempotency key again: a day, as is common. A create
    /// whose last attempt is older is looked for before it goes again.
    public var keyLifetime: Int64 = 86_400_000
    /// For how long, in milliseconds, a sync holds the store's lease without renewing it.
    public var leaseDuration: Int64 = 120_000
    /// For how long to wait for another process's sync to end.
    public var leasePatience: Duration = .seconds(150)
    /// How often to look whether it has ended.
    public var leasePollInterval: Duration = .milliseconds(100)
    /// For how long, in milliseconds, settled mutations stay in the ledger.
    public var ledgerRetention: Int64 = 7 * 86_400_000
    /// How often to look whether another process has settled a mutation that is waited for.
    public var ledgerPollInterval: Duration = .milliseconds(500)
    /// How many past syncs are remembered.
    public var historyLimit = 100

    /// Makes the default configuration.
    public init() {}
}
