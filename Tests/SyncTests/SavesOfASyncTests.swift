import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// A save waits for the disk.
@Suite("The saves of a sync")
struct SavesOfASyncTests {
    private let network: MockNetworkClient
    private let stores: MockDataStoreFactory
    private let engine: SyncEngine
    private let coffee = makeEventType(name: "coffee")

    init() {
        (network, stores) = makeTestDependencies()
        engine = SyncEngine(networkClient: network, dataStoreFactory: stores, wallClock: ManualWallClock())
    }

    private func saves() async -> Int {
        let before = stores.saveCallCount
        #expect(await engine.performSync().failure == nil)
        return stores.saveCallCount - before
    }

    @Test("are few: kinds of which nothing waits cost none, nor does a feed that owes nothing")
    func few() async throws {
        try await engine.create(coffee)
        _ = await saves()
        let idle = await saves()
        // The lease, the page of the feed, and the end of the sync.
        #expect(idle <= 3)
        try await engine.create(makeEvent(eventTypeId: coffee.id))
        // Beside those the window that is marked and the answer.
        #expect(await saves() <= idle + 2)
    }
}
