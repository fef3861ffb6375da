import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Editing what waits")
struct EditTests {
    let device = Device()

    /// The server refuses the event that the device logs.
    private func refusedEvent() async throws -> (Event, PendingMutation) {
        let event = try await device.logCoffee(notes: "much too long")
        device.server.reject([event.id], errors: [FieldError(field: "notes", message: "is too long", code: "long")])
        await device.sync()
        #expect(try device.parkReason(of: event.id)?.fields.map(\.field) == ["notes"])
        device.server.reject([])
        return (event, try #require(try device.mutation(of: event.id)))
    }

    /// Changes a synced event and changes it once more while the first change is refused.
    private func twoRefusedEdits(_ first: String, _ second: @escaping @Sendable (inout Event) -> Void) async throws
        -> (Event, [PendingMutation])
    {
        let event = try await device.syncedCoffee(notes: "first")
        device.server.reject([event.id], errors: [FieldError(field: "is_all_day", message: "is bad", code: "bad")])
        try await device.edit(event.id) { $0.notes = first }
        let device = device
        await device.whileSending { try await device.edit(event.id, second) }
        await device.sync()
        device.server.reject([])
        return (event, try device.mutations([.parked]))
    }

    @Test("changes record and mutation, and lets a refused one go")
    func create() async throws {
        let (event, parked) = try await refusedEvent()
        #expect(try await device.engine.editMutation(id: parked.id, changes: ["notes": "short"]) == parked.id)
        #expect(try device.event(event.id)?.notes == "short")
        #expect(try device.mutation(of: event.id)?.state == .queued)
        #expect(await device.sync().parked == 0)
        #expect(try device.server.event(event.id)?.notes == "short")
    }

    @Test("reaches the refused mutation itself, where later ones wait behind it")
    func firstOfTwo() async throws {
        let (event, parked) = try await twoRefusedEdits("bad") { $0.locationName = "here" }
        #expect(parked.map(\.operation) == [.update, .update])
        try await device.engine.editMutation(id: parked[0].id, changes: ["notes": "good"])
        let before = device.server.sent.count
        let report = await device.sync()
        #expect(report.pending == 0 && report.parked == 0)
        let served = try #require(try device.server.event(event.id))
        #expect(served.notes == "good" && served.locationName == "here")
        #expect(device.server.sent.dropFirst(before).allSatisfy { $0.data?.objectValue?["notes"] != "bad" })
    }

    @Test("of what may have arrived reaches the server too, and lists nothing", arguments: [false, true])
    func arrived(isUpdate: Bool) async throws {
        var event = try await device.syncedCoffee(notes: "first")
        await device.loseNext()
        if isUpdate {
            try await device.edit(event.id) { $0.notes = "poison" }
        } else {
            event = try await device.logCoffee(notes: "poison")
        }
        await device.sync()
        try await device.edit(event.id) { $0.locationName = "here" }
        try await device.engine.clearPendingMutations()
        let poison = try #require(try device.mutations([.parked]).first)
        #expect(poison.entityId == event.id)
        let carrier = try await device.engine.editMutation(id: poison.id, changes: ["notes": "cure"])
        // The server may have it, so it goes again as it was, and the edit follows.
        #expect(carrier > poison.id)
        let again = try #require(try device.store().findMutation(id: poison.id))
        #expect(again.clientRequestId == poison.clientRequestId && again.payload == poison.payload)
        for parked in try device.mutations([.parked]) { try await device.engine.retryMutation(id: parked.id) }
        #expect(await device.sync().pending == 0)
        let served = try #require(try device.server.event(event.id))
        #expect(served.notes == "cure" && served.locationName == "here")
        #expect(try device.event(event.id) == served)
    }

    @Test("names all wrong values, and changes nothing")
    func invalid() async throws {
        let (event, before) = try await refusedEvent()
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
        #expect(try device.mutation(of: event.id) == before && device.event(event.id) == event)
        #expect(!device.stores.isWriteLocked)
    }

    @Test("is refused for deletions, for what is settled and for what is being sent")
    func notEditable() async throws {
        let event = try await device.syncedCoffee()
        let create = try #require(try device.mutation(of: event.id))
        await #expect(throws: LedgerError.notOpen(create.id, .accepted)) {
            try await device.engine.editMutation(id: create.id, changes: ["notes": "x"])
        }
        await #expect(throws: LedgerError.notOpen(create.id, .accepted)) {
            try await device.engine.dropMutation(id: create.id)
        }
        try await device.edit(event.id) { $0.notes = "sent" }
        let (engine, update) = (device.engine, try #require(try device.mutation(of: event.id)))
        await device.whileSending {
            await #expect(throws: LedgerError.sending(update.id)) {
                try await engine.editMutation(id: update.id, changes: ["notes": "x"])
            }
        }
        await device.sync()
        try await engine.delete(Event.self, id: event.id)
        let deletion = try #require(try device.mutation(of: event.id))
        await #expect(throws: LedgerError.notEditable(deletion.id)) {
            try await engine.editMutation(id: deletion.id, changes: ["notes": "x"])
        }
    }
}

@Suite("Retrying what is parked")
struct RetryTests {
    let device = Device()

    @Test("lets it go again under a key of its own")
    func retry() async throws {
        let event = try await device.logCoffee()
        device.server.reject([event.id])
        await device.sync()
        #expect(try device.status(event.id) == .failed)
        let parked = try #require(try device.mutation(of: event.id))
        device.server.reject([])
        try await device.engine.retryMutation(id: parked.id)
        #expect(try device.mutation(of: event.id)?.clientRequestId != parked.clientRequestId)
        #expect(try device.status(event.id) == .pending)
        #expect(await device.engine.pendingCount == 1)
        #expect(await device.sync().parked == 0)
        #expect(try device.server.event(event.id) == event)
    }

    @Test("of all that a cleared queue held leaves nothing, where the record was deleted in the end")
    func beforeDeletion() async throws {
        let event = try await device.logCoffee()
        await device.loseNext()
        await device.sync()
        try await device.engine.delete(Event.self, id: event.id)
        try await device.engine.clearPendingMutations()
        for mutation in try device.mutations([.parked]) { try await device.engine.retryMutation(id: mutation.id) }
        let report = await device.sync()
        #expect(report.pending == 0 && report.parked == 0)
        #expect(try device.event(event.id) == nil && device.server.event(event.id) == nil)
        #expect(try device.conflicts.isEmpty)
    }

    @Test("is refused for what is not parked")
    func refused() async throws {
        let event = try await device.logCoffee()
        let queued = try #require(try device.mutation(of: event.id))
        await #expect(throws: LedgerError.notParked(queued.id, .queued)) {
            try await device.engine.retryMutation(id: queued.id)
        }
        await #expect(throws: SyncEngineError.unknownMutation(77)) { try await device.engine.retryMutation(id: 77) }
    }

    @Test("leaves a record failed while another of its mutations is parked")
    func oneOfTwo() async throws {
        let event = try await device.syncedCoffee()
        await device.loseNext(.loseRequest(.connection("reset")))
        try await device.edit(event.id) { $0.notes = "first" }
        await device.sync()
        try await device.edit(event.id) { $0.notes = "second" }
        try await device.engine.clearPendingMutations()
        let parked = try device.mutations([.parked])
        #expect(parked.count == 2)
        try await device.engine.retryMutation(id: parked[0].id)
        #expect(try device.status(event.id) == .failed)
        try await device.engine.retryMutation(id: parked[1].id)
        #expect(try device.status(event.id) == .pending)
        #expect(await device.sync().pending == 0)
        #expect(try device.server.event(event.id)?.notes == "second")
    }
}
