/// The numbers that a sync engine works by.
public struct SyncConfiguration: Sendable, Hashable {
    /// How many changes one request asks for at most; 2,000 by the protocol. It asks for fewer before it is known how
    /// many come in time, and a server may give fewer.
    public var changesPerPage = 2_000
    /// How many mutations one request carries at most; 2,000 by the protocol.
    public var mutationsPerRequest = 2_000
    /// After how many requests a cycle ends, and the next one goes on from there.
    public var requestsPerCycle = 600
    /// How many changes the quarantine holds. The next one ends the cycle, so that none is lost.
    public var quarantineLimit = 10_000
    /// How many bytes the records of those changes can have together.
    public var quarantineByteLimit = 64 << 20
    /// In how many cycles a server may fail on one mutation, while others pass, before it is parked.
    public var blameLimit = 5
    /// For how long, in milliseconds, a sync holds the store's lease without renewing it. Each request begins with five
    /// sixths of it left, so no request may take longer than that, the renewal of a token included.
    public var leaseDuration: Int64 = 120_000
    /// For how long to wait for another process's sync to end.
    public var leasePatience: Duration = .seconds(150)
    /// How often to check whether it has ended.
    public var leasePollInterval: Duration = .milliseconds(100)
    /// For how long, in milliseconds, settled mutations stay in the ledger.
    public var ledgerRetention: Int64 = 7 * 86_400_000
    /// How often to check whether another process has settled a mutation that a caller waits for.
    public var ledgerPollInterval: Duration = .milliseconds(500)
    /// How often a device that follows looks whether another process has queued something.
    public var followPollInterval: Duration = .milliseconds(250)
    /// How many past syncs are remembered.
    public var historyLimit = 100

    /// Makes the default configuration.
    public init() {}
}
