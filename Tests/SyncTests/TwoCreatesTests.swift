import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Two creations of one record, whose deletion between them was given up")
struct TwoCreatesTests {
    private let device = Device()
    private let first = makeEventType(name: "tea")

    private func expectSettled(_ type: EventType) async throws {
        for _ in 0..<2 { #expect(await device.engine.performSync().failure == nil) }
        #expect(try device.mutations([.queued, .sending, .parked]) == [])
        #expect(try await device.engine.conflicts() == [])
        #expect(try await device.network.record(EventType.self, id: type.id)?.entity == type)
        #expect(try device.store().findEventType(id: type.id) == type)
    }

    private func expectGone() async throws {
        for _ in 0..<2 { #expect(await device.engine.performSync().failure == nil) }
        #expect(try device.mutations([.queued, .sending, .parked]) == [])
        #expect(try await device.network.record(EventType.self, id: first.id) == nil)
        #expect(try device.store().findEventType(id: first.id) == nil)
    }

    /// Another version of the record is put in, and then the deletion is given up.
    private func makeAnew(_ last: EventType, changing before: EventType) async throws {
        try await device.engine.create(before)
        try await device.engine.update(last)
        let deletion = try #require(try device.mutations([.queued]).first { $0.operation == .delete })
        try await device.engine.dropMutation(id: deletion.id)
    }

    @Test("end in what the second says where the first waits for its answer", arguments: [false, true])
    func answerIsLost(isTaken: Bool) async throws {
        try await device.engine.create(first)
        let silence = APIError.timeout
        await device.network.enqueue(isTaken ? .serveThenFail(silence) : .fail(silence), for: .create)
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: first.id)
        var second = first
        second.icon = "leaf"
        var last = second
        last.name = "green tea"
        try await makeAnew(last, changing: second)
        try await expectSettled(last)
    }

    @Test("end in what the second says where the first waited for the person", arguments: [false, true])
    func isCleared(isTaken: Bool) async throws {
        // Found by the simulator, seed 1308: what the second left out came back from the first.
        let network = device.network
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let event = try await device.logCoffee(notes: "first")
        var changed = event
        changed.notes = nil
        changed.locationName = "home"
        let last = changed
        await network.beforeEachCall { [device] call in
            guard call.operation == .createBatch else { return }
            await network.beforeEachCall(nil)
            try await device.engine.delete(EventType.self, id: device.coffee.id)
            try await device.engine.create(device.coffee)
            try await device.engine.create(event)
            try await device.engine.update(last)
            try await device.engine.delete(EventType.self, id: device.coffee.id)
        }
        let silence = APIError.timeout
        await network.enqueue(isTaken ? .serveThenFail(silence) : .fail(silence), for: .createBatch)
        _ = await device.engine.performSync()
        try await device.engine.clearPendingMutations()
        let parked = try device.mutations([.parked])
        let deletion = try #require(parked.first { $0.operation == .delete })
        try await device.engine.dropMutation(id: deletion.id)
        for mutation in try device.mutations([.parked]) { try await device.engine.retryMutation(id: mutation.id) }
        for _ in 0..<2 { #expect(await device.engine.performSync().failure == nil) }
        #expect(try device.mutations([.queued, .sending, .parked]) == [])
        #expect(try await device.engine.conflicts() == [])
        #expect(try await network.record(Event.self, id: event.id)?.entity == last)
        #expect(try device.event(event.id)?.entity == last)
    }

    @Test("wait for nothing where the first was taken, edited in the queue, and deleted elsewhere")
    func isDeletedElsewhere() async throws {
        // Found by the simulator, seed 3033238: the first was looked for without end, and held the others back.
        let network = device.network
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let event = try await device.logCoffee(notes: "first")
        await network.beforeEachCall { [device] call in
            guard call.operation == .createBatch else { return }
            await network.beforeEachCall(nil)
            try await device.engine.delete(Event.self, id: event.id)
            try await device.engine.create(event)
        }
        await network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        try await network.remove(Event.self, id: event.id)
        for _ in 0..<3 { try await network.put(makeEvent(eventTypeId: device.coffee.id)) }
        try await device.engine.clearPendingMutations()
        let parked = try device.mutations([.parked])
        let first = try #require(parked.first)
        try await device.engine.editMutation(id: first.id, changes: ["notes": "second"])
        for other in parked.dropFirst() { try await device.engine.retryMutation(id: other.id) }
        for _ in 0..<2 { #expect(await device.engine.performSync().failure == nil) }
        #expect(try device.mutations([.queued, .sending, .parked]) == [])
        #expect(try await network.record(Event.self, id: event.id) != nil)
    }

    @Test("keep an edit that is made while what is left of the second is under way")
    func editedMeanwhile() async throws {
        let network = device.network
        try await device.engine.create(first)
        await network.enqueue(.fail(APIError.timeout), for: .create)
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: first.id)
        var second = first
        second.icon = "leaf"
        var last = second
        last.color = "#00FF00"
        let edited = last
        try await makeAnew(second, changing: second)
        await network.beforeEachCall { [device] call in
            guard call.operation == .update else { return }
            await network.beforeEachCall(nil)
            try await device.engine.update(edited)
        }
        try await expectSettled(edited)
    }

    @Test("go one after the other: the first cannot arrive last")
    func inOrder() async throws {
        let network = device.network
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let event = try await device.logCoffee(notes: "first")
        await network.enqueue(.fail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        try await device.engine.delete(Event.self, id: event.id)
        var last = event
        last.notes = "second"
        try await device.engine.create(last)
        let deletion = try #require(try device.mutations([.queued]).first { $0.operation == .delete })
        try await device.engine.dropMutation(id: deletion.id)
        let failure = APIError.http(status: 500, problem: ProblemDetails(status: 500))
        await network.enqueue(.fail(failure), for: .createBatch)
        for _ in 0..<2 { #expect(await device.engine.performSync().failure == nil) }
        #expect(try device.mutations([.queued, .sending, .parked]) == [])
        #expect(try await network.record(Event.self, id: event.id)?.entity == last)
        #expect(try device.event(event.id)?.entity == last)
    }

    enum Former: CaseIterable { case accepted, underWay }

    @Test("leave nothing on the server where the second is deleted as well", arguments: Former.allCases)
    func deletedAgain(_ former: Former) async throws {
        try await device.engine.create(first)
        if former == .underWay { await device.network.enqueue(.serveThenFail(APIError.timeout), for: .create) }
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: first.id)
        var second = first
        second.icon = "leaf"
        try await makeAnew(second, changing: second)
        try await device.engine.delete(EventType.self, id: first.id)
        try await expectGone()
    }

    @Test("leave nothing on the server where the record was put back twice, and both deletions were given up")
    func putBackTwice() async throws {
        try await device.engine.create(first)
        _ = await device.engine.performSync()
        for icon in ["leaf", "cup"] {
            try await device.engine.delete(EventType.self, id: first.id)
            var next = first
            next.icon = icon
            try await device.engine.create(next)
            let deletion = try #require(try device.mutations([.queued]).first { $0.operation == .delete })
            try await device.engine.dropMutation(id: deletion.id)
        }
        try await device.engine.delete(EventType.self, id: first.id)
        try await expectGone()
    }

    @Test("end in what the second says where the server refuses the first's key")
    func refusedKey() async throws {
        let network = device.network
        try await device.engine.create(first)
        await network.enqueue(.fail(APIError.timeout), for: .create)
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: first.id)
        var second = first
        second.icon = "leaf"
        try await makeAnew(second, changing: second)
        let problem = ProblemDetails(status: 422, detail: "the Idempotency-Key was used with another body")
        await network.enqueue(.fail(APIError.http(status: 422, problem: problem)), for: .create)
        try await expectSettled(second)
    }
}
