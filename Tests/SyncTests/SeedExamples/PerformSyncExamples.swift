import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

// The examples of the documents that the project was asked for in, as its types have it.

@Suite("performSync, over mocks")
struct PerformSyncExamples {
    let network: MockNetworkClient
    let stores: MockDataStoreFactory
    let engine: SyncEngine
    let coffee = makeEventType(name: "coffee")

    init() {
        (network, stores) = makeTestDependencies()
        engine = SyncEngine(networkClient: network, dataStoreFactory: stores, wallClock: ManualWallClock())
    }

    @Test("pushes local mutations")
    func pushes() async throws {
        let (network, engine) = oneAtATime()
        try await engine.create(coffee)
        let event = try await engine.create(makeEvent(eventTypeId: coffee.id, notes: "double"))
        let report = await engine.performSync()
        #expect(report.pushed == 2 && report.pending == 0 && report.failure == nil)
        #expect(await network.createEventCalled)
        #expect(try await network.lastCreateEventRequest?.entity == event)
        #expect(try await network.events.map(\.entity) == [event])
        #expect(try stores.unrecorded { try $0.find(Event.self, id: event.id) }?.syncStatus == .synced)
    }

    @Test("sends five events with one request to a server that takes them together")
    func batch() async throws {
        let events = try await logFiveCoffees(with: engine)
        _ = await engine.performSync()
        #expect(await network.createEventsBatchCallCount == 1)
        #expect(await network.createEventCallCount == 0)
        let sent = try await network.createBatches(Event.self)
        #expect(sent.map { $0.map(\.entity) } == [events])
    }

    @Test("takes over what the server has")
    func pulls() async throws {
        try await network.put(coffee)
        let report = await engine.performSync()
        #expect(report.bootstrapped && report.failure == nil)
        #expect(await network.getEventTypesCallCount >= 1)
        #expect(try stores.unrecorded { try $0.fetchAllEventTypes() } == [coffee])
    }

    @Test("sends each mutation under the key that it was queued with")
    func keys() async throws {
        let (network, engine) = oneAtATime()
        try await engine.create(coffee)
        let event = try await engine.create(makeEvent(eventTypeId: coffee.id))
        await network.enqueue(.serveThenFail(APIError.timeout), for: .create, .event)
        _ = await engine.performSync()
        #expect(await engine.performSync().pending == 0)
        let queued = stores.insertedIdempotencyKeys
        #expect(Set(queued).count == 2)
        #expect(await network.idempotencyKeys(.create, .eventType) == [queued[0]])
        // It had arrived: a look tells so, and it does not go again.
        #expect(await network.idempotencyKeys(.create, .event) == [queued[1]])
        #expect(await network.lastIdempotencyKey == queued[1])
        #expect(try await network.events.map(\.id) == [event.id])
    }

    @Test("deletes on the server what was deleted here")
    func deletions() async throws {
        let events = try await logFiveCoffees(with: engine)
        _ = await engine.performSync()
        try await engine.delete(Event.self, id: events[2].id)
        _ = await engine.performSync()
        #expect(await network.deletedIds(.event) == [events[2].id])
        #expect(try await network.events.count == 4)
    }

    @Test("sends of a changed event the changed field alone")
    func patches() async throws {
        var event = try await logFiveCoffees(with: engine)[0]
        _ = await engine.performSync()
        event.notes = "decaf"
        try await engine.update(event)
        _ = await engine.performSync()
        #expect(try await network.patches(Event.self).map(\.changes) == [["notes": .string("decaf")]])
        #expect(await network.updateEventCallCount == 1)
    }

    @Test("stops where the server cannot be reached, and sends everything when it can")
    func offline() async throws {
        let events = try await logFiveCoffees(with: engine)
        await network.always(.fail(APIError.connection("no route")))
        let report = await engine.performSync()
        #expect(report.failure == .unreachable && report.pending == 6)
        #expect(try await network.events.isEmpty)
        await network.always(nil)
        #expect(await engine.performSync().pushed == 6)
        #expect(Set(try await network.events.map(\.id)) == Set(events.map(\.id)))
    }

    @Test("ends as rate limited where the server asks for a pause, and sends nothing before it has passed")
    func rateLimit() async throws {
        try await engine.create(coffee)
        await network.always(.fail(APIError.rateLimited(retryAfter: 90)), for: .create)
        for _ in 0..<3 { _ = await engine.performSync() }
        let sent = await network.calls.count
        let report = await engine.performSync()
        #expect(report.failure == .rateLimited && report.pending == 1)
        #expect(await network.calls.count == sent)
    }

    /// A server that has no route for several events at once, and an engine that knows.
    private func oneAtATime() -> (MockNetworkClient, SyncEngine) {
        let network = MockNetworkClient(capabilities: [.event: RouteCapabilities(listing: .paged(limit: 100))])
        return (network, SyncEngine(networkClient: network, dataStoreFactory: stores, wallClock: ManualWallClock()))
    }

    private func logFiveCoffees(with engine: SyncEngine) async throws -> [Event] {
        try await engine.create(coffee)
        let events = (0..<5).map { _ in makeEvent(eventTypeId: coffee.id) }
        try await engine.create(contentsOf: events)
        return events
    }
}
