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
    func giveLeaseToAnother(forSeconds seconds: Double = 60) throws {
        let end = wallClock.now().advanced(bySeconds: seconds).description
        try tamper { try $0.setMetadata(MetadataKey.lease, #"{"owner":"other","token":"t","expiresAt":"\#(end)"}"#) }
    }
}

/// A device whose lease another process holds.
private struct HeldStore {
    let device: Device

    init(forSeconds seconds: Double, isAlive: Bool?, configure: (inout SyncConfiguration) -> Void = { _ in }) throws {
        device = Device(owner: LeaseOwner(name: "me") { _ in isAlive }, configure: configure)
        try device.giveLeaseToAnother(forSeconds: seconds)
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
