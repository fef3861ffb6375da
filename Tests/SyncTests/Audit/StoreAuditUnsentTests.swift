import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// What waits here is compared by the version that the server should have.
@Suite("A comparison over unsent work")
struct StoreAuditUnsentTests {
    private let devices = TwoDevices()
    private var device: Device { devices.b }

    @Test("finds no difference in edits, new records and deletions that wait, whatever goes with them")
    func everySort() async throws {
        let place = try await devices.a.engine.create(makeGeofence())
        let tea = try await devices.a.engine.create(makeEventType(name: "tea"))
        try await devices.a.engine.create(makePropertyDefinition(eventTypeId: tea.id))
        try await devices.a.engine.create(makeEvent(eventTypeId: tea.id))
        let edited = try await devices.a.logCoffee(notes: "first")
        let placed = makeEvent(eventTypeId: devices.a.coffee.id, geofenceId: place.id)
        try await devices.a.engine.create(placed)
        await devices.syncUntilQuiet()
        await device.fail(with: .connection("reset"))
        try await device.edit(edited.id) { $0.notes = "second" }
        try await device.engine.create(makeEvent(eventTypeId: devices.a.coffee.id))
        // The events and the definition go with their type, and the reference to the place with the place.
        try await device.engine.delete(EventType.self, id: tea.id)
        try await device.engine.delete(Geofence.self, id: place.id)
        for _ in 0..<2 {
            let before = try device.mutations()
            let report = await device.engine.audit(repairing: true)
            #expect(report.isClean && report.differences.isEmpty, "\(report.differences)")
            #expect(report.kind(.event)?.waiting == 1 && report.kinds.allSatisfy { $0.isEqual })
            #expect(try device.mutations() == before)
            // The second time the mutations have been sent and not answered.
            await device.sync()
        }
        #expect(try device.event(edited.id)?.notes == "second" && device.event(placed.id)?.geofenceId == nil)
        await device.heal()
        await devices.syncUntilQuiet()
        #expect(await device.engine.audit().isClean)
        #expect(try devices.a.event(edited.id)?.notes == "second")
    }

    @Test("finds none where the server has taken an edit and its answer was lost")
    func lostAnswer() async throws {
        let event = try await devices.shareEvent()
        try await device.edit(event.id) { $0.notes = "sent" }
        await device.loseNext()
        await device.sync()
        #expect(try device.mutations([.sending]).count == 1)
        #expect(await device.engine.audit().differences.isEmpty)
    }

    @Test("mends what lies beneath an edit, and the edit stays and is sent")
    func beneathAnEdit() async throws {
        let event = try await devices.shareEvent(notes: "first")
        try device.tamper { try $0.changeRow(event.id) { $0.locationName = "nowhere" } }
        try await device.edit(event.id) { $0.notes = "mine" }
        let report = await device.engine.audit(repairing: true)
        #expect(
            report.differences.map(\.kind)
                == [.fields([FieldDifference(field: "location_name", here: "nowhere", there: .null)])])
        #expect(report.isClean)
        let mended = try #require(try device.event(event.id))
        #expect(mended.notes == "mine" && mended.locationName == nil)
        #expect(try device.status(event.id) == .pending)
        await devices.syncUntilQuiet()
        #expect(try devices.a.event(event.id) == mended)
    }

    @Test("leaves refused changes and what was deleted elsewhere to the person")
    func parked() async throws {
        let events = [try await devices.shareEvent(), try await devices.shareEvent()]
        devices.server.reject([events[0].id])
        try await device.edit(events[0].id) { $0.notes = "refused" }
        try devices.server.delete(.event, events[1].id)
        try await device.edit(events[1].id) { $0.notes = "too late" }
        await device.sync()
        #expect(try device.mutations([.parked]).count == 2)
        let report = await device.engine.audit(repairing: true)
        #expect(report.isClean && report.differences.isEmpty)
        #expect(try device.mutations([.parked]).count == 2)
        #expect(try device.event(events[0].id)?.notes == "refused" && device.event(events[1].id)?.notes == "too late")
    }
}
