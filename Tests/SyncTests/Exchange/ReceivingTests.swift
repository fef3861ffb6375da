import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("What others have done")
struct ReceivingTests {
    let devices = TwoDevices()
    private var a: Device { devices.a }
    private var b: Device { devices.b }

    @Test("arrives: creations, edits, clearings and deletions")
    func everything() async throws {
        let event = try await devices.shareEvent(notes: "first")
        #expect(try b.event(event.id) == event && b.status(event.id) == .synced)
        try await a.edit(event.id) { $0.notes = nil }
        await devices.syncUntilQuiet()
        #expect(try b.event(event.id)?.notes == .some(nil))
        try await b.engine.delete(Event.self, id: event.id)
        await devices.syncUntilQuiet()
        #expect(try a.event(event.id) == nil)
    }

    @Test("overwrites no field with a pending edit, and all others")
    func rebase() async throws {
        let event = try await devices.shareEvent()
        try await a.edit(event.id) { $0.notes = "mine" }
        try await b.edit(event.id) { $0.locationName = "home" }
        await b.sync()
        await a.fail()
        await a.sync()
        let here = try #require(try a.event(event.id))
        #expect(here.notes == "mine" && here.locationName == "home")
        #expect(try a.status(event.id) == .pending)
        await a.heal()
        await devices.syncUntilQuiet()
        #expect(try b.event(event.id) == here && a.conflicts.isEmpty)
    }

    @Test(
        "takes children along with a parent that others have deleted, whatever was open of them",
        arguments: [
            false, true,
        ])
    func cascade(isEdited: Bool) async throws {
        let event = try await devices.shareEvent()
        try await b.engine.delete(EventType.self, id: event.eventTypeId)
        await b.sync()
        if isEdited { try await a.edit(event.id) { $0.notes = "precious" } }
        await a.sync()
        #expect(try a.find(EventType.self, event.eventTypeId) == nil)
        #expect(try a.event(event.id)?.notes == (isEdited ? "precious" : nil))
        #expect(try a.conflicts.count == (isEdited ? 1 : 0))
        #expect(try a.mutations([.parked]).count == (isEdited ? 1 : 0))
    }

    @Test("comes page by page, and the next sync goes on where so many pages have been read")
    func pages() async throws {
        let device = Device(devices.server) {
            $0.changesPerPage = 10
            $0.requestsPerCycle = 5
        }
        await device.sync()
        try devices.server.create(device.coffee)
        for _ in 0..<80 { try devices.server.create(makeEvent(eventTypeId: device.coffee.id)) }
        let first = await device.sync()
        #expect(first.failure == nil && first.hasMore && first.pulled == 50)
        let second = await device.sync()
        #expect(second.failure == nil && !second.hasMore)
        #expect(try device.all(Event.self).count == 80)
    }

    @Test("is taken as its newest version, in whatever order and however often it comes", arguments: 0..<6)
    func disorder(rotation: Int) async throws {
        let event = try await devices.shareEvent(notes: "base")
        func change(_ revision: Int64, _ notes: String?) throws -> SyncChange {
            var version = event
            version.notes = notes
            let record: JSONValue? = notes == nil ? .none : .object(try WireCoding.fields(of: version))
            return SyncChange(entityType: .event, entityId: event.id, revision: revision, record: record)
        }
        var changes = [try change(11, "one"), try change(12, nil), try change(13, "three")]
        changes.swapAt(rotation % 3, rotation / 2)
        for change in changes + changes { try await b.deliver([change], more: true) }
        #expect(await b.sync().failure == nil)
        #expect(try b.event(event.id)?.notes == "three")
    }

    @Test("is told by a server that makes something else of what was sent, and that is no other side")
    func normalized() async throws {
        let event = try await devices.shareEvent()
        try await a.edit(event.id) { $0.notes = "from a" }
        let update = try #require(try a.mutation(of: event.id))
        var kept = event
        kept.notes = "FROM A"
        let result = SyncResult(
            key: update.clientRequestId, outcome: .accepted, revision: 12,
            record: .object(try WireCoding.fields(of: kept)))
        try await a.deliver([], results: [result])
        #expect(await a.sync().pushed == 1)
        #expect(try a.event(event.id) == kept && a.status(event.id) == .synced)
        #expect(try a.conflicts.isEmpty && a.open().isEmpty)
    }
}
