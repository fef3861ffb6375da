import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Coalescing of unsent changes")
struct CoalescingTests {
    let device = Device()

    @Test("create and update become one create")
    func createUpdate() async throws {
        let event = try await device.logCoffee(notes: "one")
        try await device.edit(event.id) { $0.notes = "two" }
        let report = await device.engine.performSync()
        #expect(report.pushed == 2)
        #expect(await device.network.callCount(.update) == 0)
        #expect(try await device.network.record(Event.self, id: event.id)?.notes == "two")
    }

    @Test("updates become one update, with the value of the last")
    func updateUpdate() async throws {
        let event = try await device.logCoffee(notes: "one")
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.notes = "two" }
        try await device.edit(event.id) { $0.notes = nil }
        try await device.edit(event.id) { $0.isAllDay = true }
        _ = await device.engine.performSync()
        let calls = await device.network.calls(.update, .event)
        #expect(calls.map(\.body) == [["notes": nil, "is_all_day": true]])
    }

    @Test("update and delete become one delete")
    func updateDelete() async throws {
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.notes = "gone soon" }
        try await device.engine.delete(Event.self, id: event.id)
        _ = await device.engine.performSync()
        #expect(await device.network.callCount(.update) == 0)
        #expect(await device.network.callCount(.delete) == 1)
    }

    @Test("create and delete become nothing")
    func createDelete() async throws {
        let event = try await device.logCoffee()
        try await device.engine.delete(Event.self, id: event.id)
        _ = await device.engine.performSync()
        #expect(await device.network.callCount(.createBatch) == 0)
        #expect(await device.network.callCount(.delete) == 0)
    }

    @Test("never touches a change that is under way")
    func sendingIsLeftAlone() async throws {
        let event = try await device.logCoffee(notes: "one")
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        #expect(await device.engine.performSync().failure == .unreachable)
        try await device.edit(event.id) { $0.notes = "two" }
        let open = try device.mutations([.queued, .sending]).filter { $0.entityId == event.id }
        #expect(open.map(\.operation) == [.create, .update])
        #expect(open.map(\.state) == [.sending, .queued])
        _ = await device.engine.performSync()
        #expect(try await device.network.record(Event.self, id: event.id)?.notes == "two")
    }

    @Test("keeps the ledger complete: what went into another says so")
    func ledger() async throws {
        let event = try await device.logCoffee()
        let created = try #require(try device.mutations().last)
        try await device.edit(event.id) { $0.notes = "two" }
        #expect(try device.mutations().last?.state == .merged(into: created.id))
    }
}
