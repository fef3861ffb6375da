import TrendyDomain
import TrendySync
import TrendyTestSupport

/// One device of a test: an engine over a store of its own, against a server that several share.
struct Device {
    let network: MockNetworkClient
    let stores: InMemoryDataStoreFactory
    let wallClock: ManualWallClock
    let clock = ManualClock()
    let engine: SyncEngine
    let coffee: EventType
    private let identifiers: UUIDv7Generator

    init(
        _ network: MockNetworkClient = MockNetworkClient(), schema: EntitySchema = .trendy,
        wallClock: ManualWallClock = ManualWallClock(), seed: UInt64 = 1,
        stores: InMemoryDataStoreFactory? = nil, configure: (inout SyncConfiguration) -> Void = { _ in }
    ) {
        var configuration = SyncConfiguration()
        configure(&configuration)
        self.network = network
        self.stores = stores ?? InMemoryDataStoreFactory(schema: schema)
        self.wallClock = wallClock
        coffee = makeEventType(name: "coffee")
        identifiers = .seeded(seed + 1_000, clock: wallClock)
        engine = SyncEngine(
            networkClient: network, dataStoreFactory: self.stores, schema: schema, configuration: configuration,
            wallClock: wallClock, clock: clock, identifiers: UUIDv7Generator.seeded(seed, clock: wallClock),
            random: SeededRandomSource(seed: seed))
    }

    func store() throws -> any DataStoreProtocol { try stores.makeDataStore() }

    func event(_ id: String) throws -> LocalRecord<Event>? { try store().find(Event.self, id: id) }

    /// Logs an event of the type "coffee", making the type where it is not there yet.
    @discardableResult
    func logCoffee(notes: String? = nil) async throws -> Event {
        if try store().findEventType(id: coffee.id) == nil { try await engine.create(coffee) }
        return try await engine.create(makeEvent(id: identifiers.makeId(), eventTypeId: coffee.id, notes: notes))
    }

    func edit(_ id: String, _ change: (inout Event) -> Void) async throws {
        guard var event = try store().findEvent(id: id) else {
            throw SyncEngineError.notFound(entityType: .event, id: id)
        }
        change(&event)
        try await engine.update(event)
    }

    func mutations(_ states: Set<MutationState.Name>? = nil) throws -> [PendingMutation] {
        try store().fetchMutations(MutationQuery(states: states))
    }

    func parkReason(of id: String) throws -> ParkReason? {
        for mutation in try mutations([.parked]) where mutation.entityId == id {
            if case .parked(let reason) = mutation.state { return reason }
        }
        return nil
    }
}

/// Two devices that share a server.
struct TwoDevices {
    let network: MockNetworkClient
    let a: Device
    let b: Device

    init() {
        let clock = ManualWallClock()
        network = MockNetworkClient(clock: clock)
        a = Device(network, wallClock: clock, seed: 1)
        b = Device(network, wallClock: clock, seed: 2)
    }

    /// Both have the same coffee event.
    func shareEvent(notes: String? = "first") async throws -> Event {
        let event = try await a.logCoffee(notes: notes)
        _ = await a.engine.performSync()
        _ = await b.engine.performSync()
        tick()
        return event
    }

    /// Lets time pass, so that servers' stamps differ.
    func tick() { a.wallClock.advance(bySeconds: 120) }

    func syncUntilQuiet() async {
        for _ in 0..<3 {
            _ = await a.engine.performSync()
            tick()
            _ = await b.engine.performSync()
            tick()
        }
    }
}
