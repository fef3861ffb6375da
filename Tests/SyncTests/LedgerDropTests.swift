import Foundation
import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Dropping a new record")
struct DropCreateTests {
    let device = Device()

    private func create(of entityId: String) throws -> PendingMutation {
        try #require(try device.mutations().first { $0.entityId == entityId && $0.operation == .create })
    }

    private func state(_ id: Int64) throws -> MutationState? { try device.store().findMutation(id: id)?.state }

    @Test("that was never sent takes it away, and the server never hears of it")
    func unsent() async throws {
        let event = try await device.logCoffee()
        let id = try create(of: event.id).id
        let preview = try await device.engine.previewDrop(id: id)
        #expect(try device.event(event.id) != nil && state(id) == .queued)
        #expect(!device.stores.isWriteLocked)
        let summary = try await device.engine.dropMutation(id: id)
        #expect(summary == preview)
        #expect(summary.dropped == [id] && summary.removed == [.event: 1] && !summary.queuesDeletion)
        #expect(try device.event(event.id) == nil && state(id) == .dropped)
        #expect(await device.engine.pendingCount == 1)
        _ = await device.engine.performSync()
        #expect(try await device.network.events.isEmpty)
        #expect(await device.network.callCount(.delete) == 0)
    }

    @Test("takes its unsent children along")
    func children() async throws {
        let event = try await device.logCoffee()
        let key = try await device.engine.create(makePropertyDefinition(eventTypeId: device.coffee.id))
        let summary = try await device.engine.dropMutation(id: try create(of: device.coffee.id).id)
        #expect(summary.removed == [.eventType: 1, .event: 1, .propertyDefinition: 1])
        #expect(Set(summary.dropped) == Set(try [device.coffee.id, event.id, key.id].map { try create(of: $0).id }))
        #expect(try device.mutations([.queued]).isEmpty)
        #expect(try device.mutations([.dropped]).count == 3)
        #expect(await device.engine.performSync().pushed == 0)
    }

    @Test("leaves a child whose reference can be cleared, without the reference")
    func clearedReference() async throws {
        let event = try await device.logCoffee()
        let place = try await device.engine.create(makeGeofence())
        try await device.edit(event.id) { $0.geofenceId = place.id }
        try await device.engine.dropMutation(id: try create(of: place.id).id)
        #expect(try device.event(event.id)?.entity.geofenceId == nil)
        let report = await device.engine.performSync()
        #expect(report.pushed == 2 && report.parked == 0)
        #expect(try await device.network.record(Event.self, id: event.id)?.geofenceId == nil)
    }

    @Test("moves a record back that the server has and that was moved to it")
    func movedChild() async throws {
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        let tea = try await device.engine.create(makeEventType(name: "tea"))
        try await device.edit(event.id) {
            $0.eventTypeId = tea.id
            $0.notes = "second"
        }
        let summary = try await device.engine.dropMutation(id: try create(of: tea.id).id)
        #expect(summary.removed == [.eventType: 1] && !summary.asksFullResync)
        let kept = try #require(try device.event(event.id))
        #expect(kept.entity.eventTypeId == device.coffee.id && kept.entity.notes == "second")
        #expect(kept.syncStatus == .pending)
        _ = await device.engine.performSync()
        #expect(await device.network.calls(.update).last?.body == ["notes": "second"])
    }

    @Test("moves it back without a trace where nothing else was changed")
    func onlyMovedChild() async throws {
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        let tea = try await device.engine.create(makeEventType(name: "tea"))
        try await device.edit(event.id) { $0.eventTypeId = tea.id }
        let summary = try await device.engine.dropMutation(id: try create(of: tea.id).id)
        #expect(summary.dropped.count == 2)
        #expect(try device.event(event.id)?.syncStatus == .synced)
        #expect(await device.engine.performSync().pushed == 0)
    }

    @Test("that may have arrived queues a deletion, so that both sides agree")
    func mayHaveArrived() async throws {
        let event = try await device.logCoffee()
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        let create = try create(of: event.id)
        await #expect(throws: LedgerError.sending(create.id)) {
            try await device.engine.dropMutation(id: create.id)
        }
        try await device.engine.clearPendingMutations()
        let summary = try await device.engine.dropMutation(id: create.id)
        #expect(summary.queuesDeletion)
        #expect(try device.event(event.id) == nil && state(create.id) == .dropped)
        #expect(try device.mutations([.queued]).map(\.operation) == [.delete])
        _ = await device.engine.performSync()
        #expect(try await device.network.events.isEmpty)
        #expect(try device.event(event.id) == nil)
    }

    @Test("that may have arrived and was put into the queue again does the same")
    func mayHaveArrivedAndRetried() async throws {
        let event = try await device.logCoffee()
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        try await device.engine.clearPendingMutations()
        let id = try create(of: event.id).id
        try await device.engine.retryMutation(id: id)
        #expect(try await device.engine.dropMutation(id: id).queuesDeletion)
    }

    @Test("that was refused takes the edits with it that waited behind it")
    func refused() async throws {
        let refusal = APIError.http(status: 422, problem: ProblemDetails(status: 422))
        await device.network.enqueue(.fail(APIError.timeout), for: .create, .eventType)
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        var renamed = device.coffee
        renamed.name = "tea"
        try await device.engine.update(renamed)
        await device.network.enqueue(.fail(refusal), for: .create, .eventType)
        _ = await device.engine.performSync()
        #expect(try device.mutations([.parked]).count == 1)
        let summary = try await device.engine.dropMutation(id: try create(of: device.coffee.id).id)
        #expect(summary.dropped.count == 2 && !summary.queuesDeletion)
        #expect(try device.mutations([.queued, .parked]).isEmpty)
        #expect(try device.store().findEventType(id: device.coffee.id) == nil)
    }

    @Test("is refused for what is settled or unknown")
    func settled() async throws {
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        let id = try create(of: event.id).id
        await #expect(throws: LedgerError.notOpen(id, .accepted)) { try await device.engine.dropMutation(id: id) }
        await #expect(throws: SyncEngineError.unknownMutation(99)) { try await device.engine.dropMutation(id: 99) }
    }
}

@Suite("Dropping an edit")
struct DropUpdateTests {
    let device = Device()

    private func syncedEvent() async throws -> Event {
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        return event
    }

    private func openUpdates() throws -> [PendingMutation] {
        try device.mutations([.queued, .parked, .sending]).filter { $0.operation == .update }
    }

    @Test("returns the fields to what they were")
    func fields() async throws {
        let event = try await syncedEvent()
        try await device.edit(event.id) {
            $0.notes = "second"
            $0.locationName = "here"
        }
        try await device.engine.dropMutation(id: try #require(try openUpdates().first).id)
        #expect(try device.event(event.id)?.entity == event)
        #expect(try device.event(event.id)?.syncStatus == .synced)
        #expect(await device.engine.performSync().pushed == 0)
    }

    @Test("leaves the fields that a later edit sets, which then begins from the former value")
    func laterEdit() async throws {
        let event = try await syncedEvent()
        await device.network.enqueue(.fail(APIError.timeout), for: .update)
        try await device.edit(event.id) {
            $0.notes = "second"
            $0.locationName = "here"
        }
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.notes = "third" }
        try await device.engine.clearPendingMutations()
        let updates = try openUpdates()
        #expect(updates.count == 2)
        try await device.engine.dropMutation(id: updates[0].id)
        let kept = try #require(try device.event(event.id)?.entity)
        #expect(kept.notes == "third" && kept.locationName == nil)
        let later = try #require(try openUpdates().first)
        #expect(try WireCoding.decode([String: JSONValue].self, from: try #require(later.base)) == ["notes": "first"])
        try await device.engine.retryMutation(id: later.id)
        let report = await device.engine.performSync()
        #expect(report.conflicts == 0 && report.pending == 0)
        #expect(try await device.network.record(Event.self, id: event.id)?.notes == "third")
    }

    @Test("returns a field to the value that another device gave it meanwhile, and settles the conflict")
    func rebased() async throws {
        let event = try await syncedEvent()
        await device.network.always(
            .fail(APIError.http(status: 422, problem: ProblemDetails(status: 422))), for: .update)
        try await device.edit(event.id) { $0.notes = "mine" }
        device.wallClock.advance(bySeconds: 5)
        try await device.network.edit(Event.self, id: event.id) { $0.notes = "theirs" }
        _ = await device.engine.performSync()
        #expect(try await device.engine.conflicts().count == 1)
        try await device.engine.dropMutation(id: try #require(try openUpdates().first).id)
        #expect(try device.event(event.id)?.entity.notes == "theirs")
        #expect(try await device.engine.conflicts().isEmpty)
    }

    @Test("of a record that was deleted elsewhere lets the record go")
    func deletedElsewhere() async throws {
        let event = try await syncedEvent()
        try await device.edit(event.id) { $0.notes = "second" }
        try await device.network.remove(Event.self, id: event.id)
        _ = await device.engine.performSync()
        #expect(try await device.engine.conflicts().count == 1)
        let summary = try await device.engine.dropMutation(id: try #require(try openUpdates().first).id)
        #expect(summary.removed == [.event: 1])
        #expect(try device.event(event.id) == nil)
        #expect(try await device.engine.conflicts().isEmpty)
    }
}

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
}
