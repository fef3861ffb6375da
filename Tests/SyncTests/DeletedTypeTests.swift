import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("An event whose type was deleted elsewhere")
struct DeletedTypeTests {
    private let devices = TwoDevices()
    private var a: Device { devices.a }

    /// An event that was logged here and never sent, and whose type another device has deleted since.
    private func unsentOfDeletedType() async throws -> Event {
        let typeId = try await devices.shareEvent().eventTypeId
        let event = try await a.engine.create(makeEvent(eventTypeId: typeId, notes: "unsent"))
        try await a.network.remove(EventType.self, id: typeId)
        _ = await a.engine.performSync()
        return event
    }

    @Test("is refused for its type, and said to be that of a deleted type and not to be deleted itself")
    func reason() async throws {
        let event = try await unsentOfDeletedType()
        let reason = try #require(try a.parkReason(of: event.id))
        #expect(reason.code == .deletedElsewhere)
        #expect(reason.message == "its event type was deleted")
        #expect(reason.fields.map(\.field) == ["event_type_id"])
        let conflict = try #require(try await a.engine.conflicts().first { $0.entityId == event.id })
        #expect(conflict.kind == .editedHereDeletedElsewhere)
        #expect(conflict.field == "event_type_id")
    }

    @Test("is put back with another type, or once its type is there again")
    func mended() async throws {
        let event = try await unsentOfDeletedType()
        let parked = try #require(try a.mutations([.parked]).first { $0.entityId == event.id })
        await #expect(throws: LedgerError.self) { try await a.engine.retryMutation(id: parked.id) }
        let tea = try await a.engine.create(makeEventType(name: "tea"))
        try await a.engine.editMutation(id: parked.id, changes: ["event_type_id": .string(tea.id)])
        try await a.engine.retryMutation(id: parked.id)
        await devices.syncUntilQuiet()
        #expect(try devices.b.event(event.id)?.entity.eventTypeId == tea.id)
        #expect(try await a.engine.conflicts().filter { $0.entityId == event.id } == [])
    }
}

@Suite("The same type made on two devices, unlike")
struct UnlikeTwinTests {
    @Test("lists what was made here as what lost, and not as the other side's")
    func sides() async throws {
        let devices = TwoDevices()
        var theirs = devices.a.coffee
        theirs.icon = "circle.fill"
        try await devices.a.engine.create(theirs)
        _ = await devices.a.engine.performSync()
        devices.tick()
        var ours = makeEventType(name: theirs.name)
        ours.icon = "leaf"
        try await devices.b.engine.create(ours)
        await devices.syncUntilQuiet()
        let conflicts = try await devices.b.engine.conflicts().filter { $0.field == "icon" }
        #expect(conflicts.map(\.localValue) == ["circle.fill"])
        #expect(conflicts.map(\.remoteValue) == ["leaf"])
        try await devices.b.engine.restoreConflict(id: try #require(conflicts.first).id)
        await devices.syncUntilQuiet()
        #expect(try devices.a.store().findEventType(id: theirs.id)?.icon == "leaf")
    }
}
