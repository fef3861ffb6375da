import Synchronization
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// A device with a store of its own that exchanges with a server in memory.
final class ExchangingDevice {
    let stores: InMemoryDataStoreFactory
    let server: ExchangeServer
    let clock: ManualWallClock
    /// Measures how long requests take.
    let requestClock = ManualClock()
    let identifiers: SequentialIdentifiers
    var configuration = SyncConfiguration()
    /// What the last sync failed with; nil where it did not.
    private(set) var stop: CycleStop?

    /// The way to another server; nil for the one in memory.
    var gateway: (any SyncGateway)?

    init(_ server: ExchangeServer, named number: Int = 1, clock: ManualWallClock = ManualWallClock()) {
        self.clock = clock
        self.server = server
        stores = InMemoryDataStoreFactory(schema: server.schema)
        identifiers = SequentialIdentifiers(startingAt: UInt64(number) << 32)
    }

    func replica(_ store: any DataStoreProtocol) -> Replica {
        Replica(store: store, schema: server.schema, wallClock: clock, identifiers: identifiers)
    }

    /// Writes as a person does, in one save.
    @discardableResult
    func write<Result>(_ body: (RecordWriter) throws -> Result) throws -> Result {
        let store = try stores.makeDataStore()
        let result = try body(RecordWriter(replica: replica(store)))
        try store.save()
        return result
    }

    /// Syncs once. Answers the cycle's counts.
    ///
    /// - Parameter spied: The store beneath a spy; nil for the store itself.
    @discardableResult
    func sync(over spied: (any DataStoreFactory)? = nil) async throws -> SyncCycle {
        let lease = SyncLease(
            owner: .process, token: identifiers.makeId(), duration: configuration.leaseDuration, wallClock: clock)
        let store = try stores.makeDataStore()
        _ = try lease.acquire(in: store)
        try store.save()
        let cycle = SyncCycle(
            networkClient: MockNetworkClient(), stores: spied ?? stores, schema: server.schema,
            configuration: configuration,
            wallClock: clock, clock: requestClock, identifiers: identifiers, random: SeededRandomSource(seed: 1),
            lease: lease,
            breaker: CircuitBreaker(), progress: StateBroadcaster())
        stop = nil
        do { try await ExchangeCycle(cycle, gateway ?? ServerGateway(server: server)).run() } catch let stop
            as CycleStop
        {
            self.stop = stop
        }
        let after = try stores.makeDataStore()
        try lease.release(in: after)
        try after.save()
        return cycle
    }

    func all<Entity: SyncEntity>(_ type: Entity.Type) throws -> [Entity] {
        try stores.makeDataStore().fetch(type, where: nil).map(\.entity)
    }

    func find<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Entity? {
        try stores.makeDataStore().find(type, id: id)?.entity
    }

    var conflicts: [SyncConflict] {
        get throws { try stores.makeDataStore().fetchDocuments(SyncConflict.self) }
    }

    func mutations(_ states: Set<MutationState.Name>) throws -> [PendingMutation] {
        try stores.makeDataStore().fetchMutations(MutationQuery(states: states))
    }

    /// Forgets the place, as a person who asks for a full resync does.
    func askForResync() throws {
        let store = try stores.makeDataStore()
        var place = try store.exchangePlace()
        place.restart(.asked)
        try store.setExchangePlace(place)
        try store.save()
    }
}

/// The way to a server in memory.
struct ServerGateway: SyncGateway {
    let server: ExchangeServer

    func readsDevice(for cursor: String?) -> Bool { false }
    func countsOn(from former: String, in epoch: String) -> Bool { true }

    func exchange(
        _ request: SyncRequest, unanswered: [SyncMutation], after former: String?
    ) async throws -> GatewayAnswer {
        GatewayAnswer(response: try server.exchange(request))
    }
}
