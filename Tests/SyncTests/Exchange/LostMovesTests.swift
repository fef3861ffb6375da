import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// Events that a restored server has beneath their former types again, which are deleted on the device.
@Suite("Moves that a server has lost, away from types that are deleted")
struct LostMovesTests {
    private let devices = TwoDevices()
    private var server: ExchangeServer { devices.server }
    private var a: Device { devices.a }

    private let tea = makeEventType(id: testId(42), name: "tea")
    private let cocoa = makeEventType(id: testId(44), name: "cocoa")

    /// Two events of one type beside two other types, and the backup of the server.
    private func start() async throws -> (moved: Event, other: Event, backup: ExchangeServer.Backup) {
        for type in [tea, cocoa] { try await a.engine.create(type) }
        let (moved, other) = (try await devices.shareEvent(), try await a.syncedCoffee(notes: "goes with its type"))
        return (moved, other, server.backup())
    }

    private func move(_ event: Event, to type: EventType) async throws {
        try await a.edit(event.id) { $0.eventTypeId = type.id }
    }

    /// Moves an event away, syncs, and deletes its former type.
    private func deleteType(of event: Event, movedTo type: EventType) async throws {
        try await move(event, to: type)
        await a.sync()
        try await a.engine.delete(EventType.self, id: a.coffee.id)
    }

    private func retryAll() async throws {
        for parked in try a.mutations([.parked]) { try await a.engine.retryMutation(id: parked.id) }
    }

    /// Expects that only moved events are left, of the types beside the deleted one.
    private func expectAgreement(on events: [String: EventType]) async throws {
        await devices.syncUntilQuiet()
        #expect(try Set(server.all(EventType.self).map(\.id)) == [tea.id, cocoa.id])
        #expect(
            try Dictionary(uniqueKeysWithValues: server.all(Event.self).map { ($0.id, $0.eventTypeId) })
                == events.mapValues(\.id))
        #expect(try a.open().isEmpty && Set(a.all(Event.self)) == Set(server.all(Event.self)))
        #expect(try Set(devices.b.all(Event.self)) == Set(server.all(Event.self)))
    }

    @Test("wait as edits, and the deletion waits for them", arguments: [false, true])
    func moved(isDeletionLost: Bool) async throws {
        let (event, _, backup) = try await start()
        try await a.edit(event.id) { ($0.eventTypeId, $0.notes) = (tea.id, "lost") }
        await a.sync()
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        if isDeletionLost { await a.sync() }
        server.restore(backup, underItsName: true)
        try server.create(makeEvent(id: testId(43), eventTypeId: a.coffee.id, notes: "from others"))
        let report = await a.sync()
        #expect(report.lostMoves == 1 && report.lostDeletions == (isDeletionLost ? 1 : 0))
        #expect(try a.all(Event.self).map(\.id) == [event.id] && a.event(event.id)?.eventTypeId == tea.id)
        #expect(try a.open().map(\.operation) == [.update, .delete] && server.event(event.id) == event)
        #expect(try a.parkReason(of: event.id)?.code == .lostByServer)
        #expect(try a.conflicts.filter { $0.kind == .field }.map(\.field) == ["notes"])
        #expect(try a.conflicts.filter { $0.kind != .field }.map(\.entityId) == [testId(43)])
        try await retryAll()
        try await expectAgreement(on: [event.id: tea])
    }

    @Test("wait too where the server has lost the other type as well")
    func toLostType() async throws {
        let (event, _, backup) = try await start()
        let new = try await a.engine.create(makeEventType(id: testId(45), name: "new"))
        try await deleteType(of: event, movedTo: new)
        await a.sync()
        server.restore(backup, underItsName: true)
        await a.sync()
        #expect(try a.event(event.id)?.eventTypeId == new.id)
        try await retryAll()
        await devices.syncUntilQuiet()
        #expect(try server.event(event.id)?.eventTypeId == new.id && a.open().isEmpty)
        #expect(try Set(server.all(EventType.self).map(\.id)) == [tea.id, cocoa.id, new.id])
    }

    @Test("are taken back, and then the record is where the server has it, and goes with its type")
    func dropped() async throws {
        let (event, _, backup) = try await start()
        try await deleteType(of: event, movedTo: tea)
        server.restore(backup, underItsName: true)
        await a.sync()
        try await a.engine.dropMutation(id: #require(try a.mutation(of: event.id)).id)
        #expect(try a.event(event.id) == nil)
        try await expectAgreement(on: [:])
    }

    @Test("are taken back, and what others have edited of the record since is listed as any edit of a deleted one")
    func droppedAndEdited() async throws {
        let (event, _, backup) = try await start()
        try await deleteType(of: event, movedTo: tea)
        server.restore(backup, underItsName: true)
        try server.change(.event, event.id, ["notes": "from others"])
        await a.sync()
        #expect(try a.event(event.id)?.eventTypeId == tea.id && a.event(event.id)?.notes == "from others")
        try await a.engine.dropMutation(id: #require(try a.mutation(of: event.id)).id)
        try await expectAgreement(on: [:])
        #expect(try a.conflicts.contains { $0.kind == .deletedHereEditedElsewhere && $0.entityId == event.id })
    }

    @Test("are no reason to bring back what had returned to its type, and was deleted with that")
    func returned() async throws {
        let (event, _, backup) = try await start()
        try await move(event, to: tea)
        await a.sync()
        try await move(event, to: a.coffee)
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        server.restore(backup, underItsName: true)
        await a.sync()
        #expect(try a.all(Event.self).isEmpty && a.mutations([.parked]).isEmpty)
        try await expectAgreement(on: [:])
    }

    @Test("are no reason to bring back what was seen in its type after another restore, and was deleted with that")
    func restoredTwice() async throws {
        let (event, _, backup) = try await start()
        try await move(event, to: tea)
        await a.sync()
        server.restore(backup, underItsName: true)
        await a.sync()
        #expect(try a.event(event.id)?.eventTypeId == a.coffee.id && a.conflicts.map(\.field) == ["event_type_id"])
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        await a.sync()
        server.restore(backup, underItsName: true)
        await a.sync()
        #expect(try a.all(Event.self).isEmpty && a.mutations([.parked]).map(\.operation) == [.delete])
    }

    @Test("are not repeated where the record was moved on since: the deletion waits for that")
    func movedOn() async throws {
        let (event, _, backup) = try await start()
        try await deleteType(of: event, movedTo: tea)
        try await move(event, to: cocoa)
        server.restore(backup, underItsName: true)
        await a.sync()
        #expect(try a.mutations([.parked]).isEmpty && a.event(event.id)?.eventTypeId == cocoa.id)
        try await expectAgreement(on: [event.id: cocoa])
    }

    @Test("leave the ledger with the deletion that took the place of the former one")
    func ledger() async throws {
        let (event, _, backup) = try await start()
        try await deleteType(of: event, movedTo: tea)
        server.restore(backup, underItsName: true)
        await a.sync()
        let open = try #require(try a.open().last)
        #expect(open.operation == .delete && open.state == .queued)
        let former = try a.mutations([.merged]).filter { $0.operation == .delete }
        #expect(former.map(\.state) == [.merged(into: open.id)])
    }
}
