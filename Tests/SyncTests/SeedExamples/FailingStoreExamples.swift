import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("A sync engine over a store that fails", .timeLimit(.minutes(2)))
struct FailingStoreExamples {
    let network: MockNetworkClient
    let stores: MockDataStoreFactory
    let engine: SyncEngine
    let coffee = makeEventType(name: "coffee")

    init() {
        (network, stores) = makeTestDependencies()
        engine = SyncEngine(networkClient: network, dataStoreFactory: stores, wallClock: ManualWallClock())
    }

    @Test("leaves neither the record nor its mutation where the save of a write fails, and says so")
    func failedSave() async throws {
        stores.enqueue(.fail(.failed("the disk is full")), for: .save)
        await #expect(throws: StoreError.failed("the disk is full")) { try await engine.create(coffee) }
        #expect(try stores.unrecorded { try $0.findEventType(id: coffee.id) } == nil)
        #expect(try stores.unrecorded { try $0.fetchPendingMutations() }.isEmpty)
        try await engine.create(coffee)
        #expect(await engine.performSync().pushed == 1)
    }

    @Test("leaves no record where its mutation cannot be queued")
    func failedInsert() async throws {
        stores.enqueue(.fail(.busy), for: .insertMutation, .eventType)
        await #expect(throws: StoreError.busy) { try await engine.create(coffee) }
        #expect(stores.saveCallCount == 0)
        #expect(try stores.unrecorded { try $0.fetchAllEventTypes() }.isEmpty)
    }

    @Test("reports a sync for which no store could be opened, and asks the server for nothing")
    func noStore() async throws {
        try await engine.create(coffee)
        stores.always(.fail(.inaccessible("the folder is gone")), for: .makeDataStore)
        let report = await engine.performSync()
        #expect(report.failure == .store)
        #expect(report.error?.contains("the folder is gone") == true)
        #expect(await network.calls.isEmpty)
        stores.always(nil, for: .makeDataStore)
        #expect(await engine.performSync().pushed == 1)
    }

    @Test("sends a mutation once for the server, wherever in its sync a save fails", arguments: 0..<15)
    func failedSaveInSync(_ place: Int) async throws {
        try await engine.create(coffee)
        let event = try await engine.create(makeEvent(eventTypeId: coffee.id))
        stores.enqueue(.serve, times: place, for: .save)
        stores.enqueue(.fail(.failed("the disk is full")), for: .save)
        var report = await engine.performSync()
        // What fails to be remembered after all of it is done is no failure.
        #expect(report.failure == .store || report.pending == 0)
        stores.reset()
        for _ in 0..<2 { report = await engine.performSync() }
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        let creations = await network.changes.filter { $0.operation == .create }
        #expect(creations.map(\.entityId) == [coffee.id, event.id])
    }
}
