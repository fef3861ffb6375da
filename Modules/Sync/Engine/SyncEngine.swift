public import TrendyDomain

/// Keeps a device's store and a server alike: takes local writes at any time, and syncs when asked.
///
/// Local writes put the record and its mutation into one durable save and need no network. ``performSync()`` sends
/// what waits and receives what others have done. At most one sync runs on a store, across tasks and processes; a
/// caller who comes meanwhile shares its result.
///
/// ```swift
/// let engine = SyncEngine(networkClient: client, dataStoreFactory: stores)
/// try await engine.create(Event(id: ids.makeId(), eventTypeId: coffee.id, timestamp: clock.now()))
/// let report = await engine.performSync()
/// ```
///
/// Everything it depends on comes through the initializer; it reads no clock and draws no random number that
/// was not given to it.
public actor SyncEngine {
    let networkClient: any NetworkClientProtocol
    let stores: any DataStoreFactory
    let schema: EntitySchema
    let configuration: SyncConfiguration
    let wallClock: any WallClock
    let clock: any Clock<Duration>
    let identifiers: any IdentifierGenerator
    let owner: LeaseOwner
    let random: any RandomSource
    let syncHistoryStore: (any SyncHistoryStore)?
    nonisolated let broadcaster = StateBroadcaster()
    nonisolated let bell = LedgerBell()

    var isSyncing = false
    /// Whether a sync here waits for a sync of another process to end.
    public internal(set) var isWaitingForLease = false
    nonisolated let callers = WaitingCallers()
    /// The number of the last caller who had come when the latest cycle began. The cycle has seen what that caller
    /// had written.
    var lastCallerServed = 0
    /// How many changes wait to be sent, as the engine last read it.
    private(set) public var pendingCount = 0
    /// When the last sync that went well ended; none before the first.
    private(set) public var lastSyncTime: Timestamp?

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - networkClient: The server.
    ///   - dataStoreFactory: The device's store.
    ///   - schema: The kinds of record to sync.
    ///   - configuration: The numbers to work by.
    ///   - wallClock: Stamps mutations and judges pauses and leases.
    ///   - clock: Waits, where another process holds the lease or settles a mutation.
    ///   - identifiers: Makes idempotency keys.
    ///   - owner: Who holds the lease on the store.
    ///   - random: Spreads the moments at which devices that lost one server try again.
    ///   - syncHistoryStore: Is told of each sync as it ends.
    public init(
        networkClient: any NetworkClientProtocol,
        dataStoreFactory: any DataStoreFactory,
        schema: EntitySchema = .trendy,
        configuration: SyncConfiguration = SyncConfiguration(),
        wallClock: any WallClock = SystemWallClock(),
        clock: any Clock<Duration> = ContinuousClock(),
        identifiers: any IdentifierGenerator = UUIDv7Generator(),
        owner: LeaseOwner = .process,
        random: any RandomSource = SystemRandomSource(),
        syncHistoryStore: (any SyncHistoryStore)? = nil
    ) {
        self.networkClient = networkClient
        self.stores = dataStoreFactory
        self.schema = schema
        self.configuration = configuration
        self.wallClock = wallClock
        self.clock = clock
        self.identifiers = identifiers
        self.owner = owner
        self.random = random
        self.syncHistoryStore = syncHistoryStore
    }

    /// What the engine is doing.
    public nonisolated var state: SyncState { broadcaster.latest }

    /// How many records and deletions have come from the server since the engine last began to receive: the progress
    /// of ``SyncState/pulling``. Nobody knows beforehand how many there will be.
    public nonisolated var receivedCount: Int { broadcaster.received }

    /// How many requests the syncs of this engine have begun. Each begins once the one before it has ended, so a number
    /// that stays shows a server that does not answer.
    public nonisolated var requestCount: Int { broadcaster.requests }

    /// Whether the server is heard right now on a live line of ``follow(every:look:doubting:syncing:)``: from the first
    /// head that the line tells until it ends or a heartbeat is late. Where it is not, only a sync finds out that the
    /// server has changes, or is gone.
    public nonisolated var isHearingServer: Bool { broadcaster.isHearing }

    /// Every change of ``state`` from now on, beginning with the present one.
    public nonisolated var stateChanges: AsyncStream<SyncState> { broadcaster.stream() }

    /// Reads from the store what ``pendingCount``, ``lastSyncTime`` and ``state`` start from.
    ///
    /// - Throws: ``StoreError``.
    public func loadInitialState() throws {
        let store = try stores.makeDataStore()
        pendingCount = try store.countMutations(.unsent)
        lastSyncTime = try store.value(Timestamp.self, for: MetadataKey.lastSync)
        let breaker = try store.breaker(for: networkClient.serverName)
        if let pause = breaker.remaining(at: wallClock.now()) {
            broadcaster.send(.rateLimited(retryAfter: pause, pending: pendingCount))
        }
    }

    /// How many mutations wait to be accepted.
    ///
    /// - Throws: ``StoreError``.
    public func getPendingCount() throws -> Int {
        let count = try stores.makeDataStore().countMutations(.unsent)
        pendingCount = count
        return count
    }

    /// How many callers wait to share the result of the sync that is running.
    public var waitingCallers: Int { callers.count }

    func noteFinished(pending: Int, lastSync: Timestamp?) {
        pendingCount = pending
        if let lastSync { lastSyncTime = lastSync }
    }

    func noteWritten(_ pending: Int) {
        pendingCount = pending
    }
}
