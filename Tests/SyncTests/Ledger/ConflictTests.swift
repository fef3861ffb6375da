import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("A field that both sides changed")
struct FieldConflictTests {
    let devices = TwoDevices()
    private var a: Device { devices.a }
    private var b: Device { devices.b }

    /// Both sides change the note; the one of A wins, and A lists the one of B.
    private func fieldConflict() async throws -> (Event, SyncConflict) {
        let event = try await devices.shareEvent()
        try await b.edit(event.id) { $0.notes = "from B" }
        await b.sync()
        try await a.edit(event.id) { $0.notes = "from A" }
        await devices.syncUntilQuiet()
        #expect(try b.conflicts.isEmpty && b.event(event.id)?.notes == "from A")
        #expect(try a.conflicts.count == 1)
        return (event, try #require(try a.conflicts.first))
    }

    @Test("is listed once, and can be restored as an ordinary edit")
    func restore() async throws {
        let (event, conflict) = try await fieldConflict()
        #expect(conflict.kind == .field && conflict.field == "notes" && conflict.losingSide != .here)
        #expect(conflict.localValue == "from A" && conflict.remoteValue == "from B")
        try await a.engine.restoreConflict(id: conflict.id)
        #expect(try a.event(event.id)?.notes == "from B" && a.conflicts.isEmpty)
        await devices.syncUntilQuiet()
        #expect(try b.event(event.id)?.notes == "from B" && b.conflicts.isEmpty)
    }

    @Test("can be dismissed, which leaves what won")
    func dismiss() async throws {
        let (event, conflict) = try await fieldConflict()
        try await a.engine.dismissConflict(id: conflict.id)
        #expect(try a.event(event.id)?.notes == "from A")
        #expect(try a.conflicts.isEmpty && a.open().isEmpty)
    }

    @Test("is listed by its key where the field is a map, and only that key is restored")
    func mapKey() async throws {
        let event = try await devices.shareEvent()
        func set(_ size: String, _ device: Device, _ other: String) async throws {
            try await device.edit(event.id) {
                $0.properties["size"] = PropertyValue(type: .text, value: .string(size))
                $0.properties[other] = PropertyValue(type: .text, value: "x")
            }
        }
        try await set("big", b, "of b")
        await b.sync()
        try await set("small", a, "of a")
        await devices.syncUntilQuiet()
        let conflict = try #require(try a.conflicts.first)
        #expect(try a.conflicts.count == 1 && conflict.field == "properties" && conflict.key == "size")
        try await a.engine.restoreConflict(id: conflict.id)
        await devices.syncUntilQuiet()
        let there = try #require(try devices.server.event(event.id))
        #expect(there.properties["size"]?.value == "big" && there.properties.keys.sorted() == ["of a", "of b", "size"])
        #expect(try b.event(event.id) == there)
    }

    @Test("cannot be restored to a record that is gone; an unknown conflict is refused")
    func nothingToRestore() async throws {
        let (event, conflict) = try await fieldConflict()
        try await a.engine.delete(Event.self, id: event.id)
        await #expect(throws: LedgerError.recordGone(entityType: .event, id: event.id)) {
            try await a.engine.restoreConflict(id: conflict.id)
        }
        #expect(try a.conflicts.count == 1)
        await #expect(throws: LedgerError.unknownConflict("none")) { try await a.engine.restoreConflict(id: "none") }
        await #expect(throws: LedgerError.unknownConflict("none")) { try await a.engine.dismissConflict(id: "none") }
    }

    @Test("cannot be restored where it names a type that was deleted since")
    func parentGone() async throws {
        let event = try await devices.shareEvent()
        let lost = makeEventType(name: "lost")
        try a.tamper {
            try $0.putDocument(
                SyncConflict(
                    id: "c1", kind: .field, entityType: .event, entityId: event.id, field: "event_type_id",
                    localValue: .string(event.eventTypeId), remoteValue: .string(lost.id),
                    detectedAt: a.wallClock.now()))
        }
        let refusal = LedgerError.parentGone(entityType: .event, id: event.id, parent: .eventType, parentId: lost.id)
        await #expect(throws: refusal) { try await a.engine.restoreConflict(id: "c1") }
        #expect(try a.event(event.id) == event)
    }
}
