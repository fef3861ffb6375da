import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// A create has arrived, its answer was lost, and another device has changed the record since. This device receives that version
/// before the answer to the create.
@Suite("A version that comes while a create is in doubt")
struct CreateInDoubtTests {
    private let device = Device()

    /// Logs an event without an answer, has it changed by another device, and receives that version while the server fails on
    /// the create.
    ///
    /// - Parameter isParked: Whether the server fails until the create is parked.
    private func receiveEarly(_ changes: RecordDocument, isParked: Bool = false) async throws -> Event {
        _ = try await device.syncedCoffee()
        let event = try await device.logCoffee(notes: "first")
        await device.loseNext()
        await device.sync()
        try device.server.change(.event, event.id, .object(changes))
        await device.fail([event.id])
        for _ in 0..<(isParked ? 6 : 1) {
            try await device.engine.create(makeEventType(name: freshId()))
            await device.sync()
        }
        await device.engine.forceFullResync()
        #expect(try device.parkReason(of: event.id)?.code == (isParked ? .blamed : nil))
        #expect(try device.mutation(of: event.id)?.operation == .create && device.conflicts.isEmpty)
        return event
    }

    private func heal() async {
        await device.heal()
        for _ in 0..<3 { await device.sync() }
    }

    @Test("is listed where the deletion of the parent takes it along", arguments: [false, true])
    func parentDeleted(isParked: Bool) async throws {
        let event = try await receiveEarly(["notes": "theirs"], isParked: isParked)
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        await heal()
        #expect(try device.server.event(event.id) == nil && device.event(event.id) == nil)
        let conflict = try #require(try device.conflicts.first { $0.entityId == event.id })
        #expect(conflict.kind == .deletedHereEditedElsewhere && conflict.remoteValue["notes"] == "theirs")
        #expect(try device.conflicts.count == 1)
    }

    @Test("is listed with the others' values where its parent is deleted already")
    func parentDeletedBefore() async throws {
        _ = try await device.syncedCoffee()
        let event = try await device.logCoffee(notes: "first")
        await device.loseNext()
        await device.sync()
        try device.server.change(.event, event.id, ["notes": "theirs"])
        await device.fail([event.id, device.coffee.id])
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        await device.engine.forceFullResync()
        #expect(try device.conflicts.map(\.remoteValue["notes"]) == ["theirs"])
        await heal()
        #expect(try device.server.event(event.id) == nil)
        #expect(try device.conflicts.map(\.kind) == [.deletedHereEditedElsewhere])
        #expect(try device.conflicts.map(\.remoteValue["notes"]) == ["theirs"])
    }

    @Test("is listed where it is moved beneath another parent, which is deleted here")
    func movedAndDeleted() async throws {
        let tea = makeEventType(name: "tea")
        try await device.engine.create(tea)
        let event = try await receiveEarly(["event_type_id": .string(tea.id)])
        try await device.engine.delete(EventType.self, id: tea.id)
        await heal()
        #expect(try device.server.event(event.id) == nil && device.event(event.id) == nil && device.open().isEmpty)
        #expect(try device.conflicts.map(\.kind) == [.deletedHereEditedElsewhere])
    }

    @Test("is listed where it only clears a value, and the record is deleted here")
    func clearedAndDeleted() async throws {
        let event = try await receiveEarly(["notes": .null])
        try await device.engine.delete(Event.self, id: event.id)
        await heal()
        #expect(try device.server.event(event.id) == nil && device.open().isEmpty)
        #expect(try device.conflicts.map(\.kind) == [.deletedHereEditedElsewhere])
    }

    @Test("stands where an edit of other values takes the place of the create")
    func editedAfter() async throws {
        let event = try await receiveEarly(["notes": "theirs"])
        try await device.edit(event.id) { $0.isAllDay = true }
        try await device.engine.create(makeEventType(name: freshId()))
        await device.sync()
        await heal()
        let there = try #require(try device.server.event(event.id))
        #expect(try there.notes == "theirs" && there.isAllDay && device.event(event.id) == there)
        #expect(try device.open().isEmpty && device.conflicts.isEmpty)
    }

    @Test("stays deleted where it is of a later life than the create, and is deleted here after the create's answer")
    func laterLife() async throws {
        _ = try await device.syncedCoffee()
        let event = try await device.logCoffee(notes: "first")
        await device.loseNext()
        await device.sync()
        try device.server.delete(.event, event.id)
        var again = event
        again.notes = "again"
        try device.server.create(again)
        await device.fail([event.id])
        await device.engine.forceFullResync()
        await heal()
        #expect(try device.open().isEmpty && device.event(event.id)?.notes == "again")
        try await device.engine.delete(Event.self, id: event.id)
        try device.server.change(.event, event.id, ["notes": "theirs"])
        await heal()
        #expect(try device.server.event(event.id) == nil && device.open().isEmpty)
        #expect(try device.conflicts.map(\.kind) == [.deletedHereEditedElsewhere])
    }

    @Test("is no conflict where it says what a replaced edit has said")
    func ownValue() {
        let (create, edit, replaced) = (
            OpenOperation(.create(["id": "e", "notes": "first"]), key: "c", position: 1, isInFlight: true),
            OpenOperation(.update(FieldPatch([FieldPath("notes"): "third"])), key: "u", position: 3),
            OpenOperation(.update(FieldPatch([FieldPath("notes"): "second"])), key: "r", position: 2)
        )
        let record = OpenRecord(
            shape: RecordShape(fields: ["id", "notes"]),
            base: .document(["id": "e", "notes": "second"], revision: 7), operations: [create, edit])
        for (former, isListed) in [([], true), ([replaced], false)] {
            var accepted = record
            #expect(accepted.accept("c", revision: 0, beside: former).isEmpty != isListed)
            #expect(accepted.operations.map(\.key) == ["u"])
        }
    }

    @Test("is listed where what is left of the record shows another value")
    func overruled() {
        let create = OpenOperation(
            .create(["id": "e", "notes": "first", "color": "red"]), key: "c", position: 1, isInFlight: true)
        let edit = OpenOperation(.update(FieldPatch([FieldPath("notes"): "second"])), key: "u", position: 2)
        let theirs: RecordDocument = ["id": "e", "notes": "theirs", "color": "red", "icon": "cup"]
        let shape = RecordShape(fields: ["id", "notes", "color", "icon"])
        let record = OpenRecord(shape: shape, base: .document(theirs, revision: 7), operations: [create, edit])
        var left = record
        left.operations.removeFirst()
        let conflict = MergeConflict.value(FieldPath("notes"), ours: "second", theirs: "theirs", base: .null)
        #expect(record.overruled(by: left, beside: []) == [conflict])
        #expect(record.overruled(by: record, beside: []).isEmpty)
        left.base = .tombstone(revision: 8, last: nil)
        #expect(record.overruled(by: left, beside: []) == [.editedElsewhere(theirs: theirs)])
        left.operations = [OpenOperation(.create(["id": "e", "notes": "anew"]), key: "n", position: 3)]
        #expect(record.overruled(by: left, beside: []) == [.editedElsewhere(theirs: theirs)])
    }
}

extension JSONValue {
    fileprivate subscript(_ member: String) -> JSONValue? { objectValue?[member] }
}
