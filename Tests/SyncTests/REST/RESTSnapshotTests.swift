import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("The listings through the REST gateway")
struct RESTSnapshotTests {
    /// A server that lists events in pages of ten.
    private let peer: RESTPeer
    private var network: MockNetworkClient { peer.network }

    init() {
        let clock = ManualWallClock()
        let events = RouteCapabilities(listing: .paged(limit: 10), batchLimit: 500)
        peer = RESTPeer(MockNetworkClient(clock: clock, capabilities: [.event: events]), clock: clock)
    }

    // MARK: Snapshot

    @Test(
        "do not send what arrived without an answer again, where others have changed it since",
        arguments: [false, true])
    func arrived(isCreate: Bool) async throws {
        let device = Device()
        await device.network.always(.fail(refusal(404)), for: .exchange)
        var event = try await device.syncedCoffee(notes: "first")
        await device.sync()
        device.wallClock.advance(bySeconds: 60)
        if isCreate {
            event = try await device.logCoffee(notes: "second")
        } else {
            try await device.edit(event.id) { $0.notes = "second" }
        }
        await device.network.beforeEachCall { [network = device.network, event] call in
            guard call.entityIds == [event.id] else { return }
            await network.beforeEachCall(nil)
            if isCreate {
                try await network.put(event)
            } else {
                try await network.edit(Event.self, id: event.id) { $0.notes = "second" }
            }
            throw CancellationError()
        }
        await device.sync()
        #expect(try device.open().map(\.state) == [.sending])
        device.wallClock.advance(bySeconds: 60)
        try await device.network.edit(Event.self, id: event.id) { $0.notes = nil }
        device.wallClock.advance(bySeconds: 400)
        #expect(await device.engine.forceFullResync().failure == nil)
        #expect(try device.open().isEmpty && device.event(event.id)?.notes == nil && device.conflicts.isEmpty)
        #expect(try await device.network.record(Event.self, id: event.id)?.entity.notes == nil)
    }

    @Test("do not take back what others have changed of a create that took the place of another one and has arrived")
    func arrivedInItsPlace() async throws {
        let device = Device()
        await device.network.always(.fail(refusal(404)), for: .exchange)
        _ = try await device.syncedCoffee(notes: "first")
        let event = try await device.logCoffee(notes: "second")
        for operation in [MockOperation.create, .get] {
            await device.network.always(.fail(refusal(500)), for: operation)
        }
        await device.sync()
        try await device.edit(event.id) { $0.isAllDay = true }
        await device.sync()
        await device.network.always(nil, for: .create)
        await device.network.always(nil, for: .get)
        await device.network.beforeEachCall { [network = device.network] call in
            guard call.operation == .create else { return }
            await network.beforeEachCall(nil)
            try await network.put(try #require(try device.event(event.id)))
            throw CancellationError()
        }
        device.wallClock.advance(bySeconds: 400)
        await device.sync()
        #expect(try device.open().map(\.state) == [.sending])
        #expect(try await device.network.record(Event.self, id: event.id)?.entity.isAllDay == true)
        device.wallClock.advance(bySeconds: 60)
        try await device.network.edit(Event.self, id: event.id) { $0.isAllDay = false }
        device.wallClock.advance(bySeconds: 40_000)
        #expect(await device.engine.forceFullResync().failure == nil)
        await device.sync()
        #expect(try await device.network.record(Event.self, id: event.id)?.entity.isAllDay == false)
        #expect(try device.open().isEmpty && device.event(event.id)?.isAllDay == false && device.conflicts.isEmpty)
    }

    @Test("show parents' kinds first, in pages, and then what changed meanwhile")
    func everything() async throws {
        let events = try await network.seed(events: 25)
        try await network.put(makePropertyDefinition())
        try await network.put(makeGeofence())
        let first = try await peer.exchange(limit: 10)
        #expect(first.more && first.changes.first?.entityType == .eventType)
        let late = try await network.put(makeEvent(timestamp: events[0].timestamp.advanced(byMilliseconds: 1)))
        try await network.remove(Event.self, id: events[3].id)
        try await peer.catchUp(limit: 10)
        #expect(peer.ids(.event) == Set(events.map(\.id)).union([late.id]).subtracting([events[3].id]))
        #expect(peer.ids(.propertyDefinition).count == 1 && peer.ids(.geofence).count == 1)
        #expect(try await peer.exchange().changes.isEmpty)
    }

    @Test("show each record once, though pages overlap")
    func once() async throws {
        let events = try await network.seed(events: 25)
        let shown = try await peer.exchange(limit: 500).changes.filter { $0.entityType == .event }.map(\.entityId)
        #expect(shown.sorted() == events.map(\.id).sorted())
    }

    @Test("go on from the cursor in another process after they were cut off")
    func cutOff() async throws {
        let events = try await network.seed(events: 60)
        try await peer.exchange(limit: 20)
        await network.enqueue(.serve, for: .list, .event)
        await network.enqueue(.fail(APIError.connection("gone")), times: 2, for: .list, .event)
        #expect(try await peer.exchange(limit: 20).more)
        await #expect(throws: APIError.connection("gone")) { try await peer.exchange() }
        let seen = await network.callCount(.list, .event)
        peer.restart()
        try await peer.catchUp()
        #expect(peer.ids(.event) == Set(events.map(\.id)))
        // Nothing that was shown is listed again, but for the record of overlap.
        #expect(await network.callCount(.list, .event) - seen <= 11)
    }

    @Test("miss nothing where rows move up behind the reader's back", arguments: [1, 8, 25])
    func shifting(count: Int) async throws {
        let events = try await network.seed(events: 60)
        try await peer.exchange(limit: 30)
        let seen = peer.ids(.event)
        for event in events.reversed().prefix(count) { try await network.remove(Event.self, id: event.id) }
        #expect(seen.count == 28 || !seen.isEmpty)
        try await peer.catchUp(limit: 30)
        #expect(peer.ids(.event) == Set(events.dropLast(count).map(\.id)))
    }

    @Test("are read to their end where pages are shorter than was asked for")
    func short() async throws {
        let events = try await network.seed(events: 25)
        for cap in [1, 3] {
            await network.capLists(at: cap)
            (peer.epoch, peer.cursor) = (nil, nil)
            let told = try await peer.catchUp()
            #expect(Set(told.map(\.entityId)).isSuperset(of: events.map(\.id)), "at most \(cap)")
        }
    }

    @Test("end where a server knows nothing of offsets, unless it shows full pages for ever", arguments: [5, 10])
    func noOffsets(count: Int) async throws {
        _ = try await network.seed(events: count)
        let page = try await network.list(Event.self, ListRequest(limit: 10))
        let same: JSONValue = .array(try page.records.map { .object(try WireCoding.fields(of: $0)) })
        await network.always(.respond(same), for: .list, .event)
        if count == 5 {
            try await peer.catchUp()
            #expect(peer.ids(.event).count == 5)
        } else {
            await #expect(throws: APIError.self) { try await peer.catchUp() }
            #expect(await network.callCount(.list, .event) < 50)
        }
    }

    @Test("hand on what is no record, and go on")
    func unusable() async throws {
        _ = try await network.seed()
        await network.always(.respond([["id": "t1", "name": ""], "nonsense"]), for: .list, .eventType)
        let told = try await peer.catchUp().filter { $0.entityType == .eventType && $0.record != nil }
        #expect(told.contains { $0.entityId == "t1" } && told.contains { $0.record == "nonsense" })
    }

    @Test("are asked for less where a page is too large, the first one or a later one", arguments: [0, 1])
    func tooLarge(from offset: Int) async throws {
        let events = try await network.seed(events: 30)
        await network.beforeEachCall { call in
            guard let list = call.list, call.entityType == .event, list.offset >= offset else { return }
            if list.limit > 4 { throw APIError.answerTooLarge(limit: 1) }
        }
        try await peer.catchUp()
        #expect(peer.ids(.event) == Set(events.map(\.id)))
    }

    @Test("are read to their end where rows move down while pages become smaller", arguments: 1...4)
    func smallerAndShifting(count: Int) async throws {
        let events = try await network.seed(events: 30)
        let network = network
        await network.beforeEachCall { call in
            guard let list = call.list, call.entityType == .event, list.offset > 0 else { return }
            if list.limit > 2 { throw APIError.answerTooLarge(limit: 1) }
            await network.beforeEachCall(nil)
            for step in 1...Int64(count) {
                try await network.put(makeEvent(timestamp: events[29].timestamp.advanced(byMilliseconds: step)))
            }
        }
        try await peer.catchUp()
        #expect(peer.ids(.event).count == 30 + count && peer.ids(.event).isSuperset(of: events.map(\.id)))
    }

    @Test("do not begin at an end of the feed that can be none", arguments: [Int64.min, -1, .max])
    func implausibleEnd(newest: Int64) async throws {
        await network.always(.respond(.integer(newest)), for: .getLatestCursor)
        await #expect(throws: APIError.self) { try await peer.exchange() }
    }

    // MARK: What has no entry in the feed

    /// A record that a server has committed before it crashed.
    private func putWithoutEntry() async throws -> String {
        let event = try await network.put(makeEvent(notes: "no entry"))
        await network.forgetChanges(of: event.id)
        return event.id
    }

    @Test("find, once a day, a few pages at a time, what has no entry in the feed")
    func daily() async throws {
        _ = try await network.seed(events: 70)
        try await peer.catchUp()
        let lost = try await putWithoutEntry()
        for _ in 0..<5 { try await peer.exchange() }
        #expect(!peer.ids(.event).contains(lost))
        peer.tick(seconds: 86_400)
        let before = await network.callCount(.list)
        try await peer.exchange()
        #expect(await network.callCount(.list) - before == 4)
        for _ in 0..<5 { try await peer.exchange() }
        #expect(peer.ids(.event).contains(lost))
        let listed = await network.callCount(.list)
        try await peer.exchange()
        #expect(await network.callCount(.list) == listed)
    }

    @Test("find what was written behind a check that began the day before")
    func pastMidnight() async throws {
        _ = try await network.seed(events: 70)
        try await peer.catchUp()
        peer.tick(seconds: 86_400)
        try await peer.exchange()
        let lost = try await network.put(makeEventType(name: "no entry"))
        await network.forgetChanges(of: lost.id)
        peer.tick(seconds: 86_400)
        for _ in 0..<15 { try await peer.exchange() }
        #expect(peer.ids(.eventType).contains(lost.id))
    }

    @Test("are compared at once where this version knows a kind that the one before did not")
    func newKind() async throws {
        let known = try EntitySchema([EventType.self, PropertyDefinition.self, Event.self])
        let peer = RESTPeer(network, clock: self.peer.clock, schema: known)
        _ = try await network.seed(events: 30)
        let place = try await network.put(makeGeofence())
        await network.forgetChanges(of: place.id)
        try await peer.catchUp()
        #expect(peer.ids(.geofence).isEmpty)
        peer.restart(schema: .trendy)
        try await peer.catchUp()
        #expect(peer.ids(.geofence) == [place.id])
        let listed = await network.callCount(.list)
        try await peer.exchange()
        #expect(await network.callCount(.list) == listed)
    }

    @Test("find an edit without an entry as well, and tell nothing twice")
    func edited() async throws {
        let events = try await network.seed(events: 25)
        try await peer.catchUp()
        peer.tick(seconds: 86_400)
        try await network.edit(Event.self, id: events[3].id) { $0.notes = "no entry either" }
        await network.forgetChanges(of: events[3].id)
        #expect(try await told() == [events[3].id])
        #expect(peer.value("notes", of: events[3].id) == "no entry either")
        peer.tick(seconds: 86_400)
        #expect(try await told().isEmpty)
    }

    /// What is told by so many exchanges as a check may take.
    private func told() async throws -> [String] {
        var ids: [String] = []
        for _ in 0..<5 { ids += try await peer.exchange().changes.map(\.entityId) }
        return ids
    }

}
