import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// Whole devices with a deployed server.
@Suite("A device of a deployed server")
struct RESTDeviceTests {
    private let clock = ManualWallClock()
    private let server: DeployedServer
    private let (a, b): (ExchangingDevice, ExchangingDevice)

    init() {
        let (server, clock) = (DeployedServer(clock: clock), clock)
        self.server = server
        func device(_ number: Int) -> ExchangingDevice {
            let device = ExchangingDevice(ExchangeServer(), named: number, clock: clock)
            device.gateway = TrendySync.ServerGateway(
                client: server, stores: device.stores, schema: .trendy, wallClock: clock, clock: device.requestClock,
                identifiers: device.identifiers)
            return device
        }
        (a, b) = (device(1), device(2))
    }

    private func start() async throws {
        try a.write { _ = try $0.create(makeEventType(id: testId(1), name: "coffee")) }
        for device in [a, b] { try await device.sync() }
        clock.advance(bySeconds: 100)
    }

    private func event(_ number: Int, at second: Double? = nil, latitude: Double? = nil) -> Event {
        let time = ManualWallClock.defaultStart.advanced(bySeconds: second ?? Double(number))
        return makeEvent(
            id: testId(UInt64(100 + number)), timestamp: time, notes: "\(number)", locationLatitude: latitude,
            locationLongitude: latitude)
    }

    @Test("lives with two types of one name, which a server that compares spellings keeps")
    func twoSpellings() async throws {
        try await start()
        try b.write { writer in
            _ = try writer.create(makeEventType(id: testId(2), name: "Coffee"))
            _ = try writer.create(makeEvent(id: testId(150), eventTypeId: testId(2)))
        }
        for device in [b, a, b] { try await device.sync() }
        for device in [a, b] {
            #expect(device.stop == nil)
            #expect(try device.find(EventType.self, testId(1))?.name == "coffee")
            #expect(try device.find(EventType.self, testId(2))?.name == "Coffee")
            #expect(try device.find(Event.self, testId(150))?.eventTypeId == testId(2))
            #expect(try device.mutations([.queued, .sending, .parked]).isEmpty)
        }
    }

    @Test("sends 40 events and receives, with 8 of one moment among them, and tells of the 7 that are not taken why")
    func collisions() async throws {
        try await start()
        try b.write { _ = try $0.create(event(90)) }
        try await b.sync()
        try a.write { writer in
            for number in 0..<40 { try writer.create(event(number, at: (16..<24).contains(number) ? 1_000 : nil)) }
        }
        try await a.sync()
        #expect(a.stop == nil)
        #expect(try a.find(Event.self, testId(190)) != nil)
        #expect(try await server.mock.events.count == 34)
        let parked = try a.mutations([.parked])
        #expect(parked.count == 7)
        for mutation in parked {
            guard case .parked(let reason) = mutation.state else { continue }
            #expect(reason.fields.map(\.field) == ["event_type_id", "timestamp"])
        }
        let before = await server.mock.calls.count
        try await a.sync()
        #expect(await server.mock.calls.count <= before + 2)
    }

    @Test("sends what the server takes, although it fails on hundreds of others, which are parked in the end")
    func hundreds() async throws {
        try await start()
        let count = 210
        try a.write { writer in for number in 0..<count { try writer.create(event(number)) } }
        try await a.sync()
        clock.advance(bySeconds: 100)
        let good = testId(UInt64(100 + count - 1))
        await server.mock.beforeEachCall { call in
            if call.operation == .update, call.entityIds != [good] { throw RESTPeer.serverError }
        }
        try a.write { writer in
            for var edited in try a.all(Event.self).sorted(by: { $0.id < $1.id }) {
                edited.notes = "edited"
                try writer.update(edited)
            }
        }
        for _ in 0..<8 { try await a.sync() }
        #expect(try await server.mock.record(Event.self, id: good)?.entity.notes == "edited")
        // Nothing is to blame while the server takes nothing.
        #expect(try a.mutations([.parked]).isEmpty)
        for number in 0..<20 {
            try a.write { writer in
                var edited = try #require(try a.find(Event.self, good))
                edited.notes = "\(number)"
                try writer.update(edited)
            }
            try await a.sync()
            #expect(try await server.mock.record(Event.self, id: good)?.entity.notes == "\(number)")
        }
        #expect(a.stop == nil)
        #expect(try a.mutations([.queued, .sending]).isEmpty && a.mutations([.parked]).count == count - 1)
    }

    @Test("ends its sync where the server fails on more than one request carries, sync after sync")
    func failingCreates() async throws {
        try await start()
        a.configuration.mutationsPerRequest = 5
        for operation in [MockOperation.create, .createBatch] {
            await server.mock.always(.fail(RESTPeer.serverError), for: operation)
        }
        try a.write { writer in for number in 0..<40 { try writer.create(event(number)) } }
        for _ in 0..<4 {
            let before = await server.mock.calls.count
            try await a.sync()
            #expect(await server.mock.calls.count - before < 300)
        }
        await server.mock.reset()
        for _ in 0..<3 { try await a.sync() }
        #expect(try a.mutations([.queued, .sending, .parked]).isEmpty)
        #expect(try await server.mock.events.count == 40)
    }

    @Test("sends all in one sync through a proxy that takes only small requests", arguments: RESTPeer.errorsOfWay)
    func narrowWay(error: APIError) async throws {
        try await start()
        await server.mock.beforeEachCall { call in
            guard call.operation == .createBatch, let body = call.body else { return }
            if try WireCoding.encode(body).count > 6_000 { throw error }
        }
        try a.write { writer in for number in 0..<200 { try writer.create(event(number)) } }
        try await a.sync()
        #expect(a.stop == nil)
        #expect(try a.mutations([.queued, .sending, .parked]).isEmpty)
        #expect(try await server.mock.events.count == 200)
    }

    @Test("sends the place of a single event, which the route for one forgets, as an edit")
    func forgottenPlace() async throws {
        try await start()
        try a.write { _ = try $0.create(event(1, latitude: 50)) }
        try await a.sync()
        #expect(try await server.mock.record(Event.self, id: testId(101))?.entity.locationLatitude == 50)
        #expect(try a.mutations([.queued, .sending, .parked]).isEmpty && a.conflicts.isEmpty)
    }

    @Test("parks an edit that the server leaves out, and never counts it as taken", arguments: [nil, 0.0])
    func notTaken(latitude: Double?) async throws {
        try await start()
        try a.write { _ = try $0.create(event(1, latitude: 50)) }
        try await a.sync()
        var edited = try #require(try a.find(Event.self, testId(101)))
        (edited.locationLatitude, edited.locationLongitude) = (latitude, latitude)
        try a.write { [edited] in _ = try $0.update(edited) }
        try await a.sync()
        let parked = try #require(try a.mutations([.parked]).first)
        guard case .parked(let reason) = parked.state else { return }
        #expect(reason.fields.map(\.field) == ["location_latitude", "location_longitude"])
        #expect(reason.fields.allSatisfy { $0.code == "not_taken" })
    }

    @Test("takes out what went with a type, of which alone the feed speaks")
    func cascade() async throws {
        try await start()
        try a.write { writer in for number in 0..<3 { try writer.create(event(number)) } }
        for device in [a, b] { try await device.sync() }
        #expect(try b.all(Event.self).count == 3)
        try a.write { _ = try $0.delete(EventType.self, id: testId(1)) }
        for device in [a, b] { try await device.sync() }
        for device in [a, b] { #expect(try device.all(Event.self).isEmpty && device.all(EventType.self).isEmpty) }
    }

    @Test("takes out what went with a type that was made again in the same instant")
    func cascadeAndMadeAgain() async throws {
        try await start()
        try a.write { writer in for number in 0..<3 { try writer.create(event(number)) } }
        for device in [a, b] { try await device.sync() }
        #expect(try b.all(Event.self).count == 3)
        let type = try #require(try b.find(EventType.self, testId(1)))
        try await server.mock.remove(EventType.self, id: type.id)
        try await server.mock.put(type)
        for device in [a, b] { try await device.sync() }
        for device in [a, b] { #expect(try device.all(Event.self).isEmpty && device.all(EventType.self) == [type]) }
    }

    @Test("keeps what was listed beneath a type before the feed told that the type was made again")
    func listedBeforeItsType() async throws {
        try await start()
        let type = try #require(try b.find(EventType.self, testId(1)))
        try b.askForResync()
        b.configuration.changesPerPage = 1
        await server.say([nil, nil, .loseRequest(.connection("reset"))])
        try await b.sync()
        #expect(b.stop != nil)
        await server.say([])
        try b.write { _ = try $0.delete(EventType.self, id: type.id) }
        clock.advance(bySeconds: 10)
        try await server.mock.remove(EventType.self, id: type.id)
        try await server.mock.put(type)
        clock.advance(bySeconds: 10)
        try await server.mock.put(event(1))
        try await b.sync()
        #expect(try b.all(EventType.self) == [type] && b.all(Event.self).map(\.id) == [testId(101)])
    }

    @Test("has each write take effect once, whatever is lost on the way", arguments: Loss.allCases, 0..<5)
    func losses(_ loss: Loss, at place: Int) async throws {
        try await start()
        try a.write { writer in for number in 0..<4 { try writer.create(event(number)) } }
        try await a.sync()
        clock.advance(bySeconds: 100)
        var edited = try #require(try a.find(Event.self, testId(100)))
        edited.notes = "edited"
        try a.write { [edited] writer in
            try writer.update(edited)
            try writer.delete(Event.self, id: testId(101))
            for number in 4..<7 { try writer.create(event(number)) }
        }
        await server.say(Array(repeating: nil, count: place) + [loss.step])
        try await a.sync()
        await server.say([])
        await server.mock.forgetKeys()
        for _ in 0..<3 {
            clock.advance(bySeconds: 400)
            for device in [a, b] { try await device.sync() }
        }
        #expect(try a.mutations([.queued, .sending, .parked]).isEmpty && a.conflicts.isEmpty)
        let there = try await server.mock.events.map(\.entity).sorted { $0.id < $1.id }
        #expect(there.map(\.notes) == ["edited", "2", "3", "4", "5", "6"])
        for device in [a, b] { #expect(try device.all(Event.self).sorted { $0.id < $1.id } == there) }
    }

    /// What is put aside, and what waits for another cycle, is in no request. The feed shows its arrival all the same, and
    /// shows it once.
    @Test("sees a parked edit arrive, so that it does not go over what others made of it", arguments: [false, true])
    func parkedEditArrived(follows: Bool) async throws {
        try await start()
        try a.write { try $0.create(event(1)) }
        for device in [a, b] { try await device.sync() }
        clock.advance(bySeconds: 100)
        let engine = SyncEngine(networkClient: server, dataStoreFactory: a.stores, wallClock: clock)
        func edit(_ notes: String) async throws {
            var event = try #require(try a.find(Event.self, testId(101)))
            event.notes = notes
            try await engine.update(event)
        }
        try await edit("first")
        await server.say([nil, .loseAnswer(.connection("reset")), .loseRequest(.connection("reset"))])
        #expect(await engine.performSync().failure != nil)
        await server.say([])
        #expect(try await engine.clearPendingMutations() == 1)
        if follows { try await edit("second") }
        clock.advance(bySeconds: 400)
        try await b.sync()
        #expect(try b.find(Event.self, testId(101))?.notes == "first")
        try b.write { writer in
            var event = try #require(try b.find(Event.self, testId(101)))
            event.notes = "theirs"
            try writer.update(event)
        }
        try await b.sync()
        clock.advance(bySeconds: 400)
        #expect(await engine.performSync().failure == nil)
        // What follows it was waiting for it, and goes now.
        #expect(try a.mutations([.queued, .sending, .parked]).isEmpty)
        #expect(try a.conflicts.map(\.field) == (follows ? ["notes"] : []))
        try await b.sync()
        for device in [a, b] {
            #expect(try device.find(Event.self, testId(101))?.notes == (follows ? "second" : "theirs"))
        }
    }

    @Test(
        "sends an event without a place that others have deleted, which such a server does not refuse",
        arguments: [1, 3])
    func deletedPlace(count: Int) async throws {
        try await start()
        let place = makeGeofence(id: testId(9), name: "gym")
        try b.write { try $0.create(place) }
        for device in [b, a] { try await device.sync() }
        clock.advance(bySeconds: 100)
        try a.write { writer in
            for number in 0..<count {
                var event = event(number)
                event.geofenceId = place.id
                try writer.create(event)
            }
        }
        try b.write { try $0.delete(Geofence.self, id: place.id) }
        for device in [b, a, b] { try await device.sync() }
        #expect(try a.mutations([.queued, .sending, .parked]).isEmpty)
        let there = try await server.mock.events.map(\.entity)
        #expect(there.count == count && there.allSatisfy { $0.geofenceId == nil })
        for device in [a, b] { #expect(try Set(device.all(Event.self)) == Set(there)) }
    }

    @Test("sends an event that others deleted and put back, and what was edited since", arguments: [false, true])
    func putBack(follows: Bool) async throws {
        try await start()
        let engine = SyncEngine(networkClient: server, dataStoreFactory: a.stores, wallClock: clock)
        let made = try await engine.create(event(1))
        await server.say([nil, .loseAnswer(.connection("reset")), .loseRequest(.connection("reset"))])
        #expect(await engine.performSync().failure != nil)
        await server.say([])
        if follows {
            var edited = try #require(try a.find(Event.self, made.id))
            edited.notes = "edited"
            try await engine.update(edited)
        }
        clock.advance(bySeconds: 400)
        try await b.sync()
        try b.write { try $0.delete(Event.self, id: made.id) }
        try await b.sync()
        clock.advance(bySeconds: 400)
        await engine.performSync()
        #expect(try !a.mutations([.parked]).isEmpty && a.conflicts.count == 1)
        try b.write { try $0.create(made) }
        try await b.sync()
        clock.advance(bySeconds: 400)
        for _ in 0..<2 { await engine.performSync() }
        #expect(try a.mutations([.queued, .sending, .parked]).isEmpty && a.conflicts.isEmpty)
        try await b.sync()
        for device in [a, b] {
            #expect(try device.find(Event.self, made.id)?.notes == (follows ? "edited" : made.notes))
        }
    }

    enum Loss: CaseIterable {
        case request, answer, failure, failureAfterwards, busy, page, nonsense, tooLarge

        var step: DeployedServer.Step {
            switch self {
            case .request: .loseRequest(.timeout)
            case .answer: .loseAnswer(.connection("reset"))
            case .failure: .loseRequest(RESTPeer.refusal(502))
            case .failureAfterwards: .loseAnswer(RESTPeer.refusal(504))
            case .busy: .loseRequest(.rateLimited(retryAfter: 60))
            case .page: .loseAnswer(.notAServer("a web page"))
            case .nonsense: .loseAnswer(.malformedResponse("nonsense"))
            case .tooLarge: .loseRequest(.answerTooLarge(limit: 1))
            }
        }
    }

    // MARK: Comparing everything

    @Test("finds what has no entry in the feed when a person has everything compared, and mends it")
    func audit() async throws {
        let engine = SyncEngine(networkClient: server, dataStoreFactory: a.stores, wallClock: clock)
        try await engine.create(makeEventType(id: testId(1), name: "coffee"))
        for number in 0..<3 { try await engine.create(event(number)) }
        #expect(await engine.performSync().failure == nil)
        try await server.mock.put(event(7))
        await server.mock.forgetChanges(of: testId(107))
        clock.advance(bySeconds: 100)
        try await server.mock.edit(Event.self, id: testId(101)) { $0.notes = "theirs" }
        await server.mock.forgetChanges(of: testId(101))
        #expect(await engine.performSync().pulled == 0)
        #expect(await engine.audit(repairing: true).differences.count == 2)
        #expect(await engine.audit().isClean)
        #expect(try a.find(Event.self, testId(101))?.notes == "theirs")
        // What comes after that is not taken for something older.
        clock.advance(bySeconds: 100)
        try await server.mock.edit(Event.self, id: testId(101)) { $0.notes = "theirs again" }
        #expect(await engine.performSync().pulled == 1)
        #expect(try a.find(Event.self, testId(101))?.notes == "theirs again")
    }

    // MARK: One limit for two

    /// A limiter that counts each refused request anew: only a minute of silence opens it.
    @Test("is not locked out by another one on its address, whenever the two ask", arguments: 0..<60)
    func sharedLimit(offset: Int) {
        var breakers = [CircuitBreaker(), CircuitBreaker()]
        var next = [0, offset]
        var refusedAt = 0
        var served: Set<Int> = []
        for second in 0..<1_800 where served.count < 2 {
            let now = ManualWallClock.defaultStart.advanced(bySeconds: Double(second))
            for device in 0..<2 where next[device] <= second && breakers[device].remaining(at: now) == nil {
                next[device] = second + 60
                if second - refusedAt >= 60 {
                    served.insert(device)
                } else {
                    refusedAt = second
                    breakers[device].refused(retryAfter: 60, at: now)
                }
            }
        }
        #expect(served.count == 2)
    }
}
