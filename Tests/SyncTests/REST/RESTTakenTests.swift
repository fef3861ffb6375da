import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// What deployed servers refuse with status 500, with their database's words or with none.
@Suite("What a deployed server does not take")
struct RESTTakenTests {
    private let peer = RESTPeer()
    private var network: MockNetworkClient { peer.network }

    private static let constraint =
        #"ERROR: duplicate key value violates unique constraint "events_event_type_id_timestamp_key" (SQLSTATE 23505)"#
    private static let listed =
        #"{"code":"23505","details":"Key (event_type_id, \"timestamp\")=(1, 2) already exists.","message":"duplicate key value violates unique constraint \"idx_e\""}"#

    /// Two events of one type, a minute apart.
    private func start() async throws -> [Event] {
        let events = try await network.seed(events: 2)
        try await peer.catchUp()
        peer.tick()
        return events
    }

    private func move(_ event: Event, to other: Event) -> SyncMutation {
        peer.update(event.id, ["timestamp": .string("\(other.timestamp)"), "notes": "moved"])
    }

    // MARK: Taken values

    @Test(
        "is an edit to a time that another event has, whatever the server says",
        arguments: [
            RESTPeer.refusal(500, constraint), RESTPeer.refusal(409, "exists"),
            .http(status: 500, problem: ProblemDetails(status: 500)), RESTPeer.refusal(500, "Internal Server Error"),
            RESTPeer.refusal(500, "failed to update event"),
            RESTPeer.refusal(500, "An unexpected error occurred. Please try again later."),
            .http(status: 409, problem: ProblemDetails(status: 409)), RESTPeer.refusal(500, "timestamp already taken"),
            RESTPeer.refusal(500, "conflict: event_type_id and timestamp must be unique"),
        ])
    func time(error: APIError) async throws {
        let events = try await start()
        await network.always(.fail(error), for: .update)
        let response = try await peer.exchange([move(events[0], to: events[1])])
        #expect(response.outcomes == [.rejected] && !response.more)
        let result = try #require(response.results.first)
        #expect(result.errors?.map(\.field).contains("timestamp") == true)
        #expect(result.errors?.allSatisfy { $0.code == "duplicate" } == true)
        #expect(result.answer == error.answer)
    }

    @Test("is an edit to a time of an event that this device does not know, by the database's words alone")
    func unknownRival() async throws {
        let events = try await start()
        for words in [Self.constraint, Self.listed] {
            await network.enqueue(.fail(RESTPeer.refusal(500, words)), for: .update)
            let change = peer.update(events[0].id, ["timestamp": "2026-03-01T00:00:00.000Z", "notes": "moved"])
            let response = try await peer.exchange([change])
            #expect(response.outcomes == [.rejected])
            #expect(response.results.first?.errors?.map(\.field) == ["timestamp"])
            #expect(response.results.first?.answer == ServerAnswer(status: 500, text: words))
        }
    }

    @Test("is an edit to a name that another type or place has")
    func name() async throws {
        _ = try await start()
        let (tea, home, work) = (
            makeEventType(name: "tea"), makeGeofence(name: "home"), makeGeofence(id: freshId(), name: "work")
        )
        try await network.put(tea)
        for place in [home, work] { try await network.put(place) }
        try await peer.catchUp()
        await network.always(.fail(RESTPeer.refusal(500, "no rows")), for: .update)
        let response = try await peer.exchange([
            peer.update(tea.id, ["name": "coffee"], of: .eventType),
            peer.update(home.id, ["name": "work"], of: .geofence),
        ])
        #expect(response.outcomes == [.rejected, .rejected])
        #expect(response.results.allSatisfy { $0.errors?.map(\.field) == ["name"] })
    }

    @Test("is an edit to a name by the server's own words, though the listing of the others fails")
    func listingFails() async throws {
        _ = try await start()
        let tea = makeEventType(name: "tea")
        try await network.put(tea)
        try await peer.catchUp()
        let words = #"duplicate key value violates unique constraint "event_types_name_key" (SQLSTATE 23505)"#
        await network.always(.fail(RESTPeer.refusal(500, words)), for: .update)
        await network.always(.fail(RESTPeer.refusal(503, "busy")), for: .list)
        let response = try await peer.exchange([peer.update(tea.id, ["name": "coffee"], of: .eventType)])
        #expect(response.outcomes == [.rejected])
        #expect(response.results.first?.errors?.map(\.field) == ["name"])
    }

    @Test("is not decided while the record that has the name is still to be renamed in the same request")
    func renamed() async throws {
        _ = try await start()
        let tea = makeEventType(name: "tea")
        try await network.put(tea)
        try await peer.catchUp()
        await network.always(.fail(RESTPeer.refusal(500, "no rows")), for: .update)
        let changes = [
            peer.update(tea.id, ["name": "coffee"], of: .eventType),
            peer.update(testId(1), ["name": "mocha"], of: .eventType),
        ]
        let response = try await peer.exchange(changes)
        #expect(response.results.isEmpty)
        #expect(Set(response.failures.keys) == Set(changes.map(\.key)))
    }

    @Test("says nothing of an edit that leaves the value as it is, and of a failure without a rival")
    func otherFailures() async throws {
        let events = try await start()
        let error = RESTPeer.refusal(500, "invalid event type: gone fishing")
        await network.always(.fail(error), for: .update)
        // Servers may allow two events at one moment, and have another reason to fail.
        let changes = [peer.update(events[0].id, ["notes": "x"]), move(events[1], to: events[0])]
        let response = try await peer.exchange(changes)
        #expect(response.results.isEmpty && !response.more)
        #expect(response.failures == [changes[0].key: error, changes[1].key: error])
    }

    // MARK: Refusals that pass

    @Test(
        "waits and goes again where the refusal gives no reason, or says that it is forbidden, locked, missing or too large for now",
        arguments: [
            APIError.http(status: 400, problem: ProblemDetails(status: 400)),
            .http(status: 409, problem: ProblemDetails(status: 409)),
            .http(status: 422, problem: ProblemDetails(status: 422)),
            RESTPeer.refusal(403), RESTPeer.refusal(407), RESTPeer.refusal(423), RESTPeer.refusal(451),
            RESTPeer.refusal(404), RESTPeer.refusal(405), RESTPeer.refusal(410),
            RESTPeer.refusal(413),
        ], [false, true])
    func passing(error: APIError, isCreate: Bool) async throws {
        let events = try await start()
        let free = makeEvent(timestamp: ManualWallClock.defaultStart.advanced(bySeconds: 7))
        let change = try isCreate ? peer.create(free) : peer.update(events[0].id, ["notes": "x"])
        await network.enqueue(.fail(error), for: isCreate ? .create : .update)
        let response = try await peer.exchange([change])
        #expect(response.results.isEmpty && !response.more && response.failures == [change.key: error])
        #expect(peer.untouched == [change.key])
        #expect(try await peer.exchange([change]).outcomes == [.accepted])
    }

    @Test(
        "is refused at once where the server says why",
        arguments: [
            RESTPeer.refusal(400, "bad"), RESTPeer.refusal(422, "bad"),
            .http(status: 422, problem: ProblemDetails(errors: [FieldError(field: "notes", message: "is rude")])),
        ])
    func lasting(error: APIError) async throws {
        let events = try await start()
        await network.enqueue(.fail(error), for: .update)
        let response = try await peer.exchange([peer.update(events[0].id, ["notes": "x"])])
        #expect(response.outcomes == [.rejected] && response.failures.isEmpty)
    }

    // MARK: Nulls and zeros

    /// A server that takes null and 0 for "unchanged", and fails where nothing else is left.
    private func serveLikeDeployed() async {
        let network = network
        await network.beforeEachCall { call in
            guard call.operation == .update, let fields = call.body?.objectValue else { return }
            if fields.values.allSatisfy({ $0 == .null || $0 == 0 }) {
                throw RESTPeer.refusal(500, "failed to update geofence: geofence not found")
            }
        }
    }

    @Test("is the edit of a place that clears a type, or sets a latitude of 0, and nothing else")
    func nothingLeft() async throws {
        _ = try await start()
        var place = makeGeofence(name: "home")
        place.eventTypeExitId = testId(1)
        try await network.put(place)
        try await peer.catchUp()
        let there = try WireCoding.fields(of: try #require(try await network.record(Geofence.self, id: place.id)))
        for (field, value) in [("event_type_exit_id", JSONValue.null), ("latitude", 0)] {
            await serveLikeDeployed()
            await network.enqueue(.serve, for: .update)
            await network.enqueue(.respond(.object(there)), for: .update)
            let response = try await peer.exchange([peer.update(place.id, [field: value], of: .geofence)])
            #expect(response.outcomes == [.rejected])
            #expect(response.results.first?.errors?.map(\.field) == [field])
            #expect(response.results.first?.errors?.map(\.code) == ["not_taken"])
            let sent = await network.calls(.update).suffix(2).compactMap(\.body?.objectValue)
            #expect(sent == [[field: value], [field: value, "name": "home"]])
        }
    }

    // MARK: Not found

    @Test(
        "is no deletion where the server fails on everything and says not found of every record", arguments: [500, 501])
    func databaseOutage(status: Int) async throws {
        let events = try await start()
        for operation in MockOperation.allCases {
            await network.always(
                operation == .get ? .respond(.null) : .fail(RESTPeer.refusal(status, "the database is down")),
                for: operation)
        }
        let changes = [peer.update(events[0].id, ["notes": "x"]), peer.delete(events[1].id)]
        let response = try? await peer.exchange(changes)
        #expect(response?.results.isEmpty ?? true)
        #expect(peer.ids(.event) == Set(events.map(\.id)))
        await network.always(nil)
        while true {
            guard let response = try? await peer.exchange(changes, unanswered: Set(changes.map(\.key))) else {
                continue
            }
            if !response.results.isEmpty {
                #expect(response.outcomes == [.accepted, .accepted])
                return
            }
        }
    }
}

@Suite("The words of a database")
struct TakenValueTests {
    @Test("name a field whole, in a list or in the name of a constraint")
    func names() {
        let error = RESTPeer.refusal(
            500, #"duplicate key value violates unique constraint "property_definitions_event_type_id_key_key""#)
        #expect(error.saysTaken)
        #expect(error.names("event_type_id") && error.names("key"))
        #expect(!error.names("label") && !error.names("type_") && !error.names("property_type"))
        #expect(RESTPeer.refusal(500, "Key (user_id, name)=(1, a) already exists. 23505").names("name"))
        #expect(!RESTPeer.refusal(500, "renamed").names("name"))
    }

    @Test("count with the statuses of a refusal alone", arguments: [400, 422, 503])
    func statuses(status: Int) {
        #expect(!RESTPeer.refusal(status, "duplicate key value violates unique constraint").saysTaken)
        #expect(RESTPeer.refusal(409, "SQLSTATE 23505").saysTaken)
    }

    @Test(
        "Of a name that was given up here before, and whose record was changed elsewhere meanwhile, a new one is made",
        arguments: [false, true])
    func givenUpBefore(isRenamed: Bool) async throws {
        let device = Device()
        let network = device.network
        await network.always(.fail(refusal(404)), for: .exchange)
        let old = try await device.syncedCoffee(notes: "old")
        if isRenamed {
            try await device.edit(EventType.self, device.coffee.id) { $0.name = "mocha" }
        } else {
            try await device.engine.delete(EventType.self, id: device.coffee.id)
        }
        let anew = try await device.engine.create(makeEventType(name: device.coffee.name))
        let event = try await device.engine.create(makeEvent(eventTypeId: anew.id, notes: "new"))
        device.wallClock.advance(bySeconds: 60)
        try await network.edit(EventType.self, id: device.coffee.id) { $0.icon = "leaf" }
        for _ in 0..<3 { await device.sync() }
        let names = try Dictionary(device.all(EventType.self).map { ($0.id, $0.name) }) { $1 }
        #expect(names == (isRenamed ? [device.coffee.id: "mocha", anew.id: "coffee"] : [anew.id: "coffee"]))
        #expect(try Set(device.all(Event.self).map(\.id)) == Set(isRenamed ? [old.id, event.id] : [event.id]))
        #expect(try device.event(event.id)?.eventTypeId == anew.id && device.open().isEmpty)
    }
}
