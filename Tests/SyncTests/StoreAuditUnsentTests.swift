import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// What waits here is compared by the version that the server should have.
@Suite("A comparison over unsent work")
struct StoreAuditUnsentTests {
    private let devices = TwoDevices()
    private var device: Device { devices.b }

    /// Nothing that the device sends arrives.
    private func cutOff() async {
        for operation in [MockOperation.create, .createBatch, .update, .delete] {
            await devices.network.always(.fail(APIError.http(status: 500, problem: ProblemDetails())), for: operation)
        }
    }

    @Test("finds no difference in edits, new records and deletions that wait, whatever goes with them")
    func everySort() async throws {
        let place = makeGeofence()
        try await devices.a.engine.create(place)
        let tea = try await devices.a.engine.create(makeEventType(name: "tea"))
        try await devices.a.engine.create(makePropertyDefinition(eventTypeId: tea.id))
        try await devices.a.engine.create(makeEvent(eventTypeId: tea.id))
        let edited = try await devices.a.logCoffee(notes: "first")
        let placed = makeEvent(eventTypeId: devices.a.coffee.id, geofenceId: place.id)
        try await devices.a.engine.create(placed)
        await devices.syncUntilQuiet()
        await cutOff()
        try await device.edit(edited.id) { $0.notes = "second" }
        try await device.edit(edited.id) { $0.locationName = "here" }
        try await device.engine.create(makeEvent(eventTypeId: devices.a.coffee.id))
        // The events and the definition go with their type, and the reference to the place with the place.
        try await device.engine.delete(EventType.self, id: tea.id)
        try await device.engine.delete(Geofence.self, id: place.id)
        for _ in 0..<2 {
            let before = try device.mutations()
            let report = await device.engine.audit(repairing: true)
            #expect(report.isClean && report.differences.isEmpty, "\(report.differences)")
            #expect(report.kinds.map(\.waiting) == [1, 1, 1, 2])
            #expect(report.kinds.allSatisfy { $0.isEqual })
            #expect(try device.mutations() == before)
            // The second time the mutations have been sent and not answered.
            _ = await device.engine.performSync()
        }
        #expect(try device.event(edited.id)?.entity.notes == "second")
        #expect(try device.event(placed.id)?.entity.geofenceId == nil)
        await devices.network.reset()
        await devices.syncUntilQuiet()
        #expect(await device.engine.audit().isClean)
        #expect(try devices.a.event(edited.id)?.entity.notes == "second")
    }

    @Test("finds none where the server has taken an edit and its answer was lost")
    func lostAnswer() async throws {
        let event = try await devices.shareEvent()
        try await device.edit(event.id) { $0.notes = "sent" }
        await devices.network.enqueue(.serveThenFail(APIError.timeout), for: .update)
        _ = await device.engine.performSync()
        #expect(try device.mutations([.sending]).count == 1)
        #expect(await device.engine.audit().differences.isEmpty)
    }

    @Test("mends what lies beneath an edit, and the edit stays and is sent")
    func beneathAnEdit() async throws {
        let event = try await devices.shareEvent(notes: "first")
        await cutOff()
        try await device.edit(event.id) { $0.notes = "mine" }
        try device.tamper { try $0.changeRow(event.id) { $0.locationName = "nowhere" } }
        let report = await device.engine.audit(repairing: true)
        #expect(
            report.differences.map(\.kind)
                == [.fields([FieldDifference(field: "location_name", here: "nowhere", there: .null)])])
        #expect(report.isClean)
        let mended = try #require(try device.event(event.id))
        #expect(mended.entity.notes == "mine" && mended.entity.locationName == nil && mended.syncStatus == .pending)
        await devices.network.reset()
        await devices.syncUntilQuiet()
        #expect(try devices.a.event(event.id)?.entity.notes == "mine")
    }

    @Test("brings a lost row back with the edits that wait for it")
    func lostRow() async throws {
        let event = try await devices.shareEvent(notes: "first")
        await cutOff()
        try await device.edit(event.id) { $0.notes = "mine" }
        try device.tamper { try $0.delete(Event.self, id: event.id) }
        let report = await device.engine.audit(repairing: true)
        #expect(report.differences.map(\.outcome) == [.broughtIn] && report.isClean)
        #expect(try device.event(event.id)?.entity.notes == "mine")
    }

    @Test("leaves refused changes and what was deleted elsewhere to the person")
    func parked() async throws {
        let events = [try await devices.shareEvent(), try await devices.shareEvent()]
        let refusal = MockAnswer.fail(APIError.http(status: 400, problem: ProblemDetails(detail: "no")))
        await devices.network.enqueue(refusal, for: .update)
        try await device.edit(events[0].id) { $0.notes = "refused" }
        _ = await device.engine.performSync()
        try await devices.network.remove(Event.self, id: events[1].id)
        try await device.edit(events[1].id) { $0.notes = "too late" }
        _ = await device.engine.performSync()
        #expect(try device.mutations([.parked]).count == 2)
        let report = await device.engine.audit(repairing: true)
        #expect(report.isClean && report.differences.isEmpty && report.kind(.event)?.waiting == 1)
        #expect(try device.mutations([.parked]).count == 2)
        #expect(try device.event(events[0].id)?.entity.notes == "refused")
        #expect(try device.event(events[1].id)?.entity.notes == "too late")
    }
}
