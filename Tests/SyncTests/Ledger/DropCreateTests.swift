import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Dropping a new record")
struct DropCreateTests {
    let device = Device()

    private func create(of id: String) throws -> PendingMutation { try #require(try device.mutation(of: id, .create)) }

    private func expectNowhere(_ id: String) async throws {
        for _ in 0..<2 { #expect(await device.sync().pending == 0) }
        #expect(try device.event(id) == nil && device.server.event(id) == nil)
        #expect(try device.open().isEmpty && device.conflicts.isEmpty)
    }

    @Test("that was never sent takes it away, and the server never hears of it")
    func unsent() async throws {
        let event = try await device.logCoffee()
        let id = try create(of: event.id).id
        let preview = try await device.engine.previewDrop(id: id)
        #expect(try device.event(event.id) != nil && create(of: event.id).state == .queued)
        #expect(!device.stores.isWriteLocked)
        let summary = try await device.engine.dropMutation(id: id)
        #expect(summary == preview)
        #expect(summary.dropped == [id] && summary.removed == [.event: 1] && !summary.queuesDeletion)
        #expect(try device.event(event.id) == nil && create(of: event.id).state == .dropped)
        #expect(await device.engine.pendingCount == 1)
        try await expectNowhere(event.id)
        #expect(device.server.sent.map(\.entityId) == [device.coffee.id])
    }

    @Test("that may have arrived shows what another device has made of it")
    func editedElsewhere() async throws {
        try await device.engine.create(device.coffee)
        await device.sync()
        let event = try await device.logCoffee()
        await device.loseNext()
        await device.sync()
        try device.server.change(.event, event.id, ["notes": "theirs"])
        try await device.engine.dropMutation(id: create(of: event.id).id)
        await device.sync()
        let conflict = try #require(try device.conflicts.first)
        #expect(conflict.kind == .deletedHereEditedElsewhere && conflict.entityId == event.id)
        #expect(try device.server.event(event.id) == nil)
    }

    @Test("takes its unsent children along")
    func children() async throws {
        try await device.logCoffee()
        try await device.engine.create(makePropertyDefinition(eventTypeId: device.coffee.id))
        let summary = try await device.engine.dropMutation(id: try create(of: device.coffee.id).id)
        #expect(summary.removed == [.eventType: 1, .event: 1, .propertyDefinition: 1])
        #expect(try device.open().isEmpty)
        #expect(await device.sync().pushed == 0 && device.server.head == 0)
    }

    @Test("leaves a child whose reference can be cleared, without the reference")
    func clearedReference() async throws {
        let event = try await device.logCoffee()
        let place = try await device.engine.create(makeGeofence())
        try await device.edit(event.id) { $0.geofenceId = place.id }
        try await device.engine.dropMutation(id: try create(of: place.id).id)
        #expect(try device.event(event.id)?.geofenceId == nil)
        let report = await device.sync()
        #expect(report.pushed >= 2 && report.pending == 0 && report.parked == 0)
        #expect(try device.server.event(event.id) == device.event(event.id))
    }

    @Test("leaves a child alone that was deleted, and whose create may have arrived")
    func deletedChild() async throws {
        try await device.engine.create(device.coffee)
        await device.sync()
        let place = try await device.engine.create(makeGeofence())
        var event = makeEvent(eventTypeId: device.coffee.id)
        event.geofenceId = place.id
        try await device.engine.create(event)
        await device.loseNext()
        await device.sync()
        try await device.engine.delete(Event.self, id: event.id)
        try await device.engine.clearPendingMutations()
        try await device.engine.dropMutation(id: create(of: place.id).id)
        #expect(try device.event(event.id) == nil)
        #expect(try device.mutations([.parked]).last { $0.entityId == event.id }?.operation == .delete)
    }

    @Test("moves a record back that the server has and that was moved to it", arguments: [false, true])
    func movedChild(isEdited: Bool) async throws {
        let event = try await device.syncedCoffee(notes: "first")
        let tea = try await device.engine.create(makeEventType(name: "tea"))
        try await device.edit(event.id) {
            $0.eventTypeId = tea.id
            if isEdited { $0.notes = "second" }
        }
        let summary = try await device.engine.dropMutation(id: try create(of: tea.id).id)
        #expect(summary.removed == [.eventType: 1])
        let kept = try #require(try device.event(event.id))
        #expect(kept.eventTypeId == device.coffee.id && kept.notes == (isEdited ? "second" : "first"))
        #expect(try device.status(event.id) == (isEdited ? .pending : .synced))
        #expect(await device.sync().pushed == (isEdited ? 1 : 0))
        #expect(try device.server.event(event.id) == kept)
    }

    @Test("that may have arrived leaves it nowhere", arguments: [false, true], [false, true])
    func mayHaveArrived(arrived: Bool, isRetried: Bool) async throws {
        await device.sync()
        let event = try await device.logCoffee()
        await device.loseNext(arrived ? .loseAnswer(.connection("reset")) : .loseRequest(.connection("reset")))
        await device.sync()
        let create = try create(of: event.id)
        #expect(create.state == .sending)
        if isRetried {
            try await device.engine.clearPendingMutations()
            for parked in try device.open() { try await device.engine.retryMutation(id: parked.id) }
        }
        #expect(try await device.engine.dropMutation(id: create.id).queuesDeletion)
        #expect(try device.event(event.id) == nil && self.create(of: event.id).state == .dropped)
        try await expectNowhere(event.id)
    }

    @Test("that is under way cannot be given up")
    func underWay() async throws {
        let event = try await device.logCoffee()
        let (id, engine) = (try create(of: event.id).id, device.engine)
        await device.whileSending {
            await #expect(throws: LedgerError.sending(id)) { try await engine.dropMutation(id: id) }
        }
        #expect(await device.sync().pushed == 2)
        #expect(try create(of: event.id).state == .accepted)
    }

    @Test("on which the server fails without end can be given up, and another one goes in its place")
    func failsForEver() async throws {
        try await device.engine.create(device.coffee)
        await device.sync()
        let event = try await device.logCoffee(notes: "poison")
        await device.fail([event.id])
        for _ in 0..<3 { await device.sync() }
        #expect(try create(of: event.id).state == .sending)
        try await device.engine.dropMutation(id: try create(of: event.id).id)
        let other = try await device.logCoffee(notes: "well")
        #expect(await device.sync().failing == 1)
        #expect(try device.server.all(Event.self) == [other])
    }

    @Test("that was refused takes the edits with it that waited behind it")
    func refused() async throws {
        await device.sync()
        try await device.engine.create(device.coffee)
        device.server.reject(
            [device.coffee.id], errors: [FieldError(field: "icon", message: "is bad", code: "bad")])
        let (engine, coffee) = (device.engine, device.coffee)
        await device.whileSending {
            var renamed = coffee
            renamed.name = "tea"
            try await engine.update(renamed)
        }
        await device.sync()
        #expect(try device.mutations([.parked]).map(\.operation) == [.create, .update])
        let summary = try await engine.dropMutation(id: try create(of: coffee.id).id)
        #expect(summary.dropped.count == 2 && !summary.queuesDeletion)
        #expect(try device.open().isEmpty && device.find(EventType.self, coffee.id) == nil)
    }

    @Test("leaves a child that was moved to another parent since where it is", arguments: [false, true])
    func movedChild(canBeWithout: Bool) async throws {
        let event: Event
        let (tea, water) = (makeEventType(name: "tea"), makeEventType(name: "water"))
        let (gym, pool) = (makeGeofence(id: testId(40)), makeGeofence(id: testId(41)))
        if canBeWithout {
            try await device.engine.create(gym)
            event = try await device.logCoffee()
            try await device.edit(event.id) { $0.geofenceId = gym.id }
            try await device.engine.create(pool)
            try await device.edit(event.id) { $0.geofenceId = pool.id }
            try await device.engine.dropMutation(id: create(of: gym.id).id)
        } else {
            try await device.engine.create(tea)
            event = try await device.engine.create(makeEvent(eventTypeId: tea.id))
            try await device.engine.create(water)
            try await device.edit(event.id) { $0.eventTypeId = water.id }
            try await device.engine.dropMutation(id: create(of: tea.id).id)
        }
        for _ in 0..<2 { await device.sync() }
        let there = try #require(try device.server.event(event.id))
        #expect(canBeWithout ? there.geofenceId == pool.id : there.eventTypeId == water.id)
        #expect(try device.event(event.id) == there && device.open().isEmpty)
    }

    @Test("that was deleted and made again takes its children along")
    func madeAgain() async throws {
        let event = try await device.syncedCoffee(notes: "first")
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        await device.sync()
        try await device.engine.create(device.coffee)
        try await device.engine.create(event)
        try await device.engine.dropMutation(id: create(of: device.coffee.id).id)
        #expect(try device.all(Event.self).isEmpty && device.open().isEmpty)
        #expect(await device.sync().parked == 0)
        #expect(try device.server.all(Event.self).isEmpty && device.server.all(EventType.self).isEmpty)
    }
}
