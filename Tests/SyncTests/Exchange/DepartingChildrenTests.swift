import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Records that are moved away from one that is deleted after that")
struct DepartingChildrenTests {
    private let devices = TwoDevices()
    private var a: Device { devices.a }
    private var b: Device { devices.b }

    private func expect(_ events: [String], beneath type: EventType) throws {
        for device in [a, b] {
            #expect(try device.all(EventType.self) == [type] && device.open().isEmpty)
            #expect(try device.all(Event.self).allSatisfy { $0.eventTypeId == type.id })
            #expect(try Set(device.all(Event.self).map(\.id)) == Set(events))
        }
    }

    @Test("stay, though the type that they move to turns out to be another device's")
    func toTwin() async throws {
        let event = try await devices.shareEvent()
        let ours = try await a.engine.create(makeEventType(name: "espresso"))
        let theirs = try await b.engine.create(makeEventType(name: "espresso"))
        await b.sync()
        try await a.edit(event.id) { $0.eventTypeId = ours.id }
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        await devices.syncUntilQuiet()
        try expect([event.id], beneath: theirs)
        #expect(try a.conflicts.isEmpty && b.conflicts.isEmpty)
    }

    @Test("stay while the server refuses to move them, and the deletion waits for that")
    func refusedMove() async throws {
        let event = try await devices.shareEvent()
        let tea = try await a.engine.create(makeEventType(name: "tea"))
        try await a.edit(event.id) { $0.eventTypeId = tea.id }
        devices.server.reject([event.id])
        await a.sync()
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        await devices.syncUntilQuiet()
        #expect(try b.event(event.id) == event && a.event(event.id)?.eventTypeId == tea.id)
        #expect(try a.open().map(\.operation) == [.update, .delete])
        devices.server.reject([])
        try await a.engine.retryMutation(id: #require(try a.mutation(of: event.id)).id)
        await devices.syncUntilQuiet()
        try expect([event.id], beneath: tea)
    }

    @Test("stay where the refused move is corrected, and the new type that it names goes first")
    func correctedMove() async throws {
        let event = try await devices.shareEvent()
        let tea = try await a.engine.create(makeEventType(name: "tea"))
        await devices.syncUntilQuiet()
        try await b.engine.delete(EventType.self, id: tea.id)
        await b.sync()
        try await a.edit(event.id) { $0.eventTypeId = tea.id }
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        await a.sync()
        #expect(try a.parkReason(of: event.id)?.code == .blocked)
        let cocoa = try await a.engine.create(makeEventType(name: "cocoa"))
        try await a.edit(event.id) { $0.eventTypeId = cocoa.id }
        #expect(try a.event(event.id)?.eventTypeId == cocoa.id)
        await devices.syncUntilQuiet()
        try expect([event.id], beneath: cocoa)
        #expect(try a.conflicts.isEmpty && b.conflicts.isEmpty)
    }

    @Test("stay where they are moved on to a type that was deleted and made anew since")
    func movedToRemade() async throws {
        let event = try await devices.shareEvent()
        let tea = try await a.engine.create(makeEventType(name: "tea"))
        let cocoa = try await a.engine.create(makeEventType(name: "cocoa"))
        await devices.syncUntilQuiet()
        try await a.edit(event.id) { $0.eventTypeId = tea.id }
        devices.server.reject([event.id])
        await a.sync()
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        try await a.engine.delete(EventType.self, id: cocoa.id)
        await a.loseNext()
        await a.sync()
        try await a.engine.create(cocoa)
        try await a.edit(event.id) { $0.eventTypeId = cocoa.id }
        #expect(try a.event(event.id)?.eventTypeId == cocoa.id)
        a.wallClock.advance(bySeconds: 3600)
        await devices.syncUntilQuiet()
        #expect(try b.event(event.id) != nil && a.event(event.id)?.eventTypeId == cocoa.id)
        devices.server.reject([])
        try await a.engine.retryMutation(id: #require(try a.mutations([.parked]).first).id)
        await devices.syncUntilQuiet()
        for device in [a, b] { #expect(try device.event(event.id)?.eventTypeId == cocoa.id && device.open().isEmpty) }
    }

    @Test("stay while the server fails on a create that moves them, in place of one that has arrived")
    func movedByCreate() async throws {
        _ = try await devices.shareEvent()
        let tea = try await a.engine.create(makeEventType(name: "tea"))
        await devices.syncUntilQuiet()
        let event = try await a.logCoffee(notes: "first")
        for _ in 0..<9 { try devices.server.create(makeEventType(name: freshId())) }
        await a.loseNext()
        await a.sync()
        await a.fail([event.id], with: refusal(503))
        try await a.edit(event.id) { $0.eventTypeId = tea.id }
        await a.sync()
        await a.engine.forceFullResync()
        #expect(try a.mutation(of: event.id)?.operation == .create)
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        await a.sync()
        #expect(try devices.server.event(event.id) != nil)
        await a.heal()
        await devices.syncUntilQuiet()
        for device in [a, b] {
            #expect(try device.event(event.id)?.eventTypeId == tea.id && device.open().isEmpty)
            #expect(try device.find(EventType.self, a.coffee.id) == nil && device.conflicts.isEmpty)
        }
    }

    @Test("go with the deleted type, if only another new type waits for the server's clock")
    func otherTypeIsEarly() async throws {
        let (moved, left) = (try await devices.shareEvent(), try await a.logCoffee(notes: "left"))
        await devices.syncUntilQuiet()
        let tea = try await a.engine.create(makeEventType(name: "tea"))
        try await a.edit(moved.id) { $0.eventTypeId = tea.id }
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        let anew = try await a.engine.create(makeEventType(name: a.coffee.name))
        devices.server.reject(
            [tea.id], errors: [FieldError(field: "id", message: "is ahead", code: "future_timestamp")])
        await a.sync()
        #expect(try a.event(left.id) == nil && b.event(left.id) == left)
        devices.server.reject([])
        await devices.syncUntilQuiet()
        for device in [a, b] {
            #expect(try Set(device.all(EventType.self).map(\.id)) == [tea.id, anew.id] && device.open().isEmpty)
            #expect(try device.all(Event.self).map(\.id) == [moved.id])
        }
        #expect(try a.conflicts.isEmpty && b.conflicts.isEmpty)
    }

    @Test("hold back the deletion, and a new type of its name waits for that where everybody sees it")
    func newTypeOfTheName() async throws {
        let event = try await devices.shareEvent()
        let tea = try await a.engine.create(makeEventType(name: "tea"))
        try await a.edit(event.id) { $0.eventTypeId = tea.id }
        devices.server.reject([event.id])
        await a.sync()
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        let anew = try await a.engine.create(makeEventType(name: a.coffee.name))
        let logged = try await a.engine.create(makeEvent(eventTypeId: anew.id, notes: "new"))
        await devices.syncUntilQuiet()
        #expect(try a.parkReason(of: anew.id)?.code == .rejected && b.event(event.id) == event)
        devices.server.reject([])
        try await a.engine.retryMutation(id: #require(try a.mutation(of: event.id)).id)
        await devices.syncUntilQuiet()
        for device in [a, b] {
            #expect(try Set(device.all(EventType.self).map(\.id)) == [tea.id, anew.id] && device.open().isEmpty)
            #expect(try device.event(event.id)?.eventTypeId == tea.id && device.event(logged.id) == logged)
        }
    }

    @Test("go, if the type to which they were moved is deleted too")
    func deletedToo() async throws {
        let event = try await devices.shareEvent()
        let tea = try await a.engine.create(makeEventType(name: "tea"))
        try await a.edit(event.id) { $0.eventTypeId = tea.id }
        devices.server.reject([event.id])
        await a.sync()
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        try await a.engine.delete(EventType.self, id: tea.id)
        await devices.syncUntilQuiet()
        #expect(devices.server.records(of: .eventType).isEmpty && devices.server.records(of: .event).isEmpty)
        #expect(try b.all(Event.self).isEmpty && a.open().allSatisfy { $0.state.name == .parked })
    }

    @Test(
        "stay, though the deleted type had another name before, which the new one has", arguments: [false, true])
    func toSameName(isChangedElsewhere: Bool) async throws {
        let event = try await devices.shareEvent()
        try await a.edit(EventType.self, a.coffee.id) { $0.name = "old coffee" }
        let anew = try await a.engine.create(makeEventType(name: a.coffee.name))
        try await a.edit(event.id) { $0.eventTypeId = anew.id }
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        if isChangedElsewhere {
            try await b.edit(EventType.self, a.coffee.id) { $0.icon = "leaf" }
            await b.sync()
        }
        await devices.syncUntilQuiet()
        try expect([event.id], beneath: anew)
    }

    @Test("stay where a new type has the name of the deleted one, which is free only behind them", arguments: [1, 2])
    func toNewTypesOfTheName(count: Int) async throws {
        let events = [try await devices.shareEvent(), try await a.syncedCoffee()]
        let anew = try await a.engine.create(makeEventType(name: a.coffee.name, icon: "leaf"))
        let tea = try await a.engine.create(makeEventType(name: "tea"))
        try await a.edit(events[0].id) { $0.eventTypeId = anew.id }
        try await a.edit(events[1].id) { $0.eventTypeId = count == 2 ? tea.id : anew.id }
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        await devices.syncUntilQuiet()
        for device in [a, b] {
            #expect(try Set(device.all(EventType.self)) == [anew, tea])
            #expect(try device.event(events[0].id)?.eventTypeId == anew.id)
            #expect(try device.event(events[1].id)?.eventTypeId == (count == 2 ? tea.id : anew.id))
            #expect(try device.open().isEmpty && device.conflicts.isEmpty)
        }
    }

    @Test("stay where a new type had the name of the deleted one and was named anew before the server had answered it")
    func toRenamedType() async throws {
        let event = try await devices.shareEvent()
        let anew = try await a.engine.create(makeEventType(name: a.coffee.name))
        await a.loseNext(.loseRequest(.connection("reset")))
        await a.sync()
        try await a.edit(EventType.self, anew.id) { $0.name = "tea" }
        try await a.edit(event.id) { $0.eventTypeId = anew.id }
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        await devices.syncUntilQuiet()
        for device in [a, b] {
            #expect(try device.all(EventType.self).map(\.name) == ["tea"] && device.open().isEmpty)
            #expect(try device.event(event.id)?.eventTypeId == anew.id)
        }
    }

    @Test("stay where a new type of the name was made, and the deletion is taken back before that goes")
    func deletionTakenBack() async throws {
        let event = try await devices.shareEvent()
        let anew = try await a.engine.create(makeEventType(name: a.coffee.name, icon: "leaf"))
        try await a.edit(event.id) { $0.eventTypeId = anew.id }
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        devices.server.reject([event.id])
        await a.sync()
        try await a.engine.dropMutation(id: #require(try a.open().last { $0.operation == .delete }).id)
        devices.server.reject([])
        await devices.syncUntilQuiet()
        for device in [a, b] { #expect(try device.find(EventType.self, a.coffee.id)?.name == a.coffee.name) }
    }

    @Test("stay on a server of the older routes that fails on the move")
    func failedMove() async throws {
        let network = a.network
        await network.always(.fail(refusal(404)), for: .exchange)
        let event = try await a.syncedCoffee(notes: "first")
        let tea = try await a.engine.create(makeEventType(name: "tea"))
        try await a.edit(event.id) { $0.eventTypeId = tea.id }
        try await a.engine.delete(EventType.self, id: event.eventTypeId)
        await network.always(.fail(refusal(500)), for: .update)
        await a.sync()
        #expect(try await network.record(Event.self, id: event.id) != nil)
        await network.always(nil, for: .update)
        a.wallClock.advance(bySeconds: 3600)
        for _ in 0..<2 { await a.sync() }
        #expect(try await network.record(Event.self, id: event.id)?.entity.eventTypeId == tea.id)
        #expect(try a.open().isEmpty && a.all(EventType.self) == [tea])
    }
}
