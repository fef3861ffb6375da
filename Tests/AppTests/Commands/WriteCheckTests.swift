import Testing
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("What changes between a look and a write")
struct WriteCheckTests {
    private let home: TestHome
    private let store: EventStore

    init() throws {
        home = try TestHome()
        let stores = LocalStoreFactory(path: home.path + "/trendy.sqlite")
        let engine = SyncEngine(networkClient: MockNetworkClient(), dataStoreFactory: stores)
        store = EventStore(engine: engine, repository: stores.makeRepository(), stores: stores)
    }

    @Test("a type that is gone by then stops the write")
    func gone() async throws {
        let type = try await store.create(makeEventType(name: "run"))
        try await store.perform { try $0.require(EventType.self, id: type.id, named: "run") }
        try await store.delete(EventType.self, id: type.id)
        await #expect(throws: CommandFailure.self) {
            try await store.perform { writes in
                try writes.create(makeEventType(name: "other"))
                try writes.require(EventType.self, id: type.id, named: "run")
            }
        }
        try await store.load()
        #expect(store.eventTypes.isEmpty)
    }

    @Test("a name is taken by what was stored a moment ago, whatever its case")
    func taken() async throws {
        try await store.create(makeEventType(name: "Run"))
        await #expect(throws: InputError.self) {
            try await store.perform { try $0.requireFree("rUN", by: \EventType.name) }
        }
    }

    @Test("fields that another process changed in between stay as it left them")
    func change() async throws {
        let before = try await store.create(makeEventType(name: "run"))
        var other = before
        other.icon = "star"
        try await store.update(other)
        var mine = before
        mine.color = "#000000"
        let after = mine
        try await store.perform { try $0.change(before, to: after, named: "run") }
        try await store.load()
        #expect(store.eventTypes.map(\.entity.icon) == ["star"])
        #expect(store.eventTypes.map(\.entity.color) == ["#000000"])
    }

    @Test("events are the same record each time, differ by account, and are never from the future")
    func importIds() throws {
        let ids = ImportIds(salt: "a", now: TestShell.noon)
        let moment = TestShell.noon.advanced(bySeconds: -60)
        let id = ids.id("csv:1", at: moment)
        #expect(id == ImportIds(salt: "a", now: TestShell.noon.advanced(bySeconds: 5)).id("csv:1", at: moment))
        #expect(UUIDv7(id)?.timestamp == moment)
        #expect(id != ids.id("csv:2", at: moment))
        #expect(id != ImportIds(salt: "b", now: TestShell.noon).id("csv:1", at: moment))
        let future = try #require(UUIDv7(ids.id("csv:1", at: TestShell.noon.advanced(bySeconds: 9999))))
        #expect(future.timestamp <= TestShell.noon)
    }
}
