import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("EventStore")
struct EventStoreTests {
    private let network = MockNetworkClient()
    private let store: EventStore

    init() throws {
        store = try DependencyContainer(.testing(network: network)).resolve(EventStore.self)
    }

    @Test("once loaded, it shows each change as soon as it is made")
    func shows() async throws {
        try await store.load()
        #expect(store.events.isEmpty && store.pendingCount == 0 && store.syncState == .idle)
        let type = try await store.create(makeEventType(name: "run"))
        var event = try await store.create(makeEvent(eventTypeId: type.id, notes: "old"))
        #expect(store.eventTypes.map(\.entity) == [type])
        #expect(store.events.map(\.entity) == [event])
        #expect(store.pendingCount == 2)
        event.notes = "new"
        try await store.update(event)
        #expect(store.events.first?.entity.notes == "new")
        try await store.delete(EventType.self, id: type.id)
        #expect(store.events.isEmpty && store.eventTypes.isEmpty)
    }

    @Test("a refused record changes nothing")
    func refused() async throws {
        try await store.load()
        await #expect(throws: ValidationError.self) { try await store.create(makeEventType(name: "")) }
        #expect(store.eventTypes.isEmpty && store.pendingCount == 0)
    }

    @Test("a sync sends what waits and shows what others did")
    func syncs() async throws {
        try await store.load()
        let type = try await store.create(makeEventType(name: "run"))
        let other = makeEvent(eventTypeId: type.id, notes: "from elsewhere")
        _ = await store.syncNow()
        try await network.put(other)
        let report = await store.syncNow()
        #expect(report.failure == nil)
        #expect(store.lastReport == report)
        #expect(store.pendingCount == 0)
        #expect(store.events.map(\.entity) == [other])
        #expect(store.events.allSatisfy { $0.syncStatus == .synced })
        #expect(store.lastSyncTime != nil)
    }

    @Test("a failed sync keeps what waits and says so")
    func failedSync() async throws {
        try await store.load()
        try await store.create(makeEventType(name: "run"))
        await network.always(.fail(APIError.connection("no network")))
        let report = await store.syncNow()
        #expect(report.failure == .unreachable)
        #expect(store.pendingCount == 1)
        #expect(store.syncState.name == "error")
    }
}
