import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Dropping a deletion")
struct DropDeleteTests {
    let device = Device()

    private func dropDeletion(of id: String) async throws -> DropSummary {
        let deletion = try #require(try device.open().last { $0.entityId == id && $0.operation == .delete })
        return try await device.engine.dropMutation(id: deletion.id)
    }

    @Test("brings the record back with its children, and nothing is sent")
    func bringsBack() async throws {
        let event = try await device.syncedCoffee(notes: "kept")
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        #expect(try device.event(event.id) == nil)
        let summary = try await dropDeletion(of: device.coffee.id)
        #expect(summary.restored == [.eventType: 1, .event: 1])
        #expect(try device.event(event.id) == event && device.status(event.id) == .synced)
        #expect(try device.find(EventType.self, device.coffee.id) == device.coffee)
        let report = await device.sync()
        #expect(!report.bootstrapped && report.pushed == 0 && report.pulled == 0)
    }

    @Test("brings unsent work back beneath it, which is sent then")
    func unsentWork() async throws {
        let synced = try await device.syncedCoffee(notes: "synced")
        try await device.edit(synced.id) { $0.notes = "edited" }
        let unsent = try await device.logCoffee(notes: "unsent")
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        #expect(try device.all(Event.self).isEmpty)
        #expect(try await dropDeletion(of: device.coffee.id).restored == [.eventType: 1, .event: 2])
        #expect(try device.status(unsent.id) == .pending)
        #expect(await device.sync().pending == 0)
        #expect(try device.server.event(unsent.id)?.notes == "unsent")
        #expect(try device.server.event(synced.id)?.notes == "edited")
    }

    /// An event at a place that is deleted here: the reference shows as none.
    private func eventWithoutItsPlace(isSynced: Bool) async throws -> (Event, Geofence) {
        let place = try await device.engine.create(makeGeofence())
        try await device.engine.create(device.coffee)
        await device.sync()
        let event = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id, geofenceId: place.id))
        if isSynced { await device.sync() }
        try await device.engine.delete(Geofence.self, id: place.id)
        #expect(try device.event(event.id)?.geofenceId == nil)
        return (event, place)
    }

    @Test("puts references back, whether they have been sent or not", arguments: [false, true], [false, true])
    func references(isSynced: Bool, isRefused: Bool) async throws {
        let (event, place) = try await eventWithoutItsPlace(isSynced: isSynced)
        if isRefused {
            device.server.reject([place.id])
            #expect(await device.sync().parked == 1)
            #expect(try device.event(event.id)?.geofenceId == nil)
        }
        _ = try await dropDeletion(of: place.id)
        #expect(try device.event(event.id) == event)
        #expect(await device.sync().pending == 0)
        #expect(try device.server.event(event.id) == event && device.event(event.id) == event)
    }

    @Test("leaves a reference as its person has set it since", arguments: [false, true])
    func referenceSetSince(toAnother: Bool) async throws {
        let (event, place) = try await eventWithoutItsPlace(isSynced: false)
        let other = try await device.engine.create(makeGeofence())
        if toAnother {
            try await device.edit(event.id) { $0.geofenceId = other.id }
        } else {
            let create = try #require(try device.mutation(of: event.id, .create))
            try await device.engine.editMutation(id: create.id, changes: ["geofence_id": .null])
        }
        _ = try await dropDeletion(of: place.id)
        #expect(await device.sync().pending == 0)
        #expect(try device.event(event.id)?.geofenceId == (toAnother ? other.id : nil))
        #expect(try device.server.event(event.id) == device.event(event.id))
    }

    @Test("of a type keeps an edit whose event was deleted elsewhere meanwhile, and lists it")
    func editOfWhatIsGone() async throws {
        let event = try await device.syncedCoffee()
        try await device.edit(event.id) { $0.notes = "ours" }
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try device.server.delete(.event, event.id)
        _ = try await dropDeletion(of: device.coffee.id)
        #expect(await device.sync().pending == 0)
        #expect(try device.conflicts.map(\.kind) == [.editedHereDeletedElsewhere])
        #expect(try device.event(event.id)?.notes == "ours")
        #expect(try device.server.event(event.id) == nil)
    }

    @Test("shows what others have made of the record since")
    func editedElsewhere() async throws {
        let event = try await device.syncedCoffee(notes: "first")
        try await device.engine.delete(Event.self, id: event.id)
        try await device.engine.clearPendingMutations()
        try device.server.change(.event, event.id, ["notes": "theirs"])
        await device.sync()
        #expect(try device.conflicts.map(\.kind) == [.deletedHereEditedElsewhere])
        _ = try await dropDeletion(of: event.id)
        #expect(try device.event(event.id)?.notes == "theirs" && device.conflicts.isEmpty)
        #expect(await device.sync().pushed == 0)
    }
}
