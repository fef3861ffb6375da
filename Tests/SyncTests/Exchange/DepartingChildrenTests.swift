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
