import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("An answer that a server repeats for its key")
struct RepeatedAnswerTests {
    private let devices = TwoDevices()
    private var network: MockNetworkClient { devices.network }

    /// Lets the server take the next mutation and fail, and then change once more before the feed is read.
    private func failAfterCommit(_ change: @escaping @Sendable (MockNetworkClient) async throws -> Void) async {
        await network.enqueue(.serveThenFail(APIError.http(status: 500, problem: ProblemDetails())), for: .update)
        let devices = devices
        await network.beforeEachCall { call in
            guard call.operation == .getChanges else { return }
            await devices.network.beforeEachCall(nil)
            devices.tick()
            try await change(devices.network)
        }
    }

    @Test("to a create undoes nothing that the feed has shown since")
    func create() async throws {
        let device = devices.a
        try await device.engine.create(device.coffee)
        await network.enqueue(.serveThenFail(APIError.timeout), for: .create)
        _ = await device.engine.performSync()
        try await device.engine.clearPendingMutations()
        devices.tick()
        try await network.edit(EventType.self, id: device.coffee.id) { $0.icon = "cup" }
        _ = await device.engine.performSync()
        for mutation in try device.mutations([.parked]) { try await device.engine.retryMutation(id: mutation.id) }
        #expect(await device.engine.performSync().pushed == 1)
        #expect(try device.store().findEventType(id: device.coffee.id)?.icon == "cup")
    }

    @Test("to an edit gives way to the later one of another device, and keeps what is still to be sent")
    func update() async throws {
        let event = try await devices.shareEvent()
        try await devices.a.edit(event.id) { $0.notes = "ours" }
        await failAfterCommit { try await $0.edit(Event.self, id: event.id) { $0.notes = "theirs" } }
        _ = await devices.a.engine.performSync()
        await network.enqueue(.serve, for: .update)
        await network.enqueue(.fail(APIError.timeout), for: .update)
        try await devices.a.edit(event.id) { $0.locationName = "home" }
        _ = await devices.a.engine.performSync()
        let here = try devices.a.event(event.id)?.entity
        #expect(here?.notes == "theirs")
        #expect(here?.locationName == "home")
        await devices.syncUntilQuiet()
        let there = try await network.record(Event.self, id: event.id)?.entity
        #expect(try devices.a.event(event.id)?.entity == there)
        #expect(there?.locationName == "home")
    }

    @Test("does not take the place of what a listing has staged since")
    func staged() async throws {
        let device = Device(network, wallClock: devices.a.wallClock) { $0.feedOverlap = 0 }
        try await device.engine.create(device.coffee)
        await network.enqueue(.serveThenFail(APIError.timeout), for: .create)
        _ = await device.engine.performSync()
        try await device.engine.clearPendingMutations()
        devices.tick()
        try await network.edit(EventType.self, id: device.coffee.id) { $0.icon = "cup" }
        await network.enqueue(.fail(APIError.connection("reset")), for: .list, .event)
        #expect(await device.engine.performSync().failure == .unreachable)
        for mutation in try device.mutations([.parked]) { try await device.engine.retryMutation(id: mutation.id) }
        #expect(await device.engine.performSync().failure == nil)
        #expect(try device.store().findEventType(id: device.coffee.id)?.icon == "cup")
    }

    @Test("to an edit undoes nothing that a listing has shown since, where another edit waits for the person")
    func listed() async throws {
        // Found by the simulator, in a shortened history of seed 207853.
        let event = try await devices.shareEvent()
        try await devices.a.edit(event.id) { $0.notes = "ours" }
        await network.enqueue(.serveThenFail(APIError.timeout), for: .update)
        _ = await devices.a.engine.performSync()
        devices.tick()
        try await network.edit(Event.self, id: event.id) { $0.notes = "theirs" }
        try await devices.a.edit(event.id) { $0.locationName = "home" }
        await network.enqueue(.serve, for: .update)
        let refusal = APIError.http(status: 422, problem: ProblemDetails(status: 422))
        await network.enqueue(.fail(refusal), for: .update)
        #expect(await devices.a.engine.forceFullResync().parked == 1)
        let here = try devices.a.event(event.id)?.entity
        #expect(here?.notes == "theirs" && here?.locationName == "home")
        #expect(try await devices.a.engine.conflicts().isEmpty)
    }

    @Test("does not bring back an event that went with its type, though the feed names only the type")
    func goneWithParent() async throws {
        let event = try await devices.shareEvent()
        let tea = makeEventType(name: "tea")
        try await network.put(tea)
        _ = await devices.a.engine.performSync()
        try await devices.a.edit(event.id) { $0.eventTypeId = tea.id }
        let last = await network.changes.map(\.id).max() ?? 0
        let deletion = ChangeEntry(id: last + 10, entityType: .eventType, operation: .delete, entityId: tea.id)
        let page = ChangeFeedResponse(changes: [deletion], nextCursor: deletion.id, hasMore: false)
        let feed = try WireCoding.decode(JSONValue.self, from: WireCoding.encode(page))
        await network.always(.respond(feed), for: .getChanges)
        await failAfterCommit { try await $0.remove(EventType.self, id: tea.id) }
        _ = await devices.a.engine.performSync()
        _ = await devices.a.engine.performSync()
        #expect(try devices.a.parkReason(of: event.id)?.code == .deletedElsewhere)
        #expect(try await devices.a.engine.conflicts().map(\.kind) == [.editedHereDeletedElsewhere])
    }

    @Test("to a create cannot come any more once the record's deletion has come true")
    func deletedMeanwhile() async throws {
        let device = devices.a
        _ = await device.engine.performSync()
        try await device.engine.create(device.coffee)
        await network.enqueue(.serveThenFail(APIError.timeout), for: .create)
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try await device.engine.clearPendingMutations()
        devices.tick()
        try await network.remove(EventType.self, id: device.coffee.id)
        _ = await device.engine.performSync()
        #expect(try device.mutations([.queued, .sending, .parked]).isEmpty)
        for mutation in try device.mutations() {
            await #expect(throws: LedgerError.self) { try await device.engine.retryMutation(id: mutation.id) }
        }
        _ = await device.engine.performSync()
        #expect(try device.store().findEventType(id: device.coffee.id) == nil)
    }
}
