import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("A record that was put back, and is deleted again before it is sent")
struct DeletedAgainTests {
    private let device = Device()

    @Test("is deleted on the server, too, where it was moved before that, and its first parent's deletion never went")
    func movedAndDeleted() async throws {
        // Found by the simulator, seed 3002830: the listing brought it back.
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try await device.engine.create(device.coffee)
        try await device.engine.create(event)
        let tea = try await device.engine.create(makeEventType(name: "tea"))
        try await device.engine.clearPendingMutations()
        try await device.edit(event.id) { $0.eventTypeId = tea.id }
        try await device.engine.delete(Event.self, id: event.id)
        _ = await device.engine.forceFullResync()
        #expect(try device.event(event.id) == nil)
        #expect(try await device.network.record(Event.self, id: event.id) == nil)
    }

    @Test("does not come back where it was deleted before the feed has shown that its parent was")
    func deletedBeforeTheEcho() async throws {
        // Found by the simulator, seed 3002538: the feed's first entry brought it back.
        let event = try await device.logCoffee()
        await device.network.always(.fail(APIError.connection("cut off")), for: .getChanges)
        _ = await device.engine.performSync()
        let place = await device.network.skipChangeIds()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        _ = await device.engine.performSync()
        // Deployed feeds do not tell of what went with its type.
        await device.network.forgetChanges(of: event.id)
        await device.network.appendChange(
            id: place, entityType: .event, operation: .create, entityId: event.id,
            data: .object(try WireCoding.fields(of: APIEvent(event))))
        await device.network.always(nil, for: .getChanges)
        try await device.engine.create(device.coffee)
        try await device.engine.create(event)
        try await device.engine.delete(Event.self, id: event.id)
        for _ in 0..<2 { #expect(await device.engine.performSync().pending == 0) }
        #expect(try device.event(event.id) == nil)
        #expect(try await device.network.record(Event.self, id: event.id) == nil)
    }

    @Test("stays deleted where the queue is cleared meanwhile, and the feed tells of its first end")
    func clearedQueue() async throws {
        // Found by the simulator, seed 3028627: the deletion that waited for the person counted as done.
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try await device.engine.create(device.coffee)
        try await device.engine.create(event)
        let device = device
        await device.network.beforeEachCall { call in
            guard call.operation == .createBatch else { return }
            await device.network.beforeEachCall(nil)
            try await device.engine.delete(Event.self, id: event.id)
            try await device.engine.clearPendingMutations()
        }
        for _ in 0..<2 { #expect(await device.engine.performSync().failure == nil) }
        #expect(try device.event(event.id) == nil)
        let parked = try #require(try device.mutations([.parked]).first { $0.operation == .delete })
        try await device.engine.retryMutation(id: parked.id)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await device.network.record(Event.self, id: event.id) == nil)
    }

    @Test("counts as deleted where the server refused that, and another device has done it since")
    func deletedElsewhereSince() async throws {
        let clock = ManualWallClock()
        let device = Device(MockNetworkClient(clock: clock), wallClock: clock)
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        for isDeletion in [true, false] {
            device.wallClock.advance(bySeconds: 1)
            if isDeletion {
                try await device.engine.delete(Event.self, id: event.id)
            } else {
                try await device.engine.create(event)
            }
            #expect(await device.engine.performSync().pending == 0)
        }
        device.wallClock.advance(bySeconds: 1)
        try await device.engine.delete(Event.self, id: event.id)
        let refusal = APIError.http(status: 403, problem: ProblemDetails(status: 403))
        await device.network.enqueue(.fail(refusal), for: .delete)
        #expect(await device.engine.performSync().parked == 1)
        device.wallClock.advance(bySeconds: 1)
        try await device.network.remove(Event.self, id: event.id)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.parked == 0)
        #expect(try device.event(event.id) == nil)
    }
}

@Suite("A new record whose answer was lost, and that was deleted before anybody knew")
struct LostAndDeletedTests {
    private let device = Device()

    @Test("is not made again where it has gone with its type, which was deleted and put back", arguments: [1, 3])
    func goneWithItsType(events: Int) async throws {
        // Found by the simulator, seeds 3026158 and 3031498.
        let network = device.network
        var logged = [try await device.logCoffee()]
        for _ in 1..<events { logged.append(try await device.logCoffee()) }
        await network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        await network.enqueue(.fail(APIError.timeout), for: .createBatch)
        for _ in 0..<2 {
            #expect(await device.engine.performSync().failure == .unreachable)
            device.wallClock.advance(bySeconds: 90)
        }
        try await device.engine.delete(Event.self, id: logged[0].id)
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try await device.engine.create(device.coffee)
        // Deployed feeds do not tell of what went with its type.
        let ids = logged.map(\.id)
        await network.beforeEachCall { _ in for id in ids { await network.forgetChanges(of: id) } }
        let made = await network.callCount(.createBatch)
        for _ in 0..<3 { #expect(await device.engine.performSync().failure == nil) }
        #expect(await network.callCount(.createBatch) == made)
        #expect(await network.callCount(.create) == 2)
        #expect(try device.mutations([.queued, .sending, .parked]) == [])
        for event in logged {
            #expect(try device.event(event.id) == nil)
            #expect(try await network.record(Event.self, id: event.id) == nil)
        }
    }
}
