import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("What refers to a place that was deleted elsewhere")
struct ClearedReferencesTests {
    let devices = TwoDevices()
    var device: Device { devices.a }
    let place = makeGeofence(name: "gym")

    /// Both devices have an event and a place.
    private func share() async throws -> Event {
        try await device.engine.create(place)
        return try await devices.shareEvent()
    }

    private func deleteElsewhere() async throws {
        try await devices.b.engine.delete(Geofence.self, id: place.id)
        await devices.b.sync()
    }

    private func expectSettled() async throws {
        await devices.syncUntilQuiet()
        #expect(try device.open().isEmpty)
        #expect(try Set(device.all(Event.self)) == Set(devices.server.all(Event.self)))
        #expect(try Set(devices.b.all(Event.self)) == Set(devices.server.all(Event.self)))
    }

    @Test(
        "is sent without the reference, in the same sync, whether its answer was lost or not", arguments: [false, true])
    func create(isLost: Bool) async throws {
        _ = try await share()
        var event = makeEvent(eventTypeId: device.coffee.id, notes: "logged there")
        event.geofenceId = place.id
        try await device.engine.create(event)
        try await deleteElsewhere()
        if isLost {
            await device.loseNext(.loseRequest(.connection("reset")))
            #expect(await device.sync().failure != nil)
        }
        #expect(await device.sync().parked == 0)
        #expect(try devices.server.event(event.id)?.notes == "logged there")
        #expect(try devices.server.event(event.id)?.geofenceId == nil)
        try await expectSettled()
    }

    @Test("goes with the rest of its edit, and with what waited behind it")
    func edit() async throws {
        let event = try await share()
        try await device.edit(event.id) { ($0.geofenceId, $0.notes) = (place.id, "moved") }
        await device.loseNext(.loseRequest(.connection("reset")))
        await device.sync()
        try await device.edit(event.id) { $0.timestamp = $0.timestamp.advanced(bySeconds: 60) }
        try await deleteElsewhere()
        #expect(await device.sync().parked == 0)
        let there = try #require(try devices.server.event(event.id))
        #expect(there.notes == "moved" && there.geofenceId == nil)
        #expect(there.timestamp == event.timestamp.advanced(bySeconds: 60))
        try await expectSettled()
    }

    @Test("is sent without the reference where the server never had the place, and the deletion was never sent")
    func neverMade() async throws {
        _ = try await devices.shareEvent()
        var other = makeGeofence(name: place.name)
        other.latitude = 1
        try devices.server.create(other)
        try await device.engine.create(place)
        var event = makeEvent(eventTypeId: device.coffee.id, notes: "logged there")
        event.geofenceId = place.id
        try await device.engine.create(event)
        await device.loseNext(.loseRequest(.connection("reset")))
        await device.sync()
        try await device.engine.delete(Geofence.self, id: place.id)
        #expect(await device.sync().parked == 0)
        #expect(try devices.server.event(event.id)?.notes == "logged there")
        #expect(try devices.server.event(event.id)?.geofenceId == nil)
        try await expectSettled()
    }

    @Test(
        "is sent without the reference where the create of the place was given up after all attempts",
        arguments: [false, true])
    func givenUp(isDropped: Bool) async throws {
        _ = try await devices.shareEvent()
        try await device.engine.create(place)
        var event = makeEvent(eventTypeId: device.coffee.id, notes: "logged there")
        event.geofenceId = place.id
        try await device.engine.create(event)
        await device.loseNext(.loseRequest(.connection("reset")))
        await device.sync()
        await device.fail([place.id])
        for _ in 0..<6 {
            try await device.engine.create(makeEventType(name: freshId()))
            await device.sync()
        }
        if isDropped {
            try await device.engine.dropMutation(id: #require(try device.mutations([.parked]).first).id)
        } else {
            try await device.engine.delete(Geofence.self, id: place.id)
        }
        await device.heal()
        #expect(await device.sync().parked == 0)
        #expect(try devices.server.event(event.id)?.notes == "logged there")
        try await expectSettled()
    }

    @Test("waits while an edit of the place waits for a decision, and follows that", arguments: [false, true])
    func undecided(isPutBack: Bool) async throws {
        _ = try await share()
        try await device.edit(Geofence.self, place.id) { $0.name = "our gym" }
        var event = makeEvent(eventTypeId: device.coffee.id)
        event.geofenceId = place.id
        try await device.engine.create(event)
        try await deleteElsewhere()
        await device.sync()
        #expect(try device.parkReason(of: event.id)?.code == .blocked)
        let edit = try #require(try device.mutation(of: place.id))
        if isPutBack {
            try await device.engine.retryMutation(id: edit.id)
        } else {
            try await device.engine.dropMutation(id: edit.id)
        }
        await device.sync()
        let there = try #require(try devices.server.event(event.id))
        #expect(there.geofenceId == (isPutBack ? place.id : nil))
        try await expectSettled()
    }

    @Test("stays refused where nobody knows the place")
    func unknown() async throws {
        _ = try await share()
        var event = makeEvent(eventTypeId: device.coffee.id)
        event.geofenceId = testId(77)
        try await device.engine.create(event)
        await device.sync()
        #expect(try device.parkReason(of: event.id)?.code == .blocked)
        #expect(try device.event(event.id)?.geofenceId == testId(77))
    }
}
