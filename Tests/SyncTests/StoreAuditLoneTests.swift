import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// A record that only the device has is sent, unless it was deleted on the server.
@Suite("A repair of what only the device has")
struct StoreAuditLoneTests {
    private let devices = TwoDevices()
    private var device: Device { devices.b }

    @Test("takes out what the feed says was deleted there")
    func deletedThere() async throws {
        let event = try await devices.shareEvent()
        let row = try #require(try device.event(event.id))
        try await devices.a.engine.delete(Event.self, id: event.id)
        await devices.syncUntilQuiet()
        try device.tamper { try $0.upsert(row) }
        let report = await device.engine.audit(repairing: true)
        #expect(report.differences.map(\.kind) == [.onlyHere] && report.differences.map(\.outcome) == [.removed])
        #expect(try device.event(event.id) == nil)
        #expect(try device.mutations([.queued]).isEmpty)
        #expect(await device.engine.audit().isClean)
    }

    @Test("takes out what the ledger says was deleted from here")
    func deletedHere() async throws {
        let event = try await devices.shareEvent()
        let row = try #require(try device.event(event.id))
        try await device.engine.delete(Event.self, id: event.id)
        await devices.syncUntilQuiet()
        await devices.network.forgetChanges(of: event.id)
        try await devices.network.put(makeEvent(eventTypeId: devices.a.coffee.id))
        _ = await device.engine.forceFullResync()
        try device.tamper { try $0.upsert(row) }
        #expect(await device.engine.audit(repairing: true).differences.map(\.outcome) == [.removed])
        #expect(try device.event(event.id) == nil)
    }

    @Test("takes out what went with its type, where the feed names the type alone")
    func deletedWithParent() async throws {
        let event = try await devices.shareEvent()
        let type = try #require(try device.store().find(EventType.self, id: devices.a.coffee.id))
        let row = try #require(try device.event(event.id))
        try await devices.a.engine.delete(EventType.self, id: type.id)
        await devices.syncUntilQuiet()
        await devices.network.forgetChanges(of: event.id)
        try device.tamper { store in
            try store.upsert(type)
            try store.upsert(row)
        }
        let report = await device.engine.audit(repairing: true)
        #expect(report.isClean && report.kind(.eventType)?.differences.map(\.outcome) == [.removed])
        #expect(try device.event(event.id) == nil)
        #expect(try device.mutations([.queued]).isEmpty)
    }

    @Test("sends again what the server has lost without a word")
    func lostThere() async throws {
        let event = try await devices.shareEvent(notes: "precious")
        _ = try await devices.a.logCoffee()
        await devices.syncUntilQuiet()
        try await devices.network.remove(Event.self, id: event.id)
        await devices.network.forgetChanges(of: event.id)
        let report = await device.engine.audit(repairing: true)
        #expect(report.differences.map(\.outcome) == [.queued])
        let create = try #require(try device.mutations([.queued]).first)
        #expect(create.operation == .create && !create.clientRequestId.isEmpty)
        #expect(await device.engine.performSync().pushed == 1)
        #expect(try await devices.network.record(Event.self, id: event.id)?.notes == "precious")
    }

    @Test("sends a type and its events in one go")
    func family() async throws {
        _ = try await devices.shareEvent()
        let tea = makeEventType(name: "tea")
        let event = makeEvent(eventTypeId: tea.id)
        try device.tamper { store in
            try store.upsert(LocalRecord(tea, syncStatus: .synced))
            try store.upsert(LocalRecord(event, syncStatus: .synced))
        }
        #expect(await device.engine.audit(repairing: true).differences.map(\.outcome) == [.queued, .queued])
        await devices.syncUntilQuiet()
        #expect(try devices.a.event(event.id)?.entity == event)
    }

    @Test("leaves what was never sent and belongs to nothing, and says why")
    func orphan() async throws {
        _ = try await devices.shareEvent()
        let orphan = makeEvent(eventTypeId: freshId(), notes: "mine")
        try device.tamper { try $0.upsert(LocalRecord(orphan, syncStatus: .synced)) }
        let report = await device.engine.audit(repairing: true)
        guard case .left(let reason)? = report.differences.first?.outcome else {
            Issue.record("it was not left: \(report.differences)")
            return
        }
        #expect(reason.contains("event type") && !report.isClean && report.remaining.count == 1)
        #expect(try device.event(orphan.id)?.entity.notes == "mine")
    }

    @Test("leaves what it cannot tell about, where the feed is too long to be read")
    func longFeed() async throws {
        let event = try await devices.shareEvent()
        for _ in 0..<20 { try await devices.network.put(makeEvent(eventTypeId: devices.a.coffee.id)) }
        let impatient = Device(devices.network, wallClock: device.wallClock, stores: device.stores) {
            $0.changesPerPage = 1
            $0.feedPagesPerCycle = 2
            $0.feedOverlap = 2
        }
        while await impatient.engine.performSync().hasMore {}
        try await devices.network.remove(Event.self, id: event.id)
        await devices.network.forgetChanges(of: event.id)
        let report = await impatient.engine.audit(repairing: true)
        guard case .left? = report.differences.first?.outcome else {
            Issue.record("it was not left: \(report.differences)")
            return
        }
        #expect(try device.event(event.id) != nil)
        #expect(try device.mutations([.queued]).isEmpty)
    }
}
