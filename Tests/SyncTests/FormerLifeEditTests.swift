import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// What was edited without an answer, then deleted, and then made anew: the deletion is given up.
@Suite("An edit of the life before, when the deletion is given up")
struct FormerLifeEditTests {
    private let device = Device()

    /// An event whose notes were made "two" without an answer, and that was deleted after that.
    private func editUnheardAndDelete(
        _ answer: MockAnswer = .serveThenFail(APIError.timeout)
    ) async throws -> (event: Event, edit: PendingMutation, deletion: PendingMutation) {
        var event = try await device.logCoffee(notes: "one")
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.notes = "two" }
        let (network, id) = (device.network, event.id)
        await network.enqueue(answer, for: .update)
        await network.beforeEachCall { [device] call in
            guard call.operation == .update else { return }
            await network.beforeEachCall(nil)
            try await device.engine.delete(Event.self, id: id)
        }
        _ = await device.engine.performSync()
        event.notes = "two"
        return (
            event, try #require(try device.mutations([.sending]).first { $0.operation == .update }),
            try #require(try device.mutations([.queued]).first { $0.operation == .delete })
        )
    }

    @Test("is not sent after the record that was made anew")
    func afterCreation() async throws {
        // Found by the simulator, seed 901027: the edit undid a later one.
        let (event, _, deletion) = try await editUnheardAndDelete()
        try await device.engine.create(event)
        try await device.edit(event.id) { $0.notes = "three" }
        try await device.engine.dropMutation(id: deletion.id)
        for _ in 0..<2 { #expect(await device.engine.performSync().pending == 0) }
        #expect(try device.event(event.id)?.entity.notes == "three")
        #expect(try await device.network.record(Event.self, id: event.id)?.notes == "three")
    }

    @Test("is not sent after it either where all was taken out of the queue, and let go again")
    func afterClearing() async throws {
        // Found by the simulator, seed 2306643: nobody had counted the attempt that was cancelled.
        let (event, edit, deletion) = try await editUnheardAndDelete(.fail(APIError.cancelled))
        let creation = try await device.engine.create(event)
        try await device.engine.clearPendingMutations()
        try await device.engine.dropMutation(id: deletion.id)
        for mutation in try device.mutations([.parked]) {
            #expect(mutation.id == edit.id || mutation.entityId == creation.id)
            try await device.engine.retryMutation(id: mutation.id)
        }
        try await device.edit(event.id) { $0.notes = "three" }
        for _ in 0..<2 { #expect(await device.engine.performSync().pending == 0) }
        #expect(try device.event(event.id)?.entity.notes == "three")
        #expect(try await device.network.record(Event.self, id: event.id)?.notes == "three")
    }

    @Test("leaves the creation that a second deletion takes back to be told by it")
    func afterSecondDeletion() async throws {
        // Found by the simulator, seed 2367953: the deletion named the edit, which named the deletion.
        let (event, _, _) = try await editUnheardAndDelete()
        try await device.engine.clearPendingMutations()
        try await device.engine.create(event)
        let creation = try #require(try device.mutations([.queued]).first { $0.operation == .create })
        try await device.engine.delete(Event.self, id: event.id)
        let deletion = try #require(try device.mutations([.merged]).last { $0.operation == .delete })
        #expect(deletion.state == .merged(into: creation.id))
    }

    @Test("is sent while what was made anew waits for its parent")
    func beforeWaitingCreation() async throws {
        let (event, edit, deletion) = try await editUnheardAndDelete()
        let tea = try await device.engine.create(makeEventType(name: "tea"))
        var anew = event
        anew.eventTypeId = tea.id
        try await device.engine.create(anew)
        try await device.engine.dropMutation(id: deletion.id)
        let refusal = APIError.http(status: 422, problem: ProblemDetails(status: 422))
        await device.network.enqueue(.fail(refusal), for: .create, .eventType)
        _ = await device.engine.performSync()
        #expect(try device.store().findMutation(id: edit.id)?.state == .accepted)
        #expect(try device.mutations([.queued]).map(\.operation) == [.create])
    }
}
