import Foundation
import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Dropping a deletion")
struct DropDeleteTests {
    let device = Device()

    @Test("brings the record back, and the next sync its children")
    func bringsBack() async throws {
        let event = try await device.logCoffee(notes: "kept")
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        #expect(try device.event(event.id) == nil)
        let deletion = try #require(try device.mutations([.queued]).first)
        let summary = try await device.engine.dropMutation(id: deletion.id)
        #expect(summary.restored == [.eventType: 1] && summary.asksFullResync)
        #expect(try device.store().find(EventType.self, id: device.coffee.id)?.syncStatus == .synced)
        let report = await device.engine.performSync()
        #expect(report.bootstrapped && report.pushed == 0)
        #expect(try device.event(event.id)?.entity == event)
        #expect(try await device.network.eventTypes.count == 1)
    }

    @Test("brings unsent work back that the deletion had swallowed")
    func unsentWork() async throws {
        let synced = try await device.logCoffee(notes: "synced")
        _ = await device.engine.performSync()
        try await device.edit(synced.id) { $0.notes = "edited" }
        let unsent = try await device.logCoffee(notes: "unsent")
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        #expect(try device.mutations([.queued]).count == 1)
        let summary = try await device.engine.dropMutation(id: try device.mutations([.queued])[0].id)
        #expect(summary.reopened.count == 2 && summary.restored == [.eventType: 1, .event: 1])
        #expect(try device.event(unsent.id)?.syncStatus == .pending)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await device.network.record(Event.self, id: unsent.id)?.notes == "unsent")
        #expect(try await device.network.record(Event.self, id: synced.id)?.notes == "edited")
        #expect(try device.event(synced.id)?.entity.notes == "edited")
    }

    @Test("puts back what waiting changes said of the record", arguments: [false, true])
    func references(isSynced: Bool) async throws {
        // Found by the simulator, seeds 767 and 1112.
        let place = try await device.engine.create(makeGeofence())
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        if isSynced { try await device.edit(event.id) { $0.geofenceId = place.id } }
        let unsent = makeEvent(eventTypeId: device.coffee.id, geofenceId: place.id)
        try await device.engine.create(unsent)
        try await device.engine.delete(Geofence.self, id: place.id)
        #expect(try device.event(unsent.id)?.entity.geofenceId == nil)
        let deletion = try #require(try device.mutations([.queued]).first { $0.operation == .delete })
        try await device.engine.dropMutation(id: deletion.id)
        let ids = [unsent.id] + (isSynced ? [event.id] : [])
        for id in ids { #expect(try device.event(id)?.entity.geofenceId == place.id) }
        #expect(await device.engine.performSync().pending == 0)
        for id in ids { #expect(try await device.network.record(Event.self, id: id)?.geofenceId == place.id) }
    }

    @Test("of a type lets an edit go whose event was deleted elsewhere meanwhile, as a listing shows before it is sent")
    func editOfWhatIsGone() async throws {
        // Found by the simulator, seed 3005513: the edit waited for a record that was nowhere.
        let devices = TwoDevices()
        let event = try await devices.shareEvent()
        try await devices.a.edit(event.id) { $0.notes = "ours" }
        try await devices.a.engine.delete(EventType.self, id: event.eventTypeId)
        try await devices.b.engine.delete(Event.self, id: event.id)
        #expect(await devices.b.engine.performSync().pending == 0)
        devices.tick()
        let deletion = try #require(try devices.a.mutations([.queued]).first { $0.operation == .delete })
        try await devices.a.engine.dropMutation(id: deletion.id)
        // One with an id of long ago has the sync hear first what others say.
        try await devices.a.engine.create(makeEvent(eventTypeId: event.eventTypeId))
        let before = await devices.network.callCount(.update)
        #expect(await devices.a.engine.performSync().pending == 0)
        #expect(await devices.network.callCount(.update) == before)
        #expect(try devices.a.event(event.id) == nil)
        #expect(try devices.a.mutations([.queued, .sending, .parked]) == [])
    }

    @Test("is refused where what the record belongs to was deleted too, and changes nothing")
    func parentGone() async throws {
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await device.engine.delete(Event.self, id: event.id)
        let deletion = try #require(try device.mutations([.queued]).first)
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        let refusal = LedgerError.parentGone(
            entityType: .event, id: event.id, parent: .eventType, parentId: device.coffee.id)
        await #expect(throws: refusal) { try await device.engine.dropMutation(id: deletion.id) }
        #expect(try device.store().findMutation(id: deletion.id)?.state == .queued)
        #expect(!device.stores.isWriteLocked)
    }

    @Test("gives the deletions up that followed it unheard, and brings back what was there before the last")
    func deletedAgain() async throws {
        // Found by the simulator, seed 820255: what was deleted by itself in between came back.
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let (kept, deleted) = (try await device.logCoffee(notes: "kept"), try await device.logCoffee())
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        let first = try #require(try device.mutations([.queued]).first { $0.entityId == device.coffee.id })
        try await bringBack([kept, deleted])
        try await device.engine.delete(Event.self, id: deleted.id)
        try await device.edit(kept.id) { $0.notes = "edited" }
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        let unheard = try device.mutations([.merged]).filter { $0.operation == .delete }.map(\.id)
        try await device.engine.dropMutation(id: first.id)
        #expect(try device.mutations([.dropped]).map(\.id) == [first.id] + unheard)
        #expect(try device.event(kept.id)?.entity.notes == "edited")
        #expect(try device.event(deleted.id) == nil)
        for _ in 0..<2 { #expect(await device.engine.performSync().pending == 0) }
        #expect(try await device.network.record(Event.self, id: kept.id)?.notes == "edited")
        #expect(try await device.network.record(Event.self, id: deleted.id) == nil)
    }

    @Test("leaves what was deleted by itself when the record was there anew")
    func deletedByItself() async throws {
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        let deletion = try #require(try device.mutations([.queued]).first)
        try await bringBack([event])
        try await device.engine.delete(Event.self, id: event.id)
        let creation = try #require(try device.mutations([.queued]).first { $0.operation == .create })
        try await device.engine.dropMutation(id: creation.id)
        try await device.engine.dropMutation(id: deletion.id)
        #expect(try device.store().findEventType(id: device.coffee.id) != nil)
        for _ in 0..<2 { #expect(await device.engine.performSync().pending == 0) }
        #expect(try device.event(event.id) == nil)
        #expect(try await device.network.record(Event.self, id: event.id) == nil)
    }

    @Test("brings unsent work back too that was not made anew with the record")
    func unsentOfFirstLife() async throws {
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let event = try await device.logCoffee(notes: "unsent")
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        let deletion = try #require(try device.mutations([.queued]).first)
        try await bringBack([])
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try await device.engine.dropMutation(id: deletion.id)
        for _ in 0..<2 { #expect(await device.engine.performSync().pending == 0) }
        #expect(try device.event(event.id)?.entity == event)
        #expect(try await device.network.record(Event.self, id: event.id)?.entity == event)
    }

    @Test("keeps what others have made of the record since", arguments: [true, false])
    func editedElsewhere(isRestored: Bool) async throws {
        let clock = ManualWallClock()
        let network = MockNetworkClient(clock: clock)
        let device = Device(network, wallClock: clock)
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        clock.advance(bySeconds: 60)
        try await device.engine.delete(Event.self, id: event.id)
        let deletion = try #require(try device.mutations([.queued]).first)
        try await device.engine.create(event)
        try await device.engine.delete(Event.self, id: event.id)
        try await device.engine.clearPendingMutations()
        var theirs = event
        theirs.notes = "theirs"
        try await network.put(theirs)
        _ = await device.engine.performSync()
        if isRestored {
            let conflict = try #require(try await device.engine.conflicts().first)
            try await device.engine.restoreConflict(id: conflict.id)
        } else {
            try await device.engine.dropMutation(id: deletion.id)
        }
        for _ in 0..<3 { _ = await device.engine.performSync() }
        #expect(try await network.record(Event.self, id: event.id)?.entity == theirs)
        #expect(try device.event(event.id)?.entity == theirs)
        #expect(try device.mutations([.queued, .sending, .parked]) == [])
    }

    private func bringBack(_ events: [Event]) async throws {
        try await device.engine.perform { [device] writes in
            try writes.create(device.coffee)
            for event in events { try writes.create(event) }
        }
    }
}
