import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// What a server deletes without telling, as by a crash between the deletion and its entry in the feed.
@Suite("A deletion that has no entry in the feed")
struct RESTDeletionTests {
    private let peer = RESTPeer(
        MockNetworkClient(capabilities: [.event: RouteCapabilities(listing: .paged(limit: 10), batchLimit: 500)]))
    private var network: MockNetworkClient { peer.network }

    /// What a day's check tells.
    private func told(exchanges: Int = 12) async throws -> [SyncChange] {
        peer.tick(seconds: 86_400)
        var changes: [SyncChange] = []
        for _ in 0..<exchanges { changes += try await peer.exchange().changes }
        return changes
    }

    @Test("is found by the daily comparison of the listings, also in another process, and told once")
    func daily() async throws {
        let events = try await network.seed(events: 70)
        try await peer.catchUp()
        try await network.deleteSilently(Event.self, [events[3].id, events[69].id])
        peer.tick(seconds: 86_400)
        try await peer.exchange()
        peer.restart()
        var changes: [SyncChange] = []
        for _ in 0..<6 { changes += try await peer.exchange().changes }
        #expect(Set(changes.map(\.entityId)) == [events[3].id, events[69].id] && changes.allSatisfy(\.deleted))
        #expect(peer.ids(.event).count == 68)
        let count = await network.callCount(.get)
        #expect(try await told().isEmpty)
        #expect(await network.callCount(.get) == count)
    }

    @Test("is found for every kind, with what belongs to a type")
    func kinds() async throws {
        let events = try await network.seed(events: 3)
        let (place, property) = (makeGeofence(), makePropertyDefinition(eventTypeId: testId(1)))
        try await network.put(place)
        try await network.put(property)
        try await peer.catchUp()
        try await network.deleteSilently(Geofence.self, [place.id])
        try await network.deleteSilently(EventType.self, [testId(1)])
        _ = try await told()
        #expect(peer.ids(.eventType).isEmpty && peer.ids(.geofence).isEmpty && peer.ids(.propertyDefinition).isEmpty)
        #expect(peer.ids(.event).isDisjoint(with: events.map(\.id)))
    }

    @Test("is not believed of a listing that leaves records out, and costs no more than twenty questions")
    func incomplete() async throws {
        let events = try await network.seed(events: 60)
        try await peer.catchUp()
        await network.always(.respond([]), for: .list, .event)
        let before = await network.callCount(.get)
        #expect(try await told().isEmpty)
        #expect(await network.callCount(.get) - before == 20)
        #expect(peer.ids(.event).count == events.count)
    }

    @Test("is not believed while the server fails on everything and says not found of every record")
    func outage() async throws {
        let events = try await network.seed(events: 5)
        try await peer.catchUp()
        await network.always(.respond([]), for: .list, .event)
        await network.always(.respond(.null), for: .get)
        await network.always(.fail(RESTPeer.refusal(500)), for: .getLatestCursor)
        #expect(try await told().isEmpty)
        #expect(peer.ids(.event).count == events.count)
    }

    @Test("is not looked for among what a shortened check has not read")
    func deepListing() async throws {
        var check = ListingCheck()
        check.insert(["a", "b"])
        #expect(check.numbers == [shortHash("a"), shortHash("b")])
        let stored = try WireCoding.decode(ListingCheck.self, from: WireCoding.encode(check))
        #expect(stored == check)
    }
}

extension MockNetworkClient {
    /// Deletes records as a server does that crashes before it has told the feed.
    fileprivate func deleteSilently<Entity: SyncEntity>(_ type: Entity.Type, _ ids: [String]) throws {
        let before = Set(changes.map(\.id))
        for id in ids { try remove(type, id: id) }
        for entry in changes where !before.contains(entry.id) { forgetChange(entry.id) }
    }
}

@Suite("A comparison with a deployed server")
struct RESTAuditTests {
    private let clock = ManualWallClock()
    private let server: DeployedServer
    private let stores = InMemoryDataStoreFactory()
    private let engine: SyncEngine

    init() {
        server = DeployedServer(clock: clock)
        engine = SyncEngine(
            networkClient: server, dataStoreFactory: stores, wallClock: clock, clock: ManualClock(),
            identifiers: UUIDv7Generator.seeded(1, clock: clock), random: SeededRandomSource(seed: 1))
    }

    /// A device that has a type and its events, of which the server has deleted some without an entry.
    private func start(deleting count: Int) async throws -> [Event] {
        let events = try await server.mock.seed(events: 8)
        for _ in 0..<3 { _ = await engine.performSync() }
        clock.advance(bySeconds: 100)
        try await server.mock.deleteSilently(Event.self, events.prefix(count).map(\.id))
        return events
    }

    private func parked() throws -> [PendingMutation] {
        try stores.makeDataStore().fetchMutations(MutationQuery(states: [.parked]))
    }

    @Test("parks what was deleted there, and never makes it again by itself")
    func repair() async throws {
        let events = try await start(deleting: 2)
        let report = await engine.audit(repairing: true)
        #expect(report.differences.map(\.outcome) == [.parked, .parked])
        #expect(try parked().allSatisfy { $0.operation == .create } && parked().count == 2)
        for mutation in try parked() {
            guard case .parked(let reason) = mutation.state else { continue }
            #expect(reason.code == .deletedElsewhere)
        }
        for _ in 0..<3 { _ = await engine.performSync() }
        #expect(try await server.mock.events.count == 6)
        #expect(await engine.audit(repairing: true).differences.isEmpty)
        let (kept, dropped) = (try #require(try parked().first), try #require(try parked().last))
        try await engine.retryMutation(id: kept.id)
        try await engine.dropMutation(id: dropped.id)
        _ = await engine.performSync()
        #expect(try await server.mock.record(Event.self, id: kept.entityId) != nil)
        #expect(try stores.makeDataStore().find(Event.self, id: dropped.entityId) == nil)
        #expect(Set([kept.entityId, dropped.entityId]) == Set(events.prefix(2).map(\.id)))
    }

    @Test("leaves to a full sync what it means too: the record goes here, and is not made again")
    func fullSync() async throws {
        let events = try await start(deleting: 2)
        _ = await engine.forceFullResync()
        _ = await engine.performSync()
        #expect(try await server.mock.events.count == 6)
        for event in events.prefix(2) { #expect(try stores.makeDataStore().find(Event.self, id: event.id) == nil) }
    }

    @Test("asks for what a listing has not shown, and takes what is there for no difference")
    func incomplete() async throws {
        _ = try await start(deleting: 0)
        await server.mock.always(.respond([]), for: .list, .event)
        let report = await engine.audit(repairing: true)
        #expect(report.sync.failure == nil && report.differences.isEmpty)
        #expect(try parked().isEmpty)
    }

    @Test("decides about a hundred such records at once, and about the rest in the next run")
    func many() async throws {
        let events = try await server.mock.seed(events: 130)
        for _ in 0..<3 { _ = await engine.performSync() }
        clock.advance(bySeconds: 100)
        try await server.mock.deleteSilently(Event.self, events.map(\.id))
        let first = await engine.audit(repairing: true)
        #expect(first.differences.count { $0.outcome == .parked } == 100 && first.remaining.count == 30)
        #expect(await engine.audit(repairing: true).isClean)
        #expect(try parked().count == 130)
    }

    @Test("queues what the server never had, as another program has written it")
    func neverAccepted() async throws {
        _ = try await start(deleting: 0)
        let foreign = makeEvent(timestamp: Timestamp(milliseconds: 1_000), notes: "foreign")
        let store = try stores.makeDataStore()
        try store.upsert(LocalRecord(foreign, syncStatus: .synced))
        try store.save()
        #expect(await engine.audit(repairing: true).differences.map(\.outcome) == [.queued])
        _ = await engine.performSync()
        #expect(try await server.mock.record(Event.self, id: foreign.id) != nil)
    }
}
