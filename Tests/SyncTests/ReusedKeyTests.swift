import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// A folder that is copied back brings a change back that was sent since, and then it is edited: the server knows its
/// idempotency key by another body.
@Suite("A key that the server knows by another body")
struct ReusedKeyTests {
    private let device = Device()
    private let refusal = APIError.http(
        status: 422, problem: ProblemDetails(detail: "this Idempotency-Key was used for another request"))

    @Test("is replaced, and an edit goes through")
    func update() async throws {
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.notes = "second" }
        let edit = try #require(try device.mutations([.queued]).first)
        await device.network.enqueue(.fail(refusal), for: .update)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await device.engine.outcome(of: edit.id) == .accepted)
        #expect(try await device.network.record(Event.self, id: event.id)?.entity.notes == "second")
        #expect(Set(await device.network.idempotencyKeys(.update)).count == 2)
    }

    @Test("is replaced, and the values of a new record that was sent before are kept aside")
    func create() async throws {
        try await device.network.put(device.coffee)
        var changed = device.coffee
        changed.icon = "leaf"
        try await device.engine.create(changed)
        await device.network.enqueue(.fail(refusal), for: .create)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        let conflict = try #require(try await device.engine.conflicts().first)
        #expect(conflict.field == "icon" && conflict.remoteValue == "leaf")
        try await device.engine.restoreConflict(id: conflict.id)
        _ = await device.engine.performSync()
        #expect(try await device.network.record(EventType.self, id: changed.id)?.entity.icon == "leaf")
    }

    @Test("is not replaced where the record was deleted meanwhile, which is not made anew by it")
    func deletedMeanwhile() async throws {
        let tea = try await device.engine.create(makeEventType(name: "tea"))
        let network = device.network
        await network.enqueue(.fail(refusal), for: .create, .eventType)
        await network.beforeEachCall { [device] call in
            guard call.operation == .create else { return }
            await network.beforeEachCall(nil)
            try await device.engine.delete(EventType.self, id: tea.id)
        }
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(await network.callCount(.create) == 1)
        #expect(try await network.record(EventType.self, id: tea.id) == nil)
        #expect(try device.store().find(EventType.self, id: tea.id) == nil)
    }

    @Test("is not replaced where the person has cleared the queue meanwhile, and nothing goes again")
    func cleared() async throws {
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.notes = "second" }
        let network = device.network
        await network.enqueue(.fail(refusal), for: .update)
        await network.beforeEachCall { [device] call in
            guard call.operation == .update else { return }
            await network.beforeEachCall(nil)
            _ = try await device.engine.clearPendingMutations()
        }
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 1)
        #expect(await network.callCount(.update) == 1)
        #expect(try device.parkReason(of: event.id)?.code == .cleared)
    }

    @Test("is replaced once, also where each complaint quotes the key")
    func quoted() async throws {
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.notes = "second" }
        for key in ["0199", "019a", "019b"] {
            let problem = ProblemDetails(title: "Idempotency-Key reused", status: 422, detail: "\(key) was used before")
            await device.network.enqueue(.fail(APIError.http(status: 422, problem: problem)), for: .update)
        }
        #expect(await device.engine.performSync().parked == 1)
        #expect(await device.network.callCount(.update) == 2)
    }

    @Test("is replaced once: the same complaint about another key parks the change")
    func twice() async throws {
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.notes = "second" }
        await device.network.always(.fail(refusal), for: .update)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 1)
        #expect(await device.network.callCount(.update) == 2)
        #expect(try device.parkReason(of: event.id)?.code == .rejected)
    }
}
