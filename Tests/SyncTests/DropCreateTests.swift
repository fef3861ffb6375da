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

    @Test("that somebody else has made under its id shows what the server has")
    func madeElsewhere() async throws {
        // Found by the simulator, seed 950923: two devices had brought the same record back.
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let event = try await device.logCoffee(notes: "mine")
        let id = try create(of: event.id).id
        #expect(try await device.engine.clearPendingMutations() == 1)
        var theirs = event
        theirs.notes = "theirs"
        try await device.network.put(theirs)
        _ = await device.engine.performSync()
        try await device.engine.dropMutation(id: id)
        for _ in 0..<2 { #expect(await device.engine.performSync().pending == 0) }
        #expect(try device.event(event.id)?.entity.notes == "theirs")
        #expect(try await device.network.record(Event.self, id: event.id)?.notes == "theirs")
    }

    @Test("that follows a deletion which waits leaves the record deleted, whatever the server has shown of it since")
    func madeAnewBeforeDeletion() async throws {
        let clock = ManualWallClock()
        let device = Device(MockNetworkClient(clock: clock), wallClock: clock)
        let event = try await device.logCoffee(notes: "mine")
        _ = await device.engine.performSync()
        try await device.engine.delete(Event.self, id: event.id)
        #expect(try await device.engine.clearPendingMutations() == 1)
        try await device.engine.create(event)
        var theirs = event
        theirs.notes = "theirs"
        clock.advance(bySeconds: 1)
        try await device.network.put(theirs)
        _ = await device.engine.performSync()
        #expect(try device.event(event.id)?.server.updatedAt != nil)
        let create = try #require(try device.mutations([.queued]).first { $0.operation == .create })
        try await device.engine.dropMutation(id: create.id)
        #expect(try device.event(event.id) == nil)
        let deletion = try #require(try device.mutations().last { $0.operation == .delete })
        try await device.engine.retryMutation(id: deletion.id)
        for _ in 0..<2 { #expect(await device.engine.performSync().pending == 0) }
        #expect(try device.event(event.id) == nil)
        #expect(try await device.network.record(Event.self, id: event.id) == nil)
    }

    @Test("that was put back, after its deletion was dropped too, leaves what the server has, and what was moved there")
    func keptOnServer() async throws {
        // Found by the simulator, seed 3011347: the move was taken back, though its target was there.
        let tea = try await device.engine.create(makeEventType(name: "tea"))
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: tea.id)
        var anew = tea
        anew.icon = "leaf"
        try await device.engine.create(anew)
        try await device.edit(event.id) { $0.eventTypeId = tea.id }
        for operation in [MutationOperation.delete, .create] {
            let waiting = try device.mutations([.queued]).first { $0.entityId == tea.id && $0.operation == operation }
            try await device.engine.dropMutation(id: try #require(waiting).id)
        }
        #expect(try device.store().findEventType(id: tea.id) == tea)
        #expect(try device.event(event.id)?.entity.eventTypeId == tea.id)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await device.network.record(Event.self, id: event.id)?.eventTypeId == tea.id)
        #expect(try device.event(event.id)?.entity.eventTypeId == tea.id)
        #expect(try await device.network.record(EventType.self, id: tea.id)?.entity == tea)
    }

    @Test("that was put back takes it away where its deletion may have arrived before that was given up")
    func deletionMayHaveArrived() async throws {
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .delete)
        _ = await device.engine.performSync()
        try await device.engine.create(device.coffee)
        try await device.engine.clearPendingMutations()
        for mutation in try device.mutations([.parked]) { try await device.engine.dropMutation(id: mutation.id) }
        #expect(try device.store().findEventType(id: device.coffee.id) == nil)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try device.store().findEventType(id: device.coffee.id) == nil)
        #expect(try await device.network.record(EventType.self, id: device.coffee.id) == nil)
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
        #expect(create.state == .sending)
        let summary = try await device.engine.dropMutation(id: create.id)
        #expect(summary.queuesDeletion)
        #expect(try device.event(event.id) == nil && state(create.id) == .dropped)
        #expect(try device.mutations([.queued]).map(\.operation) == [.delete])
        _ = await device.engine.performSync()
        #expect(try await device.network.events.isEmpty)
        #expect(try device.event(event.id) == nil)
    }

    @Test("that is under way cannot be given up")
    func underWay() async throws {
        let event = try await device.logCoffee()
        let (create, engine, network) = (try create(of: event.id), device.engine, device.network)
        await network.beforeEachCall { call in
            guard call.operation == .createBatch else { return }
            await #expect(throws: LedgerError.sending(create.id)) { try await engine.dropMutation(id: create.id) }
        }
        #expect(await engine.performSync().pushed > 0)
        #expect(try state(create.id) == .accepted)
    }

    @Test("on which the server fails without end can be given up, and another one goes in its place")
    func failsForEver() async throws {
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let event = try await device.logCoffee(notes: "poison")
        let failure = MockAnswer.fail(APIError.http(status: 500, problem: ProblemDetails()))
        await device.network.always(failure, for: .createBatch)
        await device.network.always(failure, for: .create)
        for _ in 0..<3 { _ = await device.engine.performSync() }
        let create = try create(of: event.id)
        #expect(create.state == .sending)
        _ = try await device.engine.dropMutation(id: create.id)
        await device.network.always(nil, for: .createBatch)
        await device.network.always(nil, for: .create)
        let other = try await device.logCoffee(notes: "well")
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await device.network.events.map(\.id) == [other.id])
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
