import Foundation
import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Retrying and editing what waits")
struct LedgerEditTests {
    let device = Device()

    private func only(_ entityId: String) throws -> PendingMutation {
        let open = try device.mutations([.queued, .sending, .parked]).filter { $0.entityId == entityId }
        #expect(open.count == 1)
        return try #require(open.first)
    }

    /// The server refuses the event that the device logs.
    private func refusedEvent() async throws -> Event {
        let refusal = APIError.http(status: 422, problem: ProblemDetails(status: 422, detail: "too long"))
        await device.network.enqueue(.fail(refusal), times: 2, for: .createBatch)
        await device.network.enqueue(.fail(refusal), for: .create, .event)
        let event = try await device.logCoffee(notes: "much too long")
        _ = await device.engine.performSync()
        #expect(try device.parkReason(of: event.id)?.code == .rejected)
        return event
    }

    @Test("a parked mutation that is retried goes again under its old key")
    func retry() async throws {
        let event = try await refusedEvent()
        let parked = try only(event.id)
        try await device.engine.retryMutation(id: parked.id)
        #expect(try only(event.id).clientRequestId == parked.clientRequestId)
        #expect(try device.event(event.id)?.syncStatus == .pending)
        #expect(await device.engine.pendingCount == 1)
        #expect(await device.engine.performSync().parked == 0)
        #expect(try await device.network.record(Event.self, id: event.id) != nil)
    }

    @Test("a parked mutation of a record that was deleted since goes with the deletion when it is retried")
    func retryBeforeDeletion() async throws {
        // Found by the simulator's seed 3673: what had arrived, and gone with its type, was made again.
        let event = try await device.logCoffee()
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        try await device.engine.delete(Event.self, id: event.id)
        try await device.engine.clearPendingMutations()
        let parked = try device.mutations([.parked]).filter { $0.entityId == event.id }
        #expect(parked.map(\.operation) == [.create, .delete])
        for mutation in parked { try await device.engine.retryMutation(id: mutation.id) }
        #expect(try device.store().findMutation(id: parked[0].id)?.state == .merged(into: parked[1].id))
        let report = await device.engine.performSync()
        #expect(report.pending == 0 && report.parked == 0)
        #expect(await device.network.calls(.create, .event).isEmpty)
        #expect(await device.network.callCount(.createBatch) == 1)
        #expect(try await device.network.record(Event.self, id: event.id) == nil)
    }

    @Test("only what is parked can be retried")
    func retryRefused() async throws {
        let event = try await device.logCoffee()
        let queued = try only(event.id)
        await #expect(throws: LedgerError.notParked(queued.id, .queued)) {
            try await device.engine.retryMutation(id: queued.id)
        }
        await #expect(throws: SyncEngineError.unknownMutation(77)) { try await device.engine.retryMutation(id: 77) }
    }

    @Test("a record stays failed while another of its mutations is parked")
    func retryOneOfTwo() async throws {
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await parkTwoUpdates(of: event.id)
        let parked = try device.mutations([.parked])
        #expect(parked.count == 2)
        try await device.engine.retryMutation(id: parked[0].id)
        #expect(try device.event(event.id)?.syncStatus == .failed)
        try await device.engine.retryMutation(id: parked[1].id)
        #expect(try device.event(event.id)?.syncStatus == .pending)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await device.network.record(Event.self, id: event.id)?.notes == "second")
    }

    /// Two updates of one record that are both parked: the first was under way when the second was made.
    private func parkTwoUpdates(of id: String) async throws {
        await device.network.enqueue(.fail(APIError.timeout), for: .update)
        try await device.edit(id) { $0.notes = "first" }
        _ = await device.engine.performSync()
        try await device.edit(id) { $0.notes = "second" }
        try await device.engine.clearPendingMutations()
    }

    @Test("an edit of a refused create changes record and mutation, and lets it go")
    func editCreate() async throws {
        let event = try await refusedEvent()
        let parked = try only(event.id)
        let carrier = try await device.engine.editMutation(id: parked.id, changes: ["notes": "short"])
        #expect(carrier == parked.id)
        #expect(try device.event(event.id)?.entity.notes == "short")
        #expect(try only(event.id).state == .queued)
        _ = await device.engine.performSync()
        #expect(try await device.network.record(Event.self, id: event.id)?.notes == "short")
    }

    @Test("an edit reaches the refused mutation itself, where later ones wait behind it")
    func editFirstOfTwo() async throws {
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        let refusal = APIError.http(status: 422, problem: ProblemDetails(status: 422))
        await device.network.enqueue(.fail(APIError.timeout), for: .update)
        try await device.edit(event.id) { $0.notes = "bad" }
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.locationName = "here" }
        await device.network.enqueue(.fail(refusal), for: .update)
        _ = await device.engine.performSync()
        let parked = try #require(try device.mutations([.parked]).first)
        try await device.engine.editMutation(id: parked.id, changes: ["notes": "good"])
        let before = await device.network.calls(.update).count
        let report = await device.engine.performSync()
        #expect(report.pending == 0 && report.parked == 0)
        let served = try #require(try await device.network.record(Event.self, id: event.id))
        #expect(served.notes == "good" && served.locationName == "here")
        #expect(await !device.network.calls(.update).dropFirst(before).contains { $0.body == ["notes": "bad"] })
    }

    /// Lets the server refuse the next request of a kind, while the person changes the record once more.
    private func refuse(
        _ operation: MockOperation, while change: @escaping @Sendable (Device) async throws -> Void
    ) async {
        let refusal = APIError.http(status: 422, problem: ProblemDetails(status: 422))
        await device.network.enqueue(.fail(refusal), for: operation)
        let device = device
        await device.network.beforeEachCall { call in
            guard call.operation == operation else { return }
            await device.network.beforeEachCall(nil)
            try await change(device)
        }
        _ = await device.engine.performSync()
    }

    @Test("an edit of a refused create stays with it, where a later edit that has it too is dropped")
    func editCreateBeforeDroppedEdit() async throws {
        // Found by the simulator, seeds 20199 and 102059.
        try await device.engine.create(device.coffee)
        await refuse(.create) { device in
            var renamed = device.coffee
            renamed.name = "tea"
            try await device.engine.update(renamed)
        }
        let open = try device.mutations([.parked, .queued])
        #expect(open.map(\.operation) == [.create, .update])
        #expect(try await device.engine.editMutation(id: open[0].id, changes: ["name": "juice"]) == open[0].id)
        try await device.engine.dropMutation(id: open[1].id)
        #expect(try device.store().findEventType(id: device.coffee.id)?.name == "juice")
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await device.network.record(EventType.self, id: device.coffee.id)?.name == "juice")
    }

    @Test("a later edit that takes an edit of a refused one over begins where that began, and leaves it when dropped")
    func editUpdateBeforeDroppedEdit() async throws {
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.notes = "second" }
        await refuse(.update) { try await $0.edit(event.id) { $0.notes = "third" } }
        let open = try device.mutations([.parked, .queued])
        #expect(open.map(\.operation) == [.update, .update])
        #expect(try await device.engine.editMutation(id: open[0].id, changes: ["notes": "fourth"]) == open[1].id)
        try await device.engine.dropMutation(id: open[1].id)
        #expect(try device.mutations([.parked, .queued]).isEmpty)
        #expect(try device.event(event.id)?.entity.notes == "first")
    }

    /// Parks a mutation as one that the server failed on again and again.
    private func blame(_ id: Int64) throws {
        let store = try device.store()
        var mutation = try #require(try store.findMutation(id: id))
        mutation.state = .parked(ParkReason(code: .blamed, message: "the server failed on it"))
        try store.updateMutation(mutation)
        try store.save()
    }

    /// A create whose answer was lost, parked; the server has the record.
    private func arrivedCreate() async throws -> (Event, PendingMutation) {
        let event = try await device.logCoffee(notes: "poison")
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        try await device.engine.clearPendingMutations()
        let parked = try #require(try device.mutations([.parked]).first { $0.entityId == event.id })
        #expect(parked.attempts > 0)
        try await device.edit(event.id) { $0.locationName = "here" }
        return (event, parked)
    }

    private func expectCured(_ id: String) async throws {
        #expect(await device.engine.performSync().pending == 0)
        let served = try #require(try await device.network.record(Event.self, id: id))
        #expect(served.notes == "cure" && served.locationName == "here")
    }

    @Test("an edit of what may have arrived lets it go as it was, under its key, and follows it")
    func editArrived() async throws {
        let (event, parked) = try await arrivedCreate()
        let carrier = try await device.engine.editMutation(id: parked.id, changes: ["notes": "cure"])
        #expect(carrier != parked.id)
        let reopened = try #require(try device.store().findMutation(id: parked.id))
        #expect(reopened.state == .queued && reopened.payload == parked.payload)
        #expect(reopened.clientRequestId == parked.clientRequestId)
        #expect(try device.store().findMutation(id: carrier)?.operation == .update)
        try await expectCured(event.id)
    }

    @Test("an edit of a create that the server fails on goes under a key of its own")
    func editBlamedCreate() async throws {
        let (event, parked) = try await arrivedCreate()
        try blame(parked.id)
        let carrier = try await device.engine.editMutation(id: parked.id, changes: ["notes": "cure"])
        let renewed = try only(event.id)
        #expect(renewed.id == carrier && renewed.clientRequestId != parked.clientRequestId)
        #expect(renewed.operation == .create && renewed.attempts == 0)
        #expect(try device.store().findMutation(id: parked.id)?.state == .merged(into: carrier))
        try await expectCured(event.id)
    }

    @Test("an edit of an update that the server fails on takes the later ones in")
    func editBlamedUpdate() async throws {
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .update)
        try await device.edit(event.id) { $0.notes = "poison" }
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.locationName = "here" }
        let poison = try #require(try device.mutations([.sending]).first)
        try blame(poison.id)
        let carrier = try await device.engine.editMutation(id: poison.id, changes: ["notes": "cure"])
        let renewed = try only(event.id)
        #expect(renewed.id == carrier && renewed.clientRequestId != poison.clientRequestId)
        let base = try WireCoding.decode([String: JSONValue].self, from: try #require(renewed.base))
        #expect(base == ["notes": "first", "location_name": .null])
        try await expectCured(event.id)
    }

    @Test("wrong values are all named, and nothing changes")
    func invalid() async throws {
        let event = try await refusedEvent()
        let before = try only(event.id)
        let changes: [String: JSONValue] = ["is_all_day": "yes", "nonsense": 1, "timestamp": nil, "id": "x"]
        do {
            try await device.engine.editMutation(id: before.id, changes: changes)
            Issue.record("it was taken")
        } catch let error as ValidationError {
            #expect(error.fields.map(\.field) == ["id", "is_all_day", "nonsense", "timestamp"])
        }
        await #expect(throws: ValidationError.self) {
            try await device.engine.editMutation(id: before.id, changes: ["event_type_id": "no id"])
        }
        #expect(try only(event.id) == before)
        #expect(try device.event(event.id)?.entity == event)
        #expect(!device.stores.isWriteLocked)
    }

    @Test("deletions, what is settled and what is being sent cannot be edited")
    func notEditable() async throws {
        let event = try await device.logCoffee()
        let create = try only(event.id)
        _ = await device.engine.performSync()
        await #expect(throws: LedgerError.notOpen(create.id, .accepted)) {
            try await device.engine.editMutation(id: create.id, changes: ["notes": "x"])
        }
        await device.network.enqueue(.fail(APIError.timeout), for: .update)
        try await device.edit(event.id) { $0.notes = "sent" }
        let update = try only(event.id)
        _ = await device.engine.performSync()
        await #expect(throws: LedgerError.sending(update.id)) {
            try await device.engine.editMutation(id: update.id, changes: ["notes": "x"])
        }
        _ = await device.engine.performSync()
        try await device.engine.delete(Event.self, id: event.id)
        let deletion = try only(event.id)
        await #expect(throws: LedgerError.notEditable(deletion.id)) {
            try await device.engine.editMutation(id: deletion.id, changes: ["notes": "x"])
        }
    }
}
