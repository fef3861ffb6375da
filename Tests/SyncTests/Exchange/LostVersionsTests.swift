import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// What was done to records that a server still has, and that was lost because its data was put back.
@Suite("What a server has lost of the records that it still has")
struct LostVersionsTests {
    private let devices = TwoDevices()
    private var server: ExchangeServer { devices.server }
    private var a: Device { devices.a }
    private var b: Device { devices.b }

    private func retryAll(_ device: Device) async throws {
        for parked in try device.mutations([.parked]) { try await device.engine.retryMutation(id: parked.id) }
    }

    private func expectAgreement() throws {
        for device in [a, b] {
            #expect(try device.open().isEmpty && Set(device.all(Event.self)) == Set(server.all(Event.self)))
        }
    }

    @Test(
        "is listed value by value, cleared ones too, and however often others have edited the record since",
        arguments: 0...3)
    func editedSince(edits: Int) async throws {
        let event = try await devices.shareEvent(notes: "base")
        try await a.edit(event.id) { $0.locationName = "home" }
        await devices.syncUntilQuiet()
        let copy = server.backup()
        try await a.edit(event.id) { ($0.notes, $0.locationName) = ("lost", nil) }
        await a.sync()
        server.restore(copy, underItsName: true)
        for number in 0..<edits {
            a.wallClock.advance(bySeconds: 60)
            try server.change(.event, event.id, ["external_id": .string("\(number)")])
        }
        let report = await a.sync()
        #expect(report.failure == nil && report.bootstrapped)
        let lost = try a.conflicts.filter { $0.field != "external_id" }
        #expect(lost.map(\.field) == ["location_name", "notes"] && lost.allSatisfy { $0.isLostByServer == true })
        #expect(lost.map(\.remoteValue) == [.null, "lost"])
        #expect(report.lostValues >= lost.count && report.lost == 0)
        for conflict in lost { try await a.engine.restoreConflict(id: conflict.id) }
        await devices.syncUntilQuiet()
        #expect(try server.event(event.id)?.notes == "lost" && server.event(event.id)?.locationName == nil)
        #expect(try server.event(event.id)?.externalId == (edits > 0 ? "\(edits - 1)" : nil))
        try expectAgreement()
    }

    @Test("is not what others have changed since, where the histories are known to share the version that was changed")
    func news() async throws {
        let event = try await devices.shareEvent(notes: "base")
        _ = try await a.syncedCoffee(notes: "shared by both histories")
        await b.sync()
        let copy = server.backup()
        let lost = try await a.syncedCoffee(notes: "lost")
        server.restore(copy, underItsName: true)
        try await b.edit(event.id) { $0.notes = "theirs" }
        await b.sync()
        await a.sync()
        #expect(try a.conflicts.isEmpty && a.event(event.id)?.notes == "theirs")
        #expect(try a.mutations([.parked]).map(\.entityId) == [lost.id])
    }

    @Test("concerns nobody who has seen nothing of it, not even a deletion that others have made since")
    func nothingSeen() async throws {
        let (event, other) = (try await devices.shareEvent(), try await a.syncedCoffee(notes: "other"))
        await b.sync()
        let copy = server.backup()
        _ = try await a.syncedCoffee(notes: "lost")
        server.restore(copy, underItsName: true)
        try server.delete(.event, event.id)
        await a.sync()
        let report = await b.sync()
        #expect(report.failure == nil && !report.bootstrapped && report.parked == 0)
        #expect(try b.event(event.id) == nil && b.event(other.id) == other)
    }

    @Test("is found by a full resync too, which gives up the cursor that proves it")
    func fullResync() async throws {
        let event = try await devices.shareEvent(notes: "base")
        let copy = server.backup()
        let lost = try await a.syncedCoffee(notes: "lost")
        try await a.edit(event.id) { $0.notes = "lost too" }
        await a.sync()
        server.restore(copy, underItsName: true)
        for number in UInt64(0)..<5 { try server.create(makeEvent(id: testId(50 + number), eventTypeId: a.coffee.id)) }
        let report = await a.engine.forceFullResync()
        #expect(report.failure == nil && report.bootstrapped && report.lost == 1)
        #expect(try a.event(lost.id) == lost && a.conflicts.map(\.remoteValue) == ["lost too"])
        #expect(try a.event(event.id) == server.event(event.id) && a.all(Event.self).count == 7)
    }

    @Test("concerns nobody whose full resync meets a history that has another name since, but is the same")
    func renamed() async throws {
        let event = try await devices.shareEvent()
        await b.sync()
        let copy = server.backup()
        _ = try await a.syncedCoffee(notes: "lost")
        server.restore(copy, underItsName: true)
        await a.sync()
        try server.delete(.event, event.id)
        server.pruneTombstones()
        for report in [await b.sync(), await b.engine.forceFullResync()] {
            #expect(report.failure == nil && report.bootstrapped && report.parked == 0)
        }
        #expect(try b.event(event.id) == nil)
    }

    @Test("is a deletion that waits, and is carried out again when the person says so")
    func deletion() async throws {
        let event = try await devices.shareEvent()
        let copy = server.backup()
        try await a.engine.delete(Event.self, id: event.id)
        await devices.syncUntilQuiet()
        server.restore(copy, underItsName: true)
        await devices.syncUntilQuiet()
        for device in [a, b] {
            #expect(try device.event(event.id) == nil && device.parkReason(of: event.id)?.code == .lostByServer)
            #expect(try device.mutation(of: event.id)?.operation == .delete)
        }
        try await retryAll(a)
        await devices.syncUntilQuiet()
        #expect(try server.event(event.id) == nil)
        try expectAgreement()
    }

    @Test("is listed beneath a deletion that is lost too, where an edit waits for a decision about that")
    func beneathDeletion() async throws {
        let event = try await devices.shareEvent(notes: "base")
        let copy = server.backup()
        try await a.edit(event.id) { $0.notes = "lost" }
        await devices.syncUntilQuiet()
        try server.delete(.event, event.id)
        try await b.edit(event.id) { $0.locationName = "mine" }
        await b.sync()
        #expect(try b.parkReason(of: event.id)?.code == .deletedElsewhere)
        server.restore(copy, underItsName: true)
        #expect(await b.sync().failure == nil)
        let lost = try b.conflicts.filter { $0.isLostByServer == true }
        #expect(lost.map(\.field) == ["notes"] && lost.map(\.remoteValue) == ["lost"])
        #expect(try b.event(event.id)?.locationName == "mine")
    }

    @Test("is a deletion that the person gives up, and then the record is there again")
    func givenUp() async throws {
        let event = try await devices.shareEvent()
        let copy = server.backup()
        try await a.engine.delete(Event.self, id: event.id)
        await a.sync()
        server.restore(copy)
        await a.sync()
        let waiting = try #require(try a.mutations([.parked]).first)
        try await a.engine.dropMutation(id: waiting.id)
        #expect(try a.event(event.id) == event)
        await devices.syncUntilQuiet()
        try expectAgreement()
    }

    @Test("is one deletion for a record and what went with it")
    func deletionOfParent() async throws {
        let events = [try await devices.shareEvent(), try await a.syncedCoffee(notes: "second")]
        await b.sync()
        let copy = server.backup()
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        await devices.syncUntilQuiet()
        server.restore(copy, underItsName: true)
        await a.sync()
        #expect(try a.mutations([.parked]).map(\.entityId) == [a.coffee.id])
        #expect(try a.all(Event.self).isEmpty && a.all(EventType.self).isEmpty && a.conflicts.isEmpty)
        try await retryAll(a)
        await devices.syncUntilQuiet()
        #expect(server.records(of: .event).isEmpty && server.records(of: .eventType).isEmpty)
        #expect(try events.allSatisfy { try b.event($0.id) == nil } && b.open().isEmpty)
    }

    @Test("is one deletion where the record can be without its parent: the reference comes back with that")
    func clearedReference() async throws {
        let place = try await a.engine.create(makeGeofence(id: testId(40)))
        let event = try await devices.shareEvent()
        try await a.edit(event.id) { $0.geofenceId = place.id }
        await devices.syncUntilQuiet()
        let copy = server.backup()
        try await a.engine.delete(Geofence.self, id: place.id)
        await a.sync()
        server.restore(copy, underItsName: true)
        await a.sync()
        #expect(try a.conflicts.isEmpty && a.mutations([.parked]).map(\.entityId) == [place.id])
        #expect(try a.event(event.id)?.geofenceId == nil)
        for waiting in try a.mutations([.parked]) { try await a.engine.dropMutation(id: waiting.id) }
        #expect(try a.event(event.id)?.geofenceId == place.id && a.find(Geofence.self, place.id) == place)
    }

    @Test("is no deletion of a record that an edit was to move beneath what was deleted")
    func movedBeneathDeleted() async throws {
        let tea = try await a.engine.create(makeEventType(id: testId(42), name: "tea"))
        _ = try await devices.shareEvent()
        let copy = server.backup()
        let event = try await a.logCoffee(notes: "lost")
        await devices.syncUntilQuiet()
        try await b.engine.delete(EventType.self, id: tea.id)
        await b.sync()
        try await a.edit(event.id) { $0.eventTypeId = tea.id }
        await a.sync()
        #expect(try a.parkReason(of: event.id)?.code == .blocked)
        server.restore(copy, underItsName: true)
        await a.sync()
        #expect(try a.event(event.id)?.notes == "lost" && a.parkReason(of: event.id)?.code == .lostByServer)
    }

    @Test("is a reference too where the record refers to something there that is about to be deleted here")
    func referenceToDeleted() async throws {
        let (former, place) = (makeGeofence(id: testId(40)), makeGeofence(id: testId(41), name: "lost"))
        for fence in [former, place] { try await a.engine.create(fence) }
        let event = try await devices.shareEvent()
        try await a.edit(event.id) { $0.geofenceId = former.id }
        await devices.syncUntilQuiet()
        let copy = server.backup()
        try await a.edit(event.id) { $0.geofenceId = place.id }
        await a.sync()
        try await a.engine.delete(Geofence.self, id: former.id)
        server.restore(copy, underItsName: true)
        await devices.syncUntilQuiet()
        #expect(try server.event(event.id)?.geofenceId == nil)
        let lost = try #require(try a.conflicts.first)
        #expect(lost.field == "geofence_id" && lost.remoteValue == .string(place.id) && lost.isLostByServer == true)
        try await a.engine.restoreConflict(id: lost.id)
        await devices.syncUntilQuiet()
        #expect(try server.event(event.id)?.geofenceId == place.id)
        try expectAgreement()
    }

    @Test("is no deletion of a record that somebody has brought back since")
    func broughtBack() async throws {
        let event = try await devices.shareEvent()
        try await a.engine.delete(Event.self, id: event.id)
        await devices.syncUntilQuiet()
        let copy = server.backup()
        _ = try await a.syncedCoffee(notes: "lost")
        server.restore(copy, underItsName: true)
        try server.create(event)
        await a.sync()
        #expect(try a.event(event.id) == event && a.mutation(of: event.id)?.state.name != .parked)
    }

    @Test(
        "and a deletion that it has lost: what others have edited since is listed before that is sent again",
        arguments: [false, true])
    func editedAfterLostDeletion(isTypeDeleted: Bool) async throws {
        let event = try await devices.shareEvent(notes: "base")
        _ = try await a.syncedCoffee(notes: "shared by both histories")
        await b.sync()
        let copy = server.backup()
        if isTypeDeleted {
            try await a.engine.delete(EventType.self, id: a.coffee.id)
        } else {
            try await a.engine.delete(Event.self, id: event.id)
        }
        await a.sync()
        server.restore(copy, underItsName: true)
        try await b.edit(event.id) { $0.notes = "from B" }
        await b.sync()
        await a.sync()
        let listed = try a.conflicts.filter { $0.kind == .deletedHereEditedElsewhere }
        #expect(listed.map { $0.remoteValue.objectValue?["notes"] } == ["from B"])
        try await retryAll(a)
        await devices.syncUntilQuiet()
        try expectAgreement()
        #expect(try server.event(event.id) == nil && a.conflicts.map(\.id) == listed.map(\.id))
    }

    @Test("is listed of a record whose deletion is taken back, if it was listed as edited elsewhere before")
    func takenBackDeletion() async throws {
        let event = try await devices.shareEvent(notes: "base")
        let copy = server.backup()
        try await b.edit(event.id) { $0.notes = "from B" }
        await b.sync()
        try await a.engine.delete(Event.self, id: event.id)
        await a.sync()
        #expect(try a.conflicts.map(\.kind) == [.deletedHereEditedElsewhere])
        server.restore(copy, underItsName: true)
        await a.sync()
        let deletion = try #require(try a.mutations([.parked]).first { $0.operation == .delete })
        try await a.engine.dropMutation(id: deletion.id)
        #expect(try a.event(event.id)?.notes == "base")
        let lost = try a.conflicts.filter { $0.field == "notes" }
        #expect(lost.map(\.remoteValue) == ["from B"] && lost.allSatisfy { $0.isLostByServer == true })
    }

    @Test("leaves what others had edited of a deleted record on the list, beside what they have edited since")
    func editedInBothHistories() async throws {
        let event = try await devices.shareEvent(notes: "base")
        let copy = server.backup()
        try await b.edit(event.id) { $0.notes = "lost" }
        await b.sync()
        try await a.engine.delete(Event.self, id: event.id)
        await a.sync()
        server.restore(copy, underItsName: true)
        try server.change(.event, event.id, ["notes": "since"])
        await a.sync()
        #expect(try Set(a.conflicts.map { $0.remoteValue.objectValue?["notes"] }) == ["lost", "since"])
    }

    @Test("is not listed any more when another device has given it back")
    func regained() async throws {
        let event = try await devices.shareEvent(notes: "base")
        let copy = server.backup()
        try await a.edit(event.id) { $0.notes = "lost" }
        await devices.syncUntilQuiet()
        server.restore(copy, underItsName: true)
        await devices.syncUntilQuiet()
        #expect(try a.conflicts.map(\.remoteValue) == ["lost"] && b.conflicts.map(\.remoteValue) == ["lost"])
        try await a.engine.restoreConflict(id: #require(try a.conflicts.first).id)
        await devices.syncUntilQuiet()
        #expect(try b.event(event.id)?.notes == "lost" && a.conflicts.isEmpty && b.conflicts.isEmpty)
    }
}
