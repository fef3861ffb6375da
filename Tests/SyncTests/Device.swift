import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// One device of a test: an engine over a store of its own, against a server that several may share.
struct Device {
    let server: ExchangeServer
    /// The device's way to the server, and a spy on it.
    let network: MockNetworkClient
    let stores: InMemoryDataStoreFactory
    let wallClock: ManualWallClock
    let clock = ManualClock()
    let engine: SyncEngine
    let coffee = makeEventType(name: "coffee")
    private let identifiers: UUIDv7Generator

    init(
        _ server: ExchangeServer? = nil, schema: EntitySchema? = nil, wallClock: ManualWallClock = ManualWallClock(),
        seed: UInt64 = 1, stores: InMemoryDataStoreFactory? = nil, network: MockNetworkClient? = nil,
        owner: LeaseOwner = .process, configure: (inout SyncConfiguration) -> Void = { _ in }
    ) {
        var configuration = SyncConfiguration()
        configure(&configuration)
        self.server = server ?? ExchangeServer(schema: schema ?? .trendy, clock: wallClock)
        let schema = schema ?? self.server.schema
        self.network = network ?? MockNetworkClient(schema: schema, clock: wallClock, exchange: self.server)
        self.stores = stores ?? InMemoryDataStoreFactory(schema: schema)
        self.wallClock = wallClock
        identifiers = .seeded(seed + 1_000, clock: wallClock)
        engine = SyncEngine(
            networkClient: self.network, dataStoreFactory: self.stores, schema: schema, configuration: configuration,
            wallClock: wallClock, clock: clock, identifiers: UUIDv7Generator.seeded(seed, clock: wallClock),
            owner: owner, random: SeededRandomSource(seed: seed))
    }

    /// Another engine on the same store, as after a restart or in another process.
    func restarted(configure: (inout SyncConfiguration) -> Void = { _ in }) -> Device {
        Device(server, schema: stores.schema, wallClock: wallClock, seed: 77, stores: stores, configure: configure)
    }

    // MARK: What its person does

    /// Logs an event of the type "coffee", making the type where it is not there yet.
    @discardableResult
    func logCoffee(notes: String? = nil) async throws -> Event {
        if try find(EventType.self, coffee.id) == nil { try await engine.create(coffee) }
        return try await engine.create(makeEvent(id: identifiers.makeId(), eventTypeId: coffee.id, notes: notes))
    }

    /// Logs an event and syncs.
    func syncedCoffee(notes: String? = nil) async throws -> Event {
        let event = try await logCoffee(notes: notes)
        await sync()
        return event
    }

    func edit(_ id: String, _ change: (inout Event) throws -> Void) async throws {
        try await edit(Event.self, id, change)
    }

    func edit<Entity: SyncEntity>(_ type: Entity.Type, _ id: String, _ change: (inout Entity) throws -> Void)
        async throws
    {
        guard var entity = try find(type, id) else {
            throw SyncEngineError.notFound(entityType: type.entityType, id: id)
        }
        try change(&entity)
        try await engine.update(entity)
    }

    @discardableResult
    func sync() async -> SyncReport { await engine.performSync() }

    // MARK: What it has

    func store() throws -> any DataStoreProtocol { try stores.makeDataStore() }

    func find<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Entity? {
        try store().find(type, id: id)?.entity
    }

    func all<Entity: SyncEntity>(_ type: Entity.Type) throws -> [Entity] {
        try store().fetch(type, where: nil).map(\.entity)
    }

    func event(_ id: String) throws -> Event? { try find(Event.self, id) }

    func status(_ id: String) throws -> SyncStatus? { try store().find(Event.self, id: id)?.syncStatus }

    func mutations(_ states: Set<MutationState.Name>? = nil) throws -> [PendingMutation] {
        try store().fetchMutations(MutationQuery(states: states))
    }

    /// The mutations that are not settled.
    func open() throws -> [PendingMutation] { try mutations([.queued, .sending, .parked]) }

    /// The last mutation of a record, of one operation where that is given.
    func mutation(of id: String, _ operation: MutationOperation? = nil) throws -> PendingMutation? {
        try mutations().last { $0.entityId == id && (operation == nil || $0.operation == operation) }
    }

    func parkReason(of id: String) throws -> ParkReason? {
        for mutation in try mutations([.parked]) where mutation.entityId == id {
            if case .parked(let reason) = mutation.state { return reason }
        }
        return nil
    }

    var conflicts: [SyncConflict] { get throws { try store().fetchDocuments(SyncConflict.self) } }

    /// Changes the store behind the engine's back.
    func tamper(_ body: (any DataStoreProtocol) throws -> Void) throws {
        let store = try store()
        try body(store)
        try store.save()
    }

    // MARK: What happens to its requests

    /// Does something once, while the next request that carries mutations is under way.
    func whileSending(_ action: @escaping @Sendable () async throws -> Void) async {
        let network = network
        await network.beforeEachCall { call in
            guard call.exchange?.mutations.isEmpty == false else { return }
            await network.beforeEachCall(nil)
            try await action()
        }
    }

    /// Loses the next request that carries mutations, or the answer to it.
    func loseNext(_ step: ExchangeServer.Step = .loseAnswer(.connection("reset"))) async {
        let server = server
        await whileSending { server.script([step]) }
    }

    /// Fails requests that carry mutations of these records, or any mutations, until ``heal()``.
    func fail(_ ids: Set<String>? = nil, with error: APIError = refusal(500)) async {
        await network.beforeEachCall { call in
            let sent = call.exchange?.mutations.map(\.entityId) ?? []
            if ids.map({ !$0.isDisjoint(with: sent) }) ?? !sent.isEmpty { throw error }
        }
    }

    func heal() async {
        await network.reset()
        server.endScript()
    }

    /// Answers the next request with changes that the server has not made.
    func deliver(_ changes: [SyncChange], results: [SyncResult] = [], more: Bool = false) async throws {
        let place = try store().exchangePlace()
        let response = SyncResponse(
            epoch: server.epoch, head: changes.map(\.revision).max() ?? place.head, results: results, changes: changes,
            cursor: place.cursor ?? "after:\(server.head)", more: more)
        let answer = try WireCoding.decode(JSONValue.self, from: WireCoding.encode(response))
        await network.enqueue(.respond(answer), for: .exchange)
    }
}

func refusal(_ status: Int, _ detail: String = "no", fields: [FieldError]? = nil) -> APIError {
    .http(status: status, problem: ProblemDetails(status: status, detail: detail, errors: fields))
}

extension ExchangeServer {
    /// All mutations that were sent, in the order in which they came.
    var sent: [SyncMutation] { requests.flatMap(\.mutations) }

    func find<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Entity? {
        try document(type.entityType, id).map { try WireCoding.value(type, from: $0.objectValue ?? [:]) }
    }

    func event(_ id: String) throws -> Event? { try find(Event.self, id) }

    func all<Entity: SyncEntity>(_ type: Entity.Type) throws -> [Entity] {
        try records(of: type.entityType).map { try WireCoding.value(type, from: $0.objectValue ?? [:]) }
    }
}

/// Two devices that share a server.
struct TwoDevices {
    let server: ExchangeServer
    let a: Device
    let b: Device

    init() {
        let clock = ManualWallClock()
        server = ExchangeServer(clock: clock)
        a = Device(server, wallClock: clock, seed: 1)
        b = Device(server, wallClock: clock, seed: 2)
    }

    /// Both have the same coffee event.
    func shareEvent(notes: String? = "first") async throws -> Event {
        let event = try await a.syncedCoffee(notes: notes)
        await b.sync()
        return event
    }

    func syncUntilQuiet() async {
        for _ in 0..<3 {
            await a.sync()
            await b.sync()
        }
    }
}
