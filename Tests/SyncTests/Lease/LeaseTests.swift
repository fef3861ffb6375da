import Synchronization
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("One sync at a time on a store, across processes", .timeLimit(.minutes(2)))
struct LeaseTests {
    @Test("a lease that outlived its process is taken over")
    func deadOwner() async throws {
        let held = try HeldStore(forSeconds: 100, isAlive: false)
        #expect(await held.device.sync().failure == nil)
    }

    @Test("another's sync is waited for, and ends by itself when its lease runs out")
    func runsOut() async throws {
        let held = try HeldStore(forSeconds: 100, isAlive: nil)
        let sync = Task { await held.device.sync() }
        await held.expectNothingIsSent()
        #expect(await held.device.engine.isWaitingForLease)
        held.look(afterSeconds: 101)
        #expect(await sync.value.failure == nil)
    }

    @Test("a clock set back takes the lease from nobody who lives, nor gives it to anybody for ever")
    func clockSetBack() async throws {
        let held = try HeldStore(forSeconds: 7_300, isAlive: true)
        let sync = Task { await held.device.sync() }
        await held.expectNothingIsSent()
        held.look(afterSeconds: 119)
        await held.expectNothingIsSent()
        held.look(afterSeconds: 2)
        #expect(await sync.value.failure == nil)
    }

    @Test("a clock set back leaves a holder the length of its own lease, which may be longer than ours")
    func ownLength() async throws {
        let held = try HeldStore(forSeconds: 7_300, isAlive: true, length: 600_000)
        let sync = Task { await held.device.sync() }
        await held.expectNothingIsSent()
        held.look(afterSeconds: 599)
        await held.expectNothingIsSent()
        held.look(afterSeconds: 2)
        #expect(await sync.value.failure == nil)
    }

    @Test("each request begins with as much of the lease left as a request may take, however slow the ones before it")
    func outlastsRequests() async throws {
        let device = Device { $0.changesPerPage = 2 }
        try device.server.create(device.coffee)
        for _ in 0..<9 { try device.server.create(makeEvent(eventTypeId: device.coffee.id)) }
        let least = try await device.leastLease(eachRequestTaking: 40)
        #expect(least >= 100)
    }

    @Test("each request to the older routes begins so too")
    func outlastsOlderRequests() async throws {
        let device = Device()
        await device.network.always(.fail(APIError.noExchange), for: .exchange)
        await device.sync()
        for number in 0..<10 { try await device.engine.create(makeEventType(name: "\(number)")) }
        let least = try await device.leastLease(eachRequestTaking: 15)
        #expect(least >= 100)
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
}

extension Device {
    /// Lets another process hold the lease from now on.
    ///
    /// - Parameter length: How long the lease of that process lasts; nil where it does not say so.
    func giveLeaseToAnother(forSeconds seconds: Double = 60, length: Int64? = nil) throws {
        let end = wallClock.now().advanced(bySeconds: seconds)
        let row = SyncLease.Row(owner: "other", token: "t", expiresAt: end, duration: length)
        try tamper { try $0.setValue(row, for: MetadataKey.lease) }
    }

    /// Syncs, and tells how many seconds of the lease were left at least when a request began.
    fileprivate func leastLease(eachRequestTaking seconds: Double) async throws -> Double {
        let least = Mutex(Double.infinity)
        let (stores, wallClock) = (stores, wallClock)
        await network.beforeEachCall { _ in
            let row = try #require(try stores.makeDataStore().value(SyncLease.Row.self, for: MetadataKey.lease))
            least.withLock { $0 = min($0, row.expiresAt.seconds(since: wallClock.now())) }
            wallClock.advance(bySeconds: seconds)
        }
        let before = await network.calls.count
        #expect(await sync().failure == nil)
        #expect(await network.calls.count > before + 3)
        return least.withLock { $0 }
    }
}

/// A device whose lease another process holds.
private struct HeldStore {
    let device: Device

    init(forSeconds seconds: Double, isAlive: Bool?, length: Int64? = nil) throws {
        device = Device(owner: LeaseOwner(name: "me") { _ in isAlive })
        try device.giveLeaseToAnother(forSeconds: seconds, length: length)
    }

    func expectNothingIsSent() async {
        await device.clock.waitForSleepers()
        #expect(device.server.requests.isEmpty && !device.stores.isWriteLocked)
    }

    /// Lets the engine look at the lease once more.
    func look(afterSeconds seconds: Double) {
        device.wallClock.advance(bySeconds: seconds)
        device.clock.advanceToNextWake()
    }
}
