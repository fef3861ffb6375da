import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("One sync at a time on a store, across processes")
struct LeaseTests {
    @Test("a lease that outlived its process is taken over")
    func deadOwner() async throws {
        let held = try HeldStore(forSeconds: 100, isAlive: false)
        #expect(await held.engine.performSync().failure == nil)
    }

    @Test("another's sync is waited for, and ends by itself when its lease runs out")
    func runsOut() async throws {
        let held = try HeldStore(forSeconds: 100, isAlive: nil)
        let sync = Task { await held.engine.performSync() }
        await held.expectNothingIsSent()
        #expect(await held.engine.isWaitingForLease)
        held.look(afterSeconds: 101)
        #expect(await sync.value.failure == nil)
    }

    @Test("a sync gives up waiting after a while")
    func patience() async throws {
        let held = try HeldStore(forSeconds: 100, isAlive: true) { $0.leasePatience = .zero }
        #expect(await held.engine.performSync().failure == .store)
        #expect(held.server.requests.isEmpty)
    }

    @Test("a clock set back takes the lease from nobody who lives, nor gives it to anybody for ever")
    func clockSetBack() async throws {
        let held = try HeldStore(forSeconds: 7_300, isAlive: true)
        let sync = Task { await held.engine.performSync() }
        await held.expectNothingIsSent()
        held.look(afterSeconds: 119)
        await held.expectNothingIsSent()
        held.look(afterSeconds: 2)
        #expect(await sync.value.failure == nil)
    }

    @Test("whoever lost the lease meanwhile changes nothing and sends nothing more")
    func takenOver() async throws {
        let device = Device()
        await device.sync()
        try await device.logCoffee()
        device.server.limitMutations(to: 1)
        await device.whileSending { try device.giveLeaseToAnother() }
        let before = await device.network.calls.count
        #expect(await device.sync().failure == .takenOver)
        #expect(await device.network.calls.count == before + 1)
        #expect(try device.mutations([.sending]).count == 2)
    }

    @Test("is given back when a sync ends, however it ends")
    func givenBack() async throws {
        let device = Device()
        let engine = device.engine
        await device.network.beforeEachCall { _ in
            let holder = try await engine.leaseHolder()
            #expect(holder?.isAlive == true)
        }
        await device.network.enqueue(.fail(APIError.timeout), for: .exchange)
        for _ in 0..<2 {
            await device.sync()
            #expect(try await engine.leaseHolder() == nil)
        }
    }
}

extension Device {
    /// Lets another process hold the lease from now on.
    func giveLeaseToAnother() throws {
        let end = wallClock.now().advanced(bySeconds: 60).description
        try tamper { try $0.setMetadata(MetadataKey.lease, #"{"owner":"other","token":"t","expiresAt":"\#(end)"}"#) }
    }
}

/// A store whose lease another process holds, and an engine that waits for it.
private struct HeldStore {
    let server = ExchangeServer()
    let stores = InMemoryDataStoreFactory()
    let wallClock = ManualWallClock()
    let clock = ManualClock()
    let engine: SyncEngine

    init(forSeconds seconds: Double, isAlive: Bool?, configure: (inout SyncConfiguration) -> Void = { _ in }) throws {
        let store = try stores.makeDataStore()
        let end = wallClock.now().advanced(bySeconds: seconds).description
        try store.setMetadata(MetadataKey.lease, #"{"owner":"other","token":"t","expiresAt":"\#(end)"}"#)
        try store.save()
        var configuration = SyncConfiguration()
        configure(&configuration)
        engine = SyncEngine(
            networkClient: MockNetworkClient(exchange: server), dataStoreFactory: stores, configuration: configuration,
            wallClock: wallClock, clock: clock, owner: LeaseOwner(name: "me") { _ in isAlive })
    }

    func expectNothingIsSent() async {
        await clock.waitForSleepers()
        #expect(server.requests.isEmpty && !stores.isWriteLocked)
    }

    /// Lets the engine look at the lease once more.
    func look(afterSeconds seconds: Double) {
        wallClock.advance(bySeconds: seconds)
        clock.advanceToNextWake()
    }
}
