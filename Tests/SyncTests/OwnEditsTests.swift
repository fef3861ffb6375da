import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("A device's own edits of one field")
struct OwnEditsTests {
    private let devices = TwoDevices()
    private var network: MockNetworkClient { devices.network }
    private var a: Device { devices.a }

    private static let unavailable = APIError.http(status: 503, problem: ProblemDetails(status: 503))
    private static let lost: [MockAnswer] = [
        .serveThenFail(APIError.timeout), .fail(APIError.timeout), .fail(APIError.rateLimited(retryAfter: nil)),
        .fail(unavailable), .serveThenFail(unavailable),
    ]

    private func setNotes(_ id: String, _ notes: String) async throws {
        try await a.edit(id) { $0.notes = notes }
    }

    private func sync() async {
        _ = await a.engine.performSync()
        devices.tick()
    }

    @Test("are no conflict where the answer to the first was lost", arguments: 0..<lost.count)
    func lostAnswer(which: Int) async throws {
        let event = try await devices.shareEvent(notes: "base")
        await network.enqueue(Self.lost[which], for: .update)
        for notes in ["A", "B", "C"] {
            try await setNotes(event.id, notes)
            await sync()
        }
        await sync()
        #expect(try await network.record(Event.self, id: event.id)?.entity.notes == "C")
        #expect(try a.event(event.id)?.entity.notes == "C")
        #expect(try await a.engine.conflicts() == [])
    }

    @Test("are no conflict where a place was deleted before the answer to what had named it, and another is named")
    func placeDeletedUnderWay() async throws {
        // Found by the simulator, seed 841940.
        let (first, second) = (makeGeofence(name: "first"), makeGeofence(name: "second"))
        try await a.engine.create(first)
        try await a.engine.create(a.coffee)
        let event = try await a.engine.create(makeEvent(eventTypeId: a.coffee.id, geofenceId: first.id))
        await network.beforeEachCall { [network, a] call in
            guard call.operation == .createBatch else { return }
            await network.beforeEachCall(nil)
            try await a.engine.delete(Geofence.self, id: first.id)
            try await a.engine.create(second)
            try await a.edit(event.id) { $0.geofenceId = second.id }
        }
        await sync()
        #expect(try a.mutations([.queued, .sending, .parked]) == [])
        #expect(try await a.engine.conflicts() == [])
        #expect(try a.event(event.id)?.entity.geofenceId == second.id)
        #expect(try await network.record(Event.self, id: event.id)?.entity.geofenceId == second.id)
    }

    @Test("are no conflict where a place was deleted here, another is named, and the deletion waits for the person")
    func deletionOfPlaceWaits() async throws {
        // Found by the simulator, seed 841940.
        let (first, second) = (makeGeofence(name: "first"), makeGeofence(name: "second"))
        for place in [first, second] { try await a.engine.create(place) }
        try await a.engine.create(a.coffee)
        let event = try await a.engine.create(makeEvent(eventTypeId: a.coffee.id, geofenceId: first.id))
        await sync()
        try await a.engine.delete(Geofence.self, id: first.id)
        try await a.edit(event.id) { $0.geofenceId = second.id }
        try await a.engine.clearPendingMutations()
        _ = await a.engine.forceFullResync()
        #expect(try a.mutations([.parked]).count == 2)
        #expect(try a.event(event.id)?.entity.geofenceId == second.id)
        #expect(try await a.engine.conflicts() == [])
    }

    @Test("are no conflict where the feed cannot be read between them", arguments: [true, false])
    func lostFeed(tellsTimes: Bool) async throws {
        let event = try await devices.shareEvent(notes: "base")
        await network.always(.fail(Self.unavailable), for: .getChanges)
        for notes in ["A", "B", "C"] {
            try await setNotes(event.id, notes)
            if !tellsTimes {
                // A server without times, or whose clock was set back.
                var answer = try WireCoding.fields(of: event)
                answer["notes"] = .string(notes)
                await network.enqueue(.respond(.object(answer)), for: .update)
            }
            await sync()
        }
        #expect(try a.event(event.id)?.entity.notes == "C")
        #expect(try await a.engine.conflicts() == [])
        await network.always(nil, for: .getChanges)
        if tellsTimes { await sync() }
        #expect(try await a.engine.conflicts() == [])
    }

    @Test("are no conflict where another device builds on one that the feed has not shown here")
    func builtUpon() async throws {
        let event = try await devices.shareEvent(notes: "base")
        await network.enqueue(.fail(Self.unavailable), for: .getChanges)
        try await setNotes(event.id, "A")
        await sync()
        _ = await devices.b.engine.performSync()
        devices.tick()
        try await devices.b.edit(event.id) { $0.notes = "X" }
        _ = await devices.b.engine.performSync()
        devices.tick()
        try await a.edit(event.id) { $0.locationName = "home" }
        await sync()
        await devices.syncUntilQuiet()
        #expect(try a.event(event.id)?.entity.notes == "X")
        #expect(try await a.engine.conflicts() == [])
        #expect(try await devices.b.engine.conflicts() == [])
    }

    /// Simulator seeds 56 and 234944: the feed after a bootstrap that was cut off shows what lies before its listing.
    @Test(
        "are no conflict where the feed shows the first ones after a listing has shown the last", arguments: [1, 500])
    func listedFirst(changesPerPage: Int) async throws {
        let clock = ManualWallClock()
        let network = MockNetworkClient(clock: clock)
        let device = Device(network, wallClock: clock) { $0.changesPerPage = changesPerPage }
        let event = try await device.logCoffee(notes: "base")
        await network.always(.fail(Self.unavailable), for: .list)
        for notes in ["A", "B"] {
            _ = await device.engine.performSync()
            device.wallClock.advance(bySeconds: 120)
            try await device.edit(event.id) { $0.notes = notes }
        }
        _ = await device.engine.performSync()
        await network.always(nil, for: .list)
        await network.always(.fail(Self.unavailable), for: .update)
        try await device.edit(event.id) { $0.notes = "C" }
        #expect(await device.engine.performSync().bootstrapped)
        #expect(try device.event(event.id)?.entity.notes == "C")
        #expect(try await device.engine.conflicts() == [])
        await network.always(nil, for: .update)
        device.wallClock.advance(bySeconds: 120)
        _ = await device.engine.performSync()
        #expect(try await network.record(Event.self, id: event.id)?.entity.notes == "C")
        #expect(try await device.engine.conflicts() == [])
    }

    @Test(
        "are no conflict where the feed leaves the first out and shows them beside the last", arguments: [false, true])
    func leftOutAtFirst(inOneMoment: Bool) async throws {
        // Found by the simulator, seed 2010570.
        let clock = ManualWallClock()
        let network = MockNetworkClient(clock: clock)
        let device = Device(network, wallClock: clock)
        _ = await device.engine.performSync()
        let event = try await device.logCoffee(notes: "base")
        await network.always(.fail(Self.unavailable), for: .getChanges)
        _ = await device.engine.performSync()
        await network.always(nil, for: .getChanges)
        for notes in ["A", "B"] {
            if !inOneMoment { clock.advance(bySeconds: 120) }
            try await device.edit(event.id) { $0.notes = notes }
            let cursor = try await network.getLatestCursor() + 1
            await network.enqueue(
                .respond(["changes": [], "next_cursor": .integer(cursor), "has_more": true]), for: .getChanges)
            _ = await device.engine.performSync()
        }
        clock.advance(bySeconds: 120)
        try await device.edit(event.id) { $0.notes = "C" }
        #expect(await device.engine.performSync().failure == nil)
        #expect(try device.event(event.id)?.entity.notes == "C")
        #expect(try await device.engine.conflicts() == [])
    }

    @Test("list what they took from another device, once, though the first was answered late")
    func otherSide() async throws {
        let event = try await devices.shareEvent(notes: "base")
        try await devices.b.edit(event.id) { $0.notes = "X" }
        _ = await devices.b.engine.performSync()
        devices.tick()
        await network.enqueue(.serveThenFail(APIError.timeout), for: .update)
        for notes in ["A", "B"] {
            try await setNotes(event.id, notes)
            await sync()
        }
        await sync()
        #expect(try await network.record(Event.self, id: event.id)?.entity.notes == "B")
        #expect(try await a.engine.conflicts().map(\.remoteValue) == ["X"])
    }

    @Test("give way to what others said after them in the same moment, where a full resync reads both")
    func sameMoment() async throws {
        // Found by the simulator, seed 1401820: the own edit stood above the later one for good.
        let event = try await devices.shareEvent(notes: "base")
        await network.always(.fail(APIError.connection("cut off")), for: .getChanges)
        try await setNotes(event.id, "mine")
        #expect(await a.engine.performSync().pushed == 1)
        await network.always(nil, for: .getChanges)
        let network = network
        await network.beforeEachCall { call in
            guard call.operation == .getChanges else { return }
            await network.beforeEachCall(nil)
            try await network.edit(Event.self, id: event.id) { $0.notes = "theirs" }
        }
        #expect(await a.engine.forceFullResync().failure == nil)
        #expect(try a.event(event.id)?.entity.notes == "theirs")
        #expect(try await a.engine.conflicts() == [])
    }
}
