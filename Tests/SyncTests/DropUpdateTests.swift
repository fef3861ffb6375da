import Foundation
import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Dropping an edit")
struct DropUpdateTests {
    let device = Device()

    private func syncedEvent() async throws -> Event {
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        return event
    }

    private func openUpdates() throws -> [PendingMutation] {
        try device.mutations([.queued, .parked, .sending]).filter { $0.operation == .update }
    }

    @Test("returns the fields to what they were")
    func fields() async throws {
        let event = try await syncedEvent()
        try await device.edit(event.id) {
            $0.notes = "second"
            $0.locationName = "here"
        }
        try await device.engine.dropMutation(id: try #require(try openUpdates().first).id)
        #expect(try device.event(event.id)?.entity == event)
        #expect(try device.event(event.id)?.syncStatus == .synced)
        #expect(await device.engine.performSync().pushed == 0)
    }

    @Test("leaves the fields that a later edit sets, which then begins from the former value")
    func laterEdit() async throws {
        let event = try await syncedEvent()
        await device.network.enqueue(.fail(APIError.timeout), for: .update)
        try await device.edit(event.id) {
            $0.notes = "second"
            $0.locationName = "here"
        }
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.notes = "third" }
        try await device.engine.clearPendingMutations()
        let updates = try openUpdates()
        #expect(updates.count == 2)
        try await device.engine.dropMutation(id: updates[0].id)
        let kept = try #require(try device.event(event.id)?.entity)
        #expect(kept.notes == "third" && kept.locationName == nil)
        let later = try #require(try openUpdates().first)
        #expect(try WireCoding.decode([String: JSONValue].self, from: try #require(later.base)) == ["notes": "first"])
        try await device.engine.retryMutation(id: later.id)
        let report = await device.engine.performSync()
        #expect(report.conflicts == 0 && report.pending == 0)
        #expect(try await device.network.record(Event.self, id: event.id)?.notes == "third")
    }

    @Test("returns a field to the value that another device gave it meanwhile, and settles the conflict")
    func rebased() async throws {
        let event = try await syncedEvent()
        await device.network.always(
            .fail(APIError.http(status: 422, problem: ProblemDetails(status: 422))), for: .update)
        try await device.edit(event.id) { $0.notes = "mine" }
        device.wallClock.advance(bySeconds: 5)
        try await device.network.edit(Event.self, id: event.id) { $0.notes = "theirs" }
        _ = await device.engine.performSync()
        #expect(try await device.engine.conflicts().count == 1)
        try await device.engine.dropMutation(id: try #require(try openUpdates().first).id)
        #expect(try device.event(event.id)?.entity.notes == "theirs")
        #expect(try await device.engine.conflicts().isEmpty)
    }

    @Test("leaves nothing of it in a record whose deletion is dropped afterwards")
    func beneathDeletion() async throws {
        let event = try await syncedEvent()
        await device.network.enqueue(.fail(APIError.timeout), for: .update)
        try await device.edit(event.id) { $0.notes = "second" }
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.locationName = "here" }
        try await device.engine.delete(Event.self, id: event.id)
        try await device.engine.clearPendingMutations()
        try await device.engine.dropMutation(id: try #require(try openUpdates().first).id)
        let deletion = try #require(try device.mutations([.parked]).first { $0.operation == .delete })
        try await device.engine.dropMutation(id: deletion.id)
        let restored = try #require(try device.event(event.id)?.entity)
        #expect(restored.notes == "first" && restored.locationName == "here")
    }

    @Test("of a record that was deleted elsewhere lets the record go")
    func deletedElsewhere() async throws {
        let event = try await syncedEvent()
        try await device.edit(event.id) { $0.notes = "second" }
        try await device.network.remove(Event.self, id: event.id)
        _ = await device.engine.performSync()
        #expect(try await device.engine.conflicts().count == 1)
        let summary = try await device.engine.dropMutation(id: try #require(try openUpdates().first).id)
        #expect(summary.removed == [.event: 1])
        #expect(try device.event(event.id) == nil)
        #expect(try await device.engine.conflicts().isEmpty)
    }
}
