import Synchronization
import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("The same thing made on two devices")
struct DuplicateTests {
    @Test("becomes one, and what belongs to it moves over")
    func sameName() async throws {
        let devices = TwoDevices()
        let first = try await devices.a.logCoffee(notes: "from a")
        let second = try await devices.b.logCoffee(notes: "from b")
        await devices.syncUntilQuiet()
        for device in [devices.a, devices.b] {
            let types = try device.store().fetchAllEventTypes()
            #expect(types.map(\.name) == ["coffee"])
            let events = try device.store().fetchAllEvents()
            #expect(Set(events.map(\.id)) == [first.id, second.id])
            #expect(events.allSatisfy { $0.eventTypeId == types.first?.id })
            #expect(try device.mutations([.parked, .queued, .sending]).isEmpty)
        }
    }

    @Test("is none where the server refuses a create as a duplicate of itself")
    func ownDuplicate() async throws {
        // Found by the simulator, seed 907: it was parked, and what its person changed in it was lost.
        let device = Device()
        try await device.engine.create(device.coffee)
        let event = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id))
        let refusal = APIError.http(status: 400, problem: ProblemDetails(detail: "no"))
        await device.network.enqueue(.serveThenFail(refusal), for: .createBatch)
        let conflict = APIError.http(status: 409, problem: ProblemDetails(detail: "the id is taken"))
        await device.network.enqueue(.fail(conflict), for: .create, .event)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try device.event(event.id)?.syncStatus == .synced)
    }

    @Test("leaves a create as it is that may have arrived before its record was moved")
    func createOnItsWay() async throws {
        // Found by the simulator, seeds 548 and 40128: the body changed under its key, and the batch was made again.
        let device = Device()
        try await device.engine.create(device.coffee)
        let event = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id))
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        let theirs = makeEventType(name: "tea")
        _ = try await device.network.put(theirs)
        let ours = try await device.engine.create(makeEventType(name: "tea"))
        try await device.edit(event.id) { $0.eventTypeId = ours.id }
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        let batches = await device.network.calls(.createBatch, .event)
        #expect(batches.count == 2 && Set(batches.map(\.idempotencyKey)).count == 1)
        #expect(Set(batches.map(\.body)).count == 1)
        #expect(try await device.network.record(Event.self, id: event.id)?.eventTypeId == theirs.id)
    }

    @Test("takes a name that a deletion of the same sync frees")
    func freedName() async throws {
        let device = Device()
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        let again = makeEventType(name: device.coffee.name)
        try await device.engine.create(again)
        let report = await device.engine.performSync()
        #expect(report.pending == 0 && report.parked == 0)
        #expect(try await device.network.records(EventType.self).map(\.id) == [again.id])
        #expect(try device.store().fetchAllEventTypes().map(\.id) == [again.id])
    }

    @Test("is none where the server failed, and what the create resembled has got another name meanwhile")
    func twinRenamedMeanwhile() async throws {
        // Found by the simulator, seed 227789: the create was parked.
        let device = Device()
        var theirs = makeEventType(name: device.coffee.name)
        _ = try await device.network.put(theirs)
        try await device.engine.create(device.coffee)
        let failure = APIError.http(status: 503, problem: ProblemDetails(detail: "deploying"))
        await device.network.enqueue(.fail(failure), for: .create)
        theirs.name = "tea"
        let (network, renamed) = (device.network, theirs)
        await network.beforeEachCall { call in
            guard call.operation == .get, await network.callCount(.list) > 0 else { return }
            await network.beforeEachCall(nil)
            _ = try await network.put(renamed)
        }
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 1 && report.parked == 0)
        #expect(await device.engine.performSync().pending == 0)
        #expect(Set(try await network.records(EventType.self).map(\.name)) == [device.coffee.name, "tea"])
    }

    @Test("moves its edit over to a record that is made anew after the edit, and shows it at all times")
    func movedBeneathCreation() async throws {
        // Found by the simulator, seed 3000839: the answer to the creation showed the former name.
        let device = Device()
        let first = try await device.engine.create(makeEventType(name: "headache"))
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: first.id)
        var second = try await device.engine.create(makeEventType(name: "headache"))
        await device.network.enqueue(.fail(APIError.timeout), for: .create)
        _ = await device.engine.performSync()
        try await device.engine.clearPendingMutations()
        second.name = "migraine"
        try await device.engine.update(second)
        try await device.engine.create(first)
        for parked in try device.mutations([.parked]) {
            if parked.operation == .delete {
                try await device.engine.dropMutation(id: parked.id)
            } else {
                try await device.engine.retryMutation(id: parked.id)
            }
        }
        let seen = Mutex<[String?]>([])
        await device.network.beforeEachCall { call in
            guard call.operation == .update else { return }
            let shown = try device.store().find(EventType.self, id: first.id)?.entity.name
            seen.withLock { $0.append(shown) }
        }
        #expect(await device.engine.performSync().pending == 0)
        #expect(seen.withLock { $0 } == ["migraine"])
        #expect(try await device.network.records(EventType.self).map(\.entity.name) == ["migraine"])
    }
}
