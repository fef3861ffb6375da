import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("How often a push saves")
struct SavesOfPushTests {
    @Test("kinds that have nothing to send save nothing")
    func idleKinds() async throws {
        let few = try await savesOfOneEdit(EntitySchema([EventType.self]))
        #expect(try await savesOfOneEdit(.trendy) == few)
    }

    private func savesOfOneEdit(_ schema: EntitySchema) async throws -> Int {
        let stores = MockDataStoreFactory(wrapping: InMemoryDataStoreFactory(schema: schema))
        let engine = SyncEngine(
            networkClient: MockNetworkClient(), dataStoreFactory: stores, schema: schema,
            wallClock: ManualWallClock(), clock: ManualClock())
        var type = makeEventType(name: "coffee")
        try await engine.create(type)
        #expect(await engine.performSync().failure == nil)
        type.name = "tea"
        try await engine.update(type)
        let before = stores.callCount(.save)
        #expect(await engine.performSync().pushed == 1)
        return stores.callCount(.save) - before
    }
}
