import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("A record that was edited here and deleted elsewhere")
struct DeletedElsewhereTests {
    let devices = TwoDevices()
    private var a: Device { devices.a }
    private var b: Device { devices.b }

    private func editedAndDeleted() async throws -> (Event, SyncConflict) {
        let event = try await devices.shareEvent()
        try await b.engine.delete(Event.self, id: event.id)
        await b.sync()
        try await a.edit(event.id) { $0.notes = "edited" }
        await devices.syncUntilQuiet()
        #expect(try devices.server.event(event.id) == nil)
        #expect(try a.parkReason(of: event.id)?.code == .deletedElsewhere)
        #expect(try a.conflicts.count == 1 && a.event(event.id)?.notes == "edited")
        let conflict = try #require(try a.conflicts.first)
        #expect(conflict.kind == .editedHereDeletedElsewhere)
        #expect(conflict.localValue.objectValue?["notes"] == "edited")
        return (event, conflict)
    }

    @Test(
        "does not come back by itself, and is put back on every device when its person asks", arguments: [true, false])
    func putBack(byConflict: Bool) async throws {
        let (event, conflict) = try await editedAndDeleted()
        let parked = try #require(try a.mutations([.parked]).first)
        if byConflict {
            try await a.engine.restoreConflict(id: conflict.id)
        } else {
            try await a.engine.retryMutation(id: parked.id)
        }
        #expect(try a.conflicts.isEmpty && a.status(event.id) == .pending)
        await devices.syncUntilQuiet()
        #expect(try a.open().isEmpty && b.event(event.id)?.notes == "edited")
        #expect(try a.event(event.id) == b.event(event.id))
    }

    @Test("takes the edit over where somebody else has put it back, and there is nothing left to decide")
    func putBackElsewhere() async throws {
        let (event, _) = try await editedAndDeleted()
        var again = event
        again.locationName = "from B"
        try await b.engine.create(again)
        await devices.syncUntilQuiet()
        #expect(try a.conflicts.isEmpty && a.open().isEmpty)
        for device in [a, b] {
            #expect(try device.event(event.id)?.notes == "edited")
            #expect(try device.event(event.id)?.locationName == "from B")
        }
    }

    @Test("leaves nothing to decide where its person deletes it too, or makes it again", arguments: [true, false])
    func deletedHereToo(isMadeAgain: Bool) async throws {
        let (event, _) = try await editedAndDeleted()
        try await a.engine.delete(Event.self, id: event.id)
        #expect(try a.conflicts.isEmpty && a.open().isEmpty)
        if isMadeAgain { try await a.engine.create(event) }
        await devices.syncUntilQuiet()
        #expect(try a.event(event.id) == (isMadeAgain ? event : nil))
        #expect(try b.event(event.id) == a.event(event.id) && a.conflicts.isEmpty)
    }

    @Test("cannot be put back into a type that was deleted with it")
    func withoutParent() async throws {
        let event = try await devices.shareEvent()
        try await b.engine.delete(EventType.self, id: event.eventTypeId)
        await b.sync()
        try await a.edit(event.id) { $0.notes = "edited" }
        await a.sync()
        let conflict = try #require(try a.conflicts.first)
        let refusal = LedgerError.parentGone(
            entityType: .event, id: event.id, parent: .eventType, parentId: event.eventTypeId)
        await #expect(throws: refusal) { try await a.engine.restoreConflict(id: conflict.id) }
        #expect(try a.mutations([.parked]).count == 1 && a.mutations([.queued]).isEmpty)
        try await a.engine.dismissConflict(id: conflict.id)
        #expect(try a.event(event.id) == nil)
    }

    @Test("goes where that is accepted, with the edits")
    func accepted() async throws {
        let (event, conflict) = try await editedAndDeleted()
        try await a.engine.dismissConflict(id: conflict.id)
        #expect(try a.event(event.id) == nil && a.conflicts.isEmpty && a.open().isEmpty)
        #expect(try a.mutations([.dropped]).count == 1)
        await devices.syncUntilQuiet()
        #expect(try b.event(event.id) == nil && a.event(event.id) == nil)
    }

    @Test("is parked as of a deleted type where it was never sent, and goes with another type")
    func unsentOfDeletedType() async throws {
        let typeId = try await devices.shareEvent().eventTypeId
        let event = try await a.engine.create(makeEvent(eventTypeId: typeId, notes: "unsent"))
        try devices.server.delete(.eventType, typeId)
        await a.sync()
        let reason = try #require(try a.parkReason(of: event.id))
        #expect(reason.code == .blocked && reason.message.contains("event type"))
        #expect(reason.fields.map(\.field) == ["event_type_id"])
        #expect(try a.event(event.id) == event)
        let tea = try await a.engine.create(makeEventType(name: "tea"))
        let parked = try #require(try a.mutation(of: event.id))
        try await a.engine.editMutation(id: parked.id, changes: ["event_type_id": .string(tea.id)])
        await devices.syncUntilQuiet()
        #expect(try b.event(event.id)?.eventTypeId == tea.id && a.open().isEmpty)
    }
}

@Suite("A record that was deleted here and edited elsewhere")
struct DeletedHereTests {
    let devices = TwoDevices()
    private var a: Device { devices.a }
    private var b: Device { devices.b }

    /// - Parameter waits: Whether the server refuses the deletion.
    private func deletedAndEdited(waits: Bool) async throws -> (Event, SyncConflict) {
        let event = try await devices.shareEvent()
        try await b.edit(event.id) { $0.notes = "from B" }
        await b.sync()
        try await a.engine.delete(Event.self, id: event.id)
        if waits { devices.server.reject([event.id]) }
        await a.sync()
        devices.server.reject([])
        #expect(try a.event(event.id) == nil && a.conflicts.count == 1)
        #expect(try (devices.server.event(event.id) == nil) == !waits)
        let conflict = try #require(try a.conflicts.first)
        #expect(conflict.kind == .deletedHereEditedElsewhere)
        #expect(conflict.remoteValue.objectValue?["notes"] == "from B")
        return (event, conflict)
    }

    @Test("is made again as the other side has edited it", arguments: [false, true])
    func makeAgain(waits: Bool) async throws {
        let (event, conflict) = try await deletedAndEdited(waits: waits)
        try await a.engine.restoreConflict(id: conflict.id)
        #expect(try a.event(event.id)?.notes == "from B" && a.conflicts.isEmpty)
        #expect(try a.mutations([.parked]).isEmpty)
        await devices.syncUntilQuiet()
        #expect(try a.event(event.id) == b.event(event.id) && b.event(event.id)?.notes == "from B")
    }

    @Test("stays deleted where that is dismissed", arguments: [false, true])
    func dismiss(waits: Bool) async throws {
        let (event, conflict) = try await deletedAndEdited(waits: waits)
        try await a.engine.dismissConflict(id: conflict.id)
        for parked in try a.mutations([.parked]) { try await a.engine.retryMutation(id: parked.id) }
        await devices.syncUntilQuiet()
        #expect(try a.conflicts.isEmpty && a.event(event.id) == nil && b.event(event.id) == nil)
    }

    @Test(
        "is listed too where it went with its type, and so is what others made beneath that", arguments: [false, true])
    func withItsType(isDeletedItself: Bool) async throws {
        let event = try await devices.shareEvent()
        try await b.edit(event.id) { $0.notes = "from B" }
        let made = try await b.engine.create(makeEvent(eventTypeId: event.eventTypeId, notes: "new on B"))
        await b.sync()
        if isDeletedItself { try await a.engine.delete(Event.self, id: event.id) }
        try await a.engine.delete(EventType.self, id: event.eventTypeId)
        await devices.syncUntilQuiet()
        let conflicts = try a.conflicts
        #expect(conflicts.allSatisfy { $0.kind == .deletedHereEditedElsewhere } && conflicts.count == 2)
        #expect(Set(conflicts.map(\.entityId)) == [event.id, made.id])
        #expect(try b.conflicts.isEmpty && b.all(Event.self).isEmpty && a.open().isEmpty)
    }

    @Test(
        "is listed once, as it was edited last, and no more when the deletion is taken back", arguments: [false, true])
    func editedTwice(withType: Bool) async throws {
        let event = try await devices.shareEvent()
        if withType {
            try await a.engine.delete(EventType.self, id: event.eventTypeId)
        } else {
            try await a.engine.delete(Event.self, id: event.id)
        }
        try await a.engine.clearPendingMutations()
        for notes in ["b1", "b2"] {
            try await b.edit(event.id) { $0.notes = notes }
            await b.sync()
            await a.sync()
        }
        #expect(try a.conflicts.map { $0.remoteValue.objectValue?["notes"] } == ["b2"])
        let deletion = try #require(try a.mutations([.parked]).first)
        try await a.engine.dropMutation(id: deletion.id)
        #expect(try a.conflicts.isEmpty && a.event(event.id)?.notes == "b2")
        await devices.syncUntilQuiet()
        #expect(try a.open().isEmpty && b.event(event.id)?.notes == "b2")
    }

    @Test("stays listed when the record is made again as it was before that")
    func madeAgain() async throws {
        let event = try await devices.shareEvent()
        try await a.engine.delete(Event.self, id: event.id)
        try await a.engine.clearPendingMutations()
        try await b.edit(event.id) { $0.notes = "from B" }
        await b.sync()
        await a.sync()
        try await a.engine.create(event)
        #expect(try a.conflicts.map { $0.remoteValue.objectValue?["notes"] } == ["from B"])
        await devices.syncUntilQuiet()
        #expect(try a.conflicts.count == 1 && b.event(event.id) == event)
    }

    @Test(
        "is none where the type was deleted here after the event was logged or edited, and no answer came",
        arguments: [false, true])
    func deletedWithType(isLogged: Bool) async throws {
        let shared = try await devices.shareEvent()
        let event = isLogged ? try await a.logCoffee(notes: "logged") : shared
        if !isLogged { try await a.edit(event.id) { $0.notes = "edited" } }
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        await a.loseNext(.loseAnswer(.timeout))
        for _ in 0..<2 {
            await a.sync()
            a.wallClock.advance(bySeconds: 3600)
        }
        #expect(try a.conflicts.isEmpty && a.open().isEmpty && a.event(event.id) == nil)
    }

    @Test("is none where only an edit of its own had arrived, that had no answer and was cleared")
    func editedHereBefore() async throws {
        let event = try await devices.shareEvent()
        try await a.edit(event.id) { $0.notes = "again" }
        await a.loseNext()
        await a.sync()
        try await a.engine.clearPendingMutations()
        try await a.engine.delete(Event.self, id: event.id)
        #expect(try a.event(event.id) == nil)
        await devices.syncUntilQuiet()
        #expect(try a.conflicts.isEmpty && b.conflicts.isEmpty && a.open().isEmpty)
        #expect(try devices.server.event(event.id) == nil && b.event(event.id) == nil)
    }

    @Test("is none where nobody else did anything")
    func alone() async throws {
        let event = try await devices.shareEvent()
        try await a.edit(event.id) { $0.notes = "again" }
        try await a.logCoffee(notes: "more")
        await a.sync()
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        await devices.syncUntilQuiet()
        #expect(try a.conflicts.isEmpty && b.conflicts.isEmpty && a.open().isEmpty)
    }

    @Test("does not delete what others have made again, though its create was on its way when it was deleted")
    func madeAgainElsewhere() async throws {
        _ = try await devices.shareEvent()
        let event = try await a.logCoffee(notes: "logged")
        await a.loseNext()
        await a.sync()
        try await a.engine.delete(Event.self, id: event.id)
        // The create is answered, and the deletion does not get through.
        await a.network.beforeEachCall { call in
            let sent = call.exchange?.mutations ?? []
            if sent.contains(where: { $0.operation == .delete }) { throw APIError.connection("reset") }
        }
        await a.sync()
        await a.network.beforeEachCall(nil)
        await b.sync()
        try await b.engine.delete(Event.self, id: event.id)
        await b.sync()
        a.wallClock.advance(bySeconds: 3600)
        await a.engine.forceFullResync()
        #expect(try a.open().isEmpty)
        try await b.engine.create(event)
        await devices.syncUntilQuiet()
        #expect(try a.event(event.id) == event && b.event(event.id) == event && a.open().isEmpty)
    }
}
