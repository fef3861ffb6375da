import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("A sample that is deleted and logged again")
struct LoggedAgainTests {
    let device = Device()

    /// A sample that both sides have, and that was deleted here; the deletion waits.
    private func deletedSample(_ notes: String) async throws -> Event {
        try await device.engine.create(device.coffee)
        let first = try await device.engine.create(sample(notes))
        _ = await device.engine.performSync()
        try await device.engine.delete(Event.self, id: first.id)
        return first
    }

    private func sample(_ notes: String) -> Event {
        var sample = makeEvent(eventTypeId: device.coffee.id, notes: notes)
        sample.sourceType = .healthKit
        sample.healthKitSampleId = "sample-1"
        return sample
    }

    @Test("a sample that is logged again is not taken away by its earlier deletion")
    func loggedAgain() async throws {
        let first = try await deletedSample("first")
        try await device.engine.create(sample("again"))
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await device.network.record(Event.self, id: first.id)?.notes == "again")
        #expect(try device.store().fetchAllEvents().map(\.id) == [first.id])
        #expect(try device.event(first.id)?.entity.notes == "again")
    }

    @Test("nor is what was changed in it meanwhile")
    func loggedAgainAndChanged() async throws {
        let first = try await deletedSample("first")
        let again = try await device.engine.create(sample("again"))
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        try await device.edit(again.id) { $0.notes = "changed" }
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await device.network.record(Event.self, id: first.id)?.notes == "changed")
        #expect(try device.event(first.id)?.entity.notes == "changed")
        #expect(await device.network.callCount(.delete) == 0)
    }

    @Test("nor does its earlier create, sent again, come after it")
    func loggedAgainAfterLostCreate() async throws {
        // Found by the simulator's seed 60125: both went at once, the old one last, and took the new one with it.
        try await device.engine.create(device.coffee)
        let first = try await device.engine.create(sample("first"))
        await device.network.enqueue(.fail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        try await device.engine.delete(Event.self, id: first.id)
        try await device.engine.create(sample("again"))
        await device.network.beforeEachCall { call in
            guard call.operation == .createBatch, call.entityIds == [first.id] else { return }
            for _ in 0..<1_000 { await Task.yield() }
        }
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await device.network.records(Event.self).map(\.notes) == ["again"])
        #expect(try device.store().fetchAllEvents().map(\.notes) == ["again"])
    }

    @Test("a sample that was logged again and deleted again is gone")
    func loggedAgainAndDeleted() async throws {
        let first = try await deletedSample("first")
        let again = try await device.engine.create(sample("again"))
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        try await device.engine.delete(Event.self, id: again.id)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await device.network.record(Event.self, id: first.id) == nil)
        #expect(try device.store().fetchAllEvents().isEmpty)
    }
}
