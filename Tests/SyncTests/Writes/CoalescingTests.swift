import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Coalescing of unsent changes")
struct CoalescingTests {
    let device = Device()

    /// Syncs and answers what was sent of a record.
    private func sent(_ id: String) async -> [SyncMutation] {
        let before = device.server.sent.count
        #expect(await device.sync().pending == 0)
        return device.server.sent.dropFirst(before).filter { $0.entityId == id }
    }

    @Test("create and update become one create")
    func createUpdate() async throws {
        let event = try await device.logCoffee(notes: "one")
        try await device.edit(event.id) { $0.notes = "two" }
        #expect(await sent(event.id).map(\.operation) == [.create])
        #expect(try device.server.event(event.id)?.notes == "two")
    }

    @Test("updates become one update, with the value of the last")
    func updateUpdate() async throws {
        let event = try await device.syncedCoffee(notes: "one")
        try await device.edit(event.id) { $0.notes = "two" }
        try await device.edit(event.id) { $0.notes = nil }
        try await device.edit(event.id) { $0.isAllDay = true }
        #expect(await sent(event.id).map(\.data) == [["notes": nil, "is_all_day": true]])
    }

    @Test("update and delete become one delete")
    func updateDelete() async throws {
        let event = try await device.syncedCoffee()
        try await device.edit(event.id) { $0.notes = "gone soon" }
        try await device.engine.delete(Event.self, id: event.id)
        #expect(await sent(event.id).map(\.operation) == [.delete])
        #expect(try device.server.event(event.id) == nil)
    }

    @Test("delete and create become the edit that leads from the one to the other, or nothing")
    func deleteCreate() async throws {
        var event = try await device.syncedCoffee(notes: "one")
        try await device.engine.delete(Event.self, id: event.id)
        try await device.engine.create(event)
        #expect(await sent(event.id).isEmpty)
        try await device.engine.delete(Event.self, id: event.id)
        event.notes = "two"
        try await device.engine.create(event)
        #expect(await sent(event.id).map(\.data) == [["notes": "two"]])
        #expect(try device.server.event(event.id) == event)
    }

    @Test("never touches a change that is under way")
    func sendingIsLeftAlone() async throws {
        let event = try await device.logCoffee(notes: "one")
        await device.loseNext()
        #expect(await device.sync().failure == .unreachable)
        try await device.edit(event.id) { $0.notes = "two" }
        let open = try device.open().filter { $0.entityId == event.id }
        #expect(open.map(\.operation) == [.create, .update])
        #expect(open.map(\.state) == [.sending, .queued])
        let keys = await sent(event.id).map(\.operation)
        #expect(keys == [.create, .update])
        #expect(try device.server.event(event.id)?.notes == "two")
    }
}
