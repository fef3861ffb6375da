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

    @Test("a reference that has gone out without the record is put back by an edit")
    func sentReference() async throws {
        let place = try await device.engine.create(makeGeofence())
        _ = await device.engine.performSync()
        try await device.engine.create(device.coffee)
        let event = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id, geofenceId: place.id))
        try await device.engine.delete(Geofence.self, id: place.id)
        let refusal = APIError.http(status: 422, problem: ProblemDetails(status: 422))
        await device.network.enqueue(.fail(refusal), for: .delete)
        _ = await device.engine.performSync()
        #expect(try await device.network.record(Event.self, id: event.id)?.entity.geofenceId == nil)
        let deletion = try #require(try device.mutations([.parked]).first)
        try await device.engine.dropMutation(id: deletion.id)
        #expect(try device.event(event.id)?.entity.geofenceId == place.id)
        _ = await device.engine.performSync()
        #expect(try device.mutations([.queued, .sending, .parked]).isEmpty)
        #expect(try await device.network.record(Event.self, id: event.id)?.entity.geofenceId == place.id)
        #expect(try device.event(event.id)?.entity == event)
    }

    @Test(
        "a reference comes back by an edit where the server may have the record without it", arguments: [false, true])
    func perhapsSentReference(retries: Bool) async throws {
        // Found by the simulator, seed 211057.
        let place = try await device.engine.create(makeGeofence())
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let event = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id, geofenceId: place.id))
        try await device.engine.delete(Geofence.self, id: place.id)
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        try await device.engine.clearPendingMutations()
        let parked = try device.mutations([.parked])
        let create = try #require(parked.first { $0.operation == .create })
        if retries { try await device.engine.retryMutation(id: create.id) }
        try await device.engine.dropMutation(id: try #require(parked.first { $0.operation == .delete }).id)
        #expect(try device.event(event.id)?.entity.geofenceId == place.id)
        if !retries { try await device.engine.retryMutation(id: create.id) }
        _ = await device.engine.performSync()
        #expect(try device.mutations([.queued, .sending, .parked]).isEmpty)
        #expect(try await device.network.record(Event.self, id: event.id)?.entity == event)
        #expect(try device.event(event.id)?.entity == event)
    }

    @Test("an edit that was under way is shown again with its reference", arguments: [false, true])
    func underWayWithReference(typeIsDeleted: Bool) async throws {
        // Found by the simulator, seed 2503611: the event came back with its type, and stayed without its place.
        let place = try await device.engine.create(makeGeofence())
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.geofenceId = place.id }
        await device.network.enqueue(.fail(APIError.timeout), for: .update)
        _ = await device.engine.performSync()
        #expect(try device.mutations([.sending]).map(\.entityId) == [event.id])
        if typeIsDeleted { try await device.engine.delete(EventType.self, id: device.coffee.id) }
        try await device.engine.delete(Geofence.self, id: place.id)
        let deletions = try device.mutations([.queued]).filter { $0.operation == .delete }
        for type in [EntityType.eventType, .geofence] {
            if type == .geofence { #expect(try device.event(event.id)?.entity.geofenceId == nil) }
            guard let deletion = deletions.first(where: { $0.entityType == type }) else { continue }
            try await device.engine.dropMutation(id: deletion.id)
        }
        #expect(try device.event(event.id)?.entity.geofenceId == place.id)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try device.mutations([.queued, .sending, .parked]).isEmpty)
        #expect(try await device.network.record(Event.self, id: event.id)?.geofenceId == place.id)
        #expect(try device.event(event.id)?.entity.geofenceId == place.id)
    }

    @Test("an edit that the server may have with its reference goes again as it was")
    func perhapsSentWithReference() async throws {
        let place = try await device.engine.create(makeGeofence())
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.geofenceId = place.id }
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .update)
        _ = await device.engine.performSync()
        try await device.engine.clearPendingMutations()
        try await device.engine.delete(Geofence.self, id: place.id)
        let deletion = try #require(try device.mutations([.queued]).first { $0.operation == .delete })
        try await device.engine.dropMutation(id: deletion.id)
        for mutation in try device.mutations([.parked]) { try await device.engine.retryMutation(id: mutation.id) }
        _ = await device.engine.performSync()
        #expect(try device.mutations([.queued, .sending, .parked]).isEmpty)
        #expect(try await device.network.record(Event.self, id: event.id)?.geofenceId == place.id)
        #expect(try device.event(event.id)?.entity.geofenceId == place.id)
    }

    @Test("a reference comes back to what another deletion covers, where both are given up")
    func coveredReference() async throws {
        // Found by the simulator, seed 132043.
        let place = try await device.engine.create(makeGeofence())
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let event = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id, geofenceId: place.id))
        try await device.engine.delete(Geofence.self, id: place.id)
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        let deletions = try device.mutations([.queued]).filter { $0.operation == .delete }
        for id in [place.id, device.coffee.id] {
            let deletion = try #require(deletions.first { $0.entityId == id })
            try await device.engine.dropMutation(id: deletion.id)
        }
        #expect(try device.event(event.id)?.entity == event)
        _ = await device.engine.performSync()
        #expect(try await device.network.record(Event.self, id: event.id)?.entity == event)
    }

    @Test("puts a reference back into an edit that went without an answer, and that a bootstrap took it out of")
    func referenceTakenByBootstrap() async throws {
        // Found by the simulator, seed 3003490: the edit went without it.
        let place = try await device.engine.create(makeGeofence())
        let event = try await device.logCoffee()
        await device.network.enqueue(.fail(APIError.timeout), for: .getLatestCursor)
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.geofenceId = place.id }
        await device.network.enqueue(.fail(APIError.rateLimited(retryAfter: nil)), for: .update)
        _ = await device.engine.performSync()
        try await device.engine.delete(Geofence.self, id: place.id)
        try await device.engine.clearPendingMutations()
        #expect(await device.engine.performSync().bootstrapped)
        let (edit, deletion) = (try device.mutations([.parked])[0], try device.mutations([.parked])[1])
        try await device.engine.retryMutation(id: edit.id)
        try await device.engine.dropMutation(id: deletion.id)
        #expect(try device.event(event.id)?.entity.geofenceId == place.id)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await device.network.record(Event.self, id: event.id)?.entity.geofenceId == place.id)
        #expect(try device.event(event.id)?.entity.geofenceId == place.id)
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

    @Test("leaves a reference as its person has set it since")
    func referenceSetSince() async throws {
        // Found by the simulator, seed 1140.
        let place = try await device.engine.create(makeGeofence())
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let event = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id, geofenceId: place.id))
        try await device.engine.delete(Geofence.self, id: place.id)
        let open = try device.mutations([.queued])
        let create = try #require(open.first { $0.operation == .create })
        try await device.engine.editMutation(id: create.id, changes: ["geofence_id": .null, "notes": "here"])
        try await device.engine.dropMutation(id: try #require(open.first { $0.operation == .delete }).id)
        #expect(try device.event(event.id)?.entity.geofenceId == nil)
    }

    @Test("leaves a reference as its person has set it since, also where the server may have heard of another")
    func referenceSetAfterLostAnswer() async throws {
        // Found by the simulator, seed 132080.
        let place = try await device.engine.create(makeGeofence())
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let event = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id, geofenceId: place.id))
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        #expect(try await device.network.record(Event.self, id: event.id)?.geofenceId == place.id)
        try await device.engine.clearPendingMutations()
        try await device.engine.delete(Geofence.self, id: place.id)
        let open = try device.mutations([.queued, .parked])
        let create = try #require(open.first { $0.operation == .create })
        try await device.engine.editMutation(id: create.id, changes: ["geofence_id": .null, "notes": "here"])
        try await device.engine.dropMutation(id: try #require(open.first { $0.operation == .delete }).id)
        #expect(await device.engine.performSync().pending == 0)
        let there = try #require(try await device.network.record(Event.self, id: event.id))
        #expect(there.geofenceId == nil && there.notes == "here")
        #expect(try device.event(event.id)?.entity == there.entity)
    }

    @Test("leaves a reference that its person has set to another record since, also where that one is given up")
    func referenceMovedSince() async throws {
        // Found by the simulator, seed 101142.
        let place = try await device.engine.create(makeGeofence())
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let event = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id, geofenceId: place.id))
        try await device.engine.delete(Geofence.self, id: place.id)
        let other = try await device.engine.create(makeGeofence())
        try await device.edit(event.id) { $0.geofenceId = other.id }
        let open = try device.mutations([.queued])
        try await device.engine.dropMutation(id: try #require(open.first { $0.entityId == other.id }).id)
        try await device.engine.dropMutation(id: try #require(open.first { $0.operation == .delete }).id)
        #expect(try device.event(event.id)?.entity.geofenceId == nil)
        #expect(await device.engine.performSync().pending == 0)
        let there = try #require(try await device.network.record(Event.self, id: event.id))
        #expect(there.geofenceId == nil)
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

    @Test("gives a reference back that outlives another edit of the record, which is given up")
    func referenceByItself() async throws {
        // Found by the simulator, seed 850827.
        let place = try await device.engine.create(makeGeofence())
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let event = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id, geofenceId: place.id))
        try await device.engine.delete(Geofence.self, id: place.id)
        await device.network.enqueue(.fail(APIError.timeout), for: .delete)
        _ = await device.engine.performSync()
        #expect(try await device.network.record(Event.self, id: event.id)?.entity.geofenceId == nil)
        try await device.edit(event.id) { $0.notes = "given up" }
        try await device.engine.clearPendingMutations()
        let deletion = try #require(try device.mutations([.parked]).first { $0.operation == .delete })
        let edit = try #require(try device.mutations([.parked]).first { $0.operation == .update })
        try await device.engine.dropMutation(id: deletion.id)
        try await device.engine.dropMutation(id: edit.id)
        #expect(try device.event(event.id)?.entity == event)
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
