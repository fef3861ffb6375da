import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// A home folder is copied to a second machine, a phone is set up from another one, or a store is restored from a snapshot
/// of its file system. No store knows that of itself.
@Suite("A store that was copied")
struct CopiedStoreTests {
    private let clock: ManualWallClock
    private let server: ExchangeServer
    private let a: Device

    init() {
        clock = ManualWallClock()
        server = ExchangeServer(clock: clock)
        a = Device(server, wallClock: clock, seed: 1)
    }

    /// A device that goes on with a copy of the store as it is now.
    private func copy(_ seed: UInt64 = 2) -> Device {
        Device(server, wallClock: clock, seed: seed, stores: a.stores.copy())
    }

    private func settle(_ devices: Device...) async {
        for _ in 0..<4 { for device in devices { await device.sync() } }
    }

    /// All devices show what the server has, and no key has stood for two payloads.
    private func expectAgreement(_ id: String, notes: String?, _ devices: Device...) throws {
        #expect(try server.event(id)?.notes == notes)
        for device in devices {
            #expect(try device.event(id) == server.event(id) && device.open().isEmpty)
        }
        let sent = Dictionary(grouping: server.sent, by: \.key).mapValues { Set($0.map(Payload.init)) }
        #expect(sent.filter { $0.value.count > 1 }.isEmpty)
    }

    private struct Payload: Hashable {
        let record: RecordKey
        let operation: MutationOperation
        let data: JSONValue?

        init(_ mutation: SyncMutation) {
            record = RecordKey(mutation.entityType, mutation.entityId)
            operation = mutation.operation
            data = mutation.data
        }
    }

    private func listed(_ device: Device) throws -> [JSONValue] { try device.conflicts.map(\.remoteValue) }

    // MARK: Edits

    @Test("sends an edit that has joined a create which the original has sent")
    func editOfCreate() async throws {
        let event = try await a.logCoffee(notes: "first")
        let b = copy()
        await a.sync()
        try await b.edit(event.id) { $0.notes = "edited" }
        await settle(b, a)
        try expectAgreement(event.id, notes: "edited", a, b)
    }

    @Test("sends an edit that has joined an edit which the original has sent", arguments: [false, true])
    func editOfEdit(isInFlight: Bool) async throws {
        let event = try await a.syncedCoffee(notes: "first")
        try await a.edit(event.id) { $0.notes = "second" }
        if isInFlight {
            await a.loseNext()
            await a.sync()
        }
        let b = copy()
        await a.sync()
        try await b.edit(event.id) { $0.notes = "third" }
        try await b.edit(event.id) { $0.isAllDay = true }
        await settle(b, a)
        try expectAgreement(event.id, notes: "third", a, b)
        #expect(try server.event(event.id)?.isAllDay == true)
    }

    @Test("keeps the edits of both, one in the record and one in the list")
    func bothEdit() async throws {
        let event = try await a.logCoffee(notes: "first")
        let b = copy()
        try await a.edit(event.id) { $0.notes = "A" }
        try await b.edit(event.id) { $0.notes = "B" }
        await settle(a, b)
        try expectAgreement(event.id, notes: "B", a, b)
        #expect(try listed(b) == ["A"])
    }

    @Test("takes what two other copies have joined to the same edit")
    func threeCopies() async throws {
        let event = try await a.syncedCoffee(notes: "first")
        try await a.edit(event.id) { $0.notes = "second" }
        let (b, c) = (copy(), copy(3))
        try await a.edit(event.id) { $0.locationName = "A" }
        try await b.edit(event.id) { $0.isAllDay = true }
        await settle(a, b, c)
        try expectAgreement(event.id, notes: "second", a, b, c)
        let there = try #require(try server.event(event.id))
        #expect(there.locationName == "A" && there.isAllDay)
        #expect(try a.conflicts.isEmpty && b.conflicts.isEmpty && c.conflicts.isEmpty)
    }

    @Test("sends a deletion that has taken the place of an edit which the original has sent")
    func deletionOfEdit() async throws {
        let event = try await a.syncedCoffee(notes: "first")
        try await a.edit(event.id) { $0.notes = "second" }
        let b = copy()
        await a.sync()
        try await b.engine.delete(Event.self, id: event.id)
        await settle(b, a)
        try expectAgreement(event.id, notes: nil, a, b)
        #expect(try server.event(event.id) == nil)
    }

    @Test("sends what a person has made of a refused change, after the original has sent another")
    func editOfParked() async throws {
        try await a.logCoffee()
        await a.sync()
        let event = try await a.logCoffee(notes: "refused")
        server.reject([event.id])
        await a.sync()
        let b = copy()
        server.reject([])
        try await a.engine.retryMutation(id: #require(try a.mutation(of: event.id)).id)
        await a.sync()
        try await b.engine.editMutation(id: #require(try b.mutation(of: event.id)).id, changes: ["notes": "mended"])
        await settle(b, a)
        try expectAgreement(event.id, notes: "mended", a, b)
    }

    @Test("does not take for its own what the server made of the same edit over another version")
    func replayOverAnotherBase() async throws {
        let event = try await a.syncedCoffee(notes: "first")
        try await a.edit(event.id) { $0.notes = "second" }
        let b = copy()
        try server.change(.event, event.id, ["location_name": "theirs"])
        await b.sync()
        // The original has sent the edit as well, and its next one waits behind it.
        await a.loseNext(.loseRequest(.connection("reset")))
        await a.sync()
        try await a.edit(event.id) { $0.locationName = "ours" }
        await settle(a, b)
        try expectAgreement(event.id, notes: "second", a, b)
        #expect(try server.event(event.id)?.locationName == "ours" && listed(a) == ["theirs"])
    }

    @Test("that is restored from a snapshot sends what is written from there on")
    func rolledBack() async throws {
        let event = try await a.logCoffee(notes: "first")
        let snapshot = copy()
        try await a.edit(event.id) { $0.notes = "second" }
        await a.sync()
        try await a.edit(event.id) { $0.notes = "third" }
        try await a.logCoffee(notes: "since")
        await a.sync()
        // From here on there is only what was in the snapshot.
        try await snapshot.edit(event.id) { $0.notes = "after the snapshot" }
        await settle(snapshot)
        try expectAgreement(event.id, notes: "after the snapshot", snapshot)
        #expect(try snapshot.conflicts.map(\.remoteValue) == ["third"])
        #expect(try snapshot.all(Event.self).count == 2)
    }

    @Test("tells of a change that has become another one what became of that")
    func outcome() async throws {
        let event = try await a.logCoffee(notes: "first")
        let id = try #require(try a.mutation(of: event.id)).id
        let b = copy()
        await a.sync()
        try await b.edit(event.id) { $0.notes = "joined" }
        #expect(try b.mutation(of: event.id)?.id == id)
        await settle(b)
        #expect(try await b.engine.outcome(of: id) == .accepted)
    }

    // MARK: What was given up

    @Test(
        "deletes what it deletes before its first sync, whoever syncs first", arguments: [false, true], [false, true])
    func deletion(copyFirst: Bool, isDropped: Bool) async throws {
        try await a.logCoffee()
        await a.sync()
        let event = try await a.logCoffee(notes: "first")
        let b = copy()
        if !copyFirst { await a.sync() }
        if isDropped {
            try await b.engine.dropMutation(id: #require(try b.mutation(of: event.id)).id)
        } else {
            try await b.engine.delete(Event.self, id: event.id)
        }
        await settle(b, a)
        try expectAgreement(event.id, notes: nil, a, b)
        #expect(try server.event(event.id) == nil && a.conflicts.isEmpty && b.conflicts.isEmpty)
    }

    @Test(
        "asks what the server has of a record, whatever becomes of the edit that asked",
        arguments: Loss.allCases, [false, true])
    fileprivate func lostQuestion(loss: Loss, isEdited: Bool) async throws {
        let event = try await a.logCoffee(notes: "first")
        let b = copy()
        await a.sync()
        try await a.engine.delete(Event.self, id: event.id)
        await a.sync()
        let cut = b.restarted { $0.requestsPerCycle = 2 }
        if isEdited { await cut.whileSending { try await cut.edit(event.id) { $0.notes = "edited" } } }
        // Its create was carried out once, before all that the device has received.
        await cut.sync()
        let open = try #require(try b.open().first { $0.entityId == event.id })
        let shown = try #require(try b.event(event.id))
        #expect(open.operation == .update)
        switch loss {
        case .dropped: try await b.engine.dropMutation(id: open.id)
        case .clearedAndDropped:
            try await b.engine.clearPendingMutations()
            try await b.engine.dropMutation(id: open.id)
        case .deletionUndone:
            try await b.engine.delete(Event.self, id: event.id)
            try await b.engine.create(shown)
        }
        await settle(b, a)
        if loss == .deletionUndone {
            // The person has kept the record, and decides.
            #expect(try b.parkReason(of: event.id)?.code == .deletedElsewhere)
        } else {
            try expectAgreement(event.id, notes: nil, a, b)
        }
    }

    @Test("lists what the original has edited of that")
    func deletionOfEdited() async throws {
        let event = try await a.logCoffee(notes: "first")
        let b = copy()
        try await a.edit(event.id) { $0.notes = "edited" }
        await a.sync()
        try await b.engine.delete(Event.self, id: event.id)
        await settle(b, a)
        try expectAgreement(event.id, notes: nil, a, b)
        let conflict = try #require(try b.conflicts.first)
        #expect(conflict.kind == .deletedHereEditedElsewhere && conflict.remoteValue["notes"] == "edited")
    }

    @Test("deletes a type with its events, and lists an event of the original that it has not seen")
    func deletionOfParent() async throws {
        let event = try await a.logCoffee(notes: "first")
        let b = copy()
        let unseen = try await a.logCoffee(notes: "unseen")
        await a.sync()
        try await b.engine.delete(EventType.self, id: a.coffee.id)
        #expect(try b.all(Event.self).isEmpty)
        await settle(b, a)
        try expectAgreement(event.id, notes: nil, a, b)
        #expect(try server.all(Event.self).isEmpty && server.all(EventType.self).isEmpty)
        #expect(try b.conflicts.map(\.entityId) == [unseen.id])
    }

    @Test(
        "deletes what another copy sends after the deletion, if its own create did not arrive",
        arguments: [false, true])
    func lostCreate(isDropped: Bool) async throws {
        try await a.logCoffee()
        await a.sync()
        let event = try await a.logCoffee(notes: "first")
        let b = copy()
        await a.loseNext(.loseRequest(.connection("reset")))
        await a.sync()
        try await a.engine.clearPendingMutations()
        if isDropped {
            try await a.engine.dropMutation(id: #require(try a.mutation(of: event.id)).id)
        } else {
            try await a.engine.delete(Event.self, id: event.id)
        }
        await a.sync()
        #expect(try a.open().isEmpty)
        await settle(b, a)
        try expectAgreement(event.id, notes: nil, a, b)
        #expect(try server.event(event.id) == nil && a.conflicts.isEmpty && b.conflicts.isEmpty)
        // Whoever makes it again now means it.
        try await b.engine.create(event)
        await settle(b, a)
        try expectAgreement(event.id, notes: "first", a, b)
    }

    @Test("asks before it deletes what another device imports, though its own import did not arrive and was deleted")
    func lostImport() async throws {
        let b = Device(server, wallClock: clock, seed: 3)
        try await a.engine.create(a.coffee)
        await settle(a, b)
        let event = makeEvent(id: testId(200), eventTypeId: a.coffee.id, notes: "imported")
        try await a.engine.perform { _ = try $0.adoptMissing([event]) }
        await a.loseNext(.loseRequest(.connection("reset")))
        await a.sync()
        try await a.engine.clearPendingMutations()
        try await a.engine.delete(Event.self, id: event.id)
        await a.sync()
        try await b.engine.perform { try $0.adopt(event) }
        await settle(b, a)
        try await expectQuestions([event], b)
    }

    /// The first device asks whether it is to delete what the other has imported, and deletes it or shows it as its person wishes.
    private func expectQuestions(_ events: [Event], _ b: Device) async throws {
        for event in events {
            #expect(try server.event(event.id) != nil && b.event(event.id) != nil && a.event(event.id) == nil)
            #expect(try a.mutation(of: event.id)?.operation == .delete)
            #expect(try a.parkReason(of: event.id)?.code == .madeElsewhere)
        }
        let kept = try #require(events.last)
        for event in events {
            let deletion = try #require(try a.mutation(of: event.id)).id
            if event == kept {
                try await a.engine.dropMutation(id: deletion)
            } else {
                try await a.engine.retryMutation(id: deletion)
            }
        }
        await settle(a, b)
        for event in events { try expectAgreement(event.id, notes: event == kept ? event.notes : nil, a, b) }
        #expect(try a.conflicts.isEmpty && b.conflicts.isEmpty)
    }

    @Test("deletes what was deleted before its type, also if the deletion of the type is given up")
    func deletionBeforeParent() async throws {
        try await a.logCoffee()
        await a.sync()
        let event = try await a.logCoffee(notes: "first")
        let b = copy()
        await a.sync()
        try await b.engine.delete(Event.self, id: event.id)
        try await b.engine.delete(EventType.self, id: event.eventTypeId)
        let cut = b.restarted { $0.requestsPerCycle = 1 }
        await cut.sync()
        let deletion = try #require(try b.open().first { $0.entityType == .eventType })
        try await b.engine.dropMutation(id: deletion.id)
        await settle(b, a)
        try expectAgreement(event.id, notes: nil, a, b)
        #expect(try b.all(EventType.self).count == 1 && server.event(event.id) == nil)
    }

    @Test("keeps what a person makes again, and what others make again later")
    func madeAgain() async throws {
        var event = try await a.logCoffee(notes: "first")
        let b = copy()
        try await b.engine.delete(Event.self, id: event.id)
        event.notes = "again"
        try await b.engine.create(event)
        await a.sync()
        await settle(b, a)
        try expectAgreement(event.id, notes: "again", a, b)
        try await a.edit(event.id) { $0.notes = "later" }
        await settle(a, b)
        try expectAgreement(event.id, notes: "later", a, b)

        let other = try await a.logCoffee(notes: "other")
        let c = copy(3)
        await a.sync()
        try await c.engine.delete(Event.self, id: other.id)
        await settle(c, a)
        try await a.engine.create(other)
        await settle(a, c)
        try expectAgreement(other.id, notes: "other", a, c)
    }

    @Test(
        "asks before it deletes what another device has imported, though it has taken back its own import of the same",
        arguments: [false, true])
    func importedByOthers(isDropped: Bool) async throws {
        let b = Device(server, wallClock: clock, seed: 3)
        try await a.engine.create(a.coffee)
        await settle(a, b)
        let events = (1...3).map { makeEvent(id: testId(UInt64(200 + $0)), eventTypeId: a.coffee.id, notes: "\($0)") }
        #expect(try await a.engine.perform { try $0.adoptMissing(events) } == 3)
        for event in events {
            if isDropped {
                try await a.engine.dropMutation(id: #require(try a.mutation(of: event.id)).id)
            } else {
                try await a.engine.delete(Event.self, id: event.id)
            }
        }
        try await b.engine.perform { writes in for event in events { try writes.adopt(event) } }
        await settle(b, a)
        try await expectQuestions(events, b)
    }

    @Test("asks before it deletes what the original has sent of an import that was undone on the copy")
    func importUndone() async throws {
        try await a.engine.create(a.coffee)
        await settle(a)
        let event = makeEvent(id: testId(200), eventTypeId: a.coffee.id, notes: "imported")
        try await a.engine.perform { try $0.adopt(event) }
        let b = copy()
        try await a.engine.delete(Event.self, id: event.id)
        await settle(b, a)
        try await expectQuestions([event], b)
    }

    @Test("asks before it deletes what another device has sent anew to a restored server, though it was deleted here")
    func retriedElsewhere() async throws {
        try await a.engine.create(a.coffee)
        await settle(a)
        let state = server.backup()
        let event = try await a.logCoffee(notes: "first")
        let b = Device(server, wallClock: clock, seed: 3)
        await settle(a, b)
        server.restore(state, underItsName: false)
        await settle(a, b)
        #expect(try a.parkReason(of: event.id)?.code == .lostByServer)
        try await a.engine.delete(Event.self, id: event.id)
        await settle(a)
        try await b.engine.retryMutation(id: try #require(try b.mutations([.parked]).first).id)
        await settle(b, a)
        try await expectQuestions([event], b)
    }

    @Test("deletes what was given up, brought back and given up again, though the original has sent it")
    func givenUpTwice() async throws {
        let event = try await a.logCoffee(notes: "mine")
        let b = copy()
        await b.sync()
        try await a.engine.delete(Event.self, id: event.id)
        try await a.engine.perform { try $0.adopt(event) }
        try await a.engine.delete(Event.self, id: event.id)
        await settle(a, b)
        #expect(try server.event(event.id) == nil)
    }

    @Test("remembers what was given up however long ago, and the latest 10,000 of that")
    func bounds() async throws {
        let event = try await a.logCoffee(notes: "first")
        let (b, c) = (copy(), copy(3))
        await a.sync()
        try await b.engine.delete(Event.self, id: event.id)
        let before = clock.now().advanced(bySeconds: -60_000)
        try c.tamper { store in
            for number in 0..<GivenUpRecord.limit {
                try store.putDocument(
                    GivenUpRecord(
                        id: "event-\(number)", digest: "", givenUpAt: before.advanced(bySeconds: Double(number))))
            }
        }
        try await c.engine.delete(Event.self, id: event.id)
        await settle(c)
        let kept = try c.store().fetchDocuments(GivenUpRecord.self)
        #expect(kept.count == GivenUpRecord.limit - 1 && !kept.contains { $0.id == "event-0" })
        #expect(try server.event(event.id) == nil)
        try server.create(makeEvent(id: event.id, eventTypeId: a.coffee.id, notes: "first"))
        // No time forgets it: the clock may be wrong.
        clock.advance(bySeconds: 365 * 86_400)
        await settle(b)
        #expect(try server.event(event.id) == nil)
    }

    // MARK: What was taken back

    /// The event with its type is deleted here, before a copy is made that sends the deletion.
    private func deletedByCopy(_ event: Event, withType: Bool) async throws {
        if withType {
            try await a.engine.delete(EventType.self, id: a.coffee.id)
        } else {
            try await a.engine.delete(Event.self, id: event.id)
        }
        let b = copy()
        await b.sync()
        #expect(try server.event(event.id) == nil)
    }

    private func takeBack(_ event: Event, withType: Bool, isDropped: Bool) async throws {
        if isDropped {
            try await a.engine.dropMutation(id: #require(try a.mutation(of: withType ? a.coffee.id : event.id)).id)
        } else if withType {
            try await a.engine.create(a.coffee)
        } else {
            try await a.engine.create(event)
        }
        #expect(try a.event(event.id)?.notes == "first" && a.open().isEmpty)
    }

    @Test(
        "asks about a record whose deletion it takes back after the original has sent it",
        arguments: [false, true], [false, true])
    func deletionTakenBack(isDropped: Bool, isFull: Bool) async throws {
        let event = try await a.syncedCoffee(notes: "first")
        try await deletedByCopy(event, withType: false)
        try await takeBack(event, withType: false, isDropped: isDropped)
        if isFull { await a.engine.forceFullResync() } else { await a.sync() }
        #expect(try a.event(event.id)?.notes == "first")
        let conflict = try #require(try a.conflicts.first)
        #expect(conflict.kind == .editedHereDeletedElsewhere && conflict.entityId == event.id)
        try await a.engine.restoreConflict(id: conflict.id)
        await settle(a)
        try expectAgreement(event.id, notes: "first", a)
    }

    @Test(
        "leaves their values to others who make a record again whose deletion it has taken back",
        arguments: [false, true])
    func madeAgainByOthers(isEdited: Bool) async throws {
        let event = try await a.syncedCoffee(notes: "first")
        let b = Device(server, wallClock: clock, seed: 3)
        await b.sync()
        try await deletedByCopy(event, withType: false)
        try await takeBack(event, withType: false, isDropped: false)
        for device in [a, b] { await device.sync() }
        #expect(try a.parkReason(of: event.id)?.code == .deletedElsewhere)
        if isEdited { try await a.edit(event.id) { $0.locationName = "here" } }
        var anew = event
        anew.notes = "theirs"
        try await b.engine.create(anew)
        await settle(b, a)
        try expectAgreement(event.id, notes: "theirs", a, b)
        #expect(try a.conflicts.isEmpty && a.event(event.id)?.locationName == (isEdited ? "here" : nil))
    }

    @Test("asks about a record that a restored conflict has kept before the original sent its deletion again")
    func deletionTakenBackByConflict() async throws {
        let event = try await a.syncedCoffee(notes: "first")
        try await a.engine.delete(Event.self, id: event.id)
        let b = copy()
        try server.change(.event, event.id, ["notes": "theirs"])
        // The deletion meets the edit, and waits for the next sync.
        await a.restarted { $0.requestsPerCycle = 1 }.sync()
        let conflict = try #require(try a.conflicts.first)
        #expect(conflict.kind == .deletedHereEditedElsewhere)
        try await a.engine.restoreConflict(id: conflict.id)
        #expect(try a.event(event.id)?.notes == "theirs" && a.open().isEmpty)
        await settle(b)
        #expect(try server.event(event.id) == nil)
        await a.sync()
        #expect(try a.event(event.id)?.notes == "theirs")
        #expect(try a.conflicts.map(\.kind) == [.editedHereDeletedElsewhere])
    }

    @Test("asks about the records of a type whose deletion it takes back after the original has sent it")
    func deletionOfParentTakenBack() async throws {
        let event = try await a.syncedCoffee(notes: "first")
        try await deletedByCopy(event, withType: true)
        try await takeBack(event, withType: true, isDropped: false)
        await a.sync()
        #expect(try a.event(event.id)?.notes == "first")
        #expect(try Set(a.conflicts.map(\.entityId)) == [event.id, a.coffee.id])
    }

    @Test("takes a deletion for what it is that others make after all was received")
    func laterDeletion() async throws {
        let event = try await a.syncedCoffee(notes: "first")
        try await a.engine.delete(Event.self, id: event.id)
        try await takeBack(event, withType: false, isDropped: false)
        clock.advance(bySeconds: 1)
        await a.sync()
        try server.delete(.event, event.id)
        await settle(a)
        try expectAgreement(event.id, notes: nil, a)
        #expect(try a.conflicts.isEmpty)
    }
}

/// What can become of an edit that asks.
private enum Loss: CaseIterable {
    case dropped, clearedAndDropped, deletionUndone
}
