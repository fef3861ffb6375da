import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("The feed through the REST gateway")
struct RESTPullTests {
    private let peer = RESTPeer()
    private var network: MockNetworkClient { peer.network }

    private func start(_ count: Int = 3) async throws -> [Event] {
        let events = try await network.seed(events: count)
        try await peer.catchUp()
        peer.tick()
        return events
    }

    private func fields(_ id: String) async throws -> JSONValue {
        .object(try WireCoding.fields(of: try #require(try await network.record(Event.self, id: id))))
    }

    private func expectEpochChanged() async {
        await #expect { try await peer.exchange() } throws: { ($0 as? APIError)?.asksForResync == true }
    }

    // MARK: Changes

    @Test("tells what others have done with no request but its own")
    func usual() async throws {
        let events = try await start(30)
        let new = try await network.put(makeEvent(notes: "new"))
        try await network.edit(Event.self, id: events[0].id) { $0.notes = "edited" }
        for event in events[5...] { try await network.remove(Event.self, id: event.id) }
        let before = await network.calls.count
        let response = try await peer.exchange()
        #expect(response.changes.count == 27 && !response.more)
        #expect(await network.calls.count == before + 1)
        #expect(peer.value("notes", of: events[0].id) == "edited")
        #expect(peer.ids(.event) == Set(events[..<5].map(\.id)).union([new.id]))
        #expect(response.changes.allSatisfy { $0.revision <= response.head })
        #expect(try await peer.exchange().changes.isEmpty)
    }

    @Test("says everything twice, and nothing is told twice")
    func doubled() async throws {
        let events = try await start()
        try await network.edit(Event.self, id: events[0].id) { $0.notes = "edited" }
        let last = try #require(await network.changes.last)
        await network.appendChange(
            id: last.id, entityType: .event, operation: .update, entityId: events[0].id, data: last.data)
        #expect(try await peer.exchange().changes.count == 1)
        await network.appendChange(entityType: .event, operation: .update, entityId: events[0].id, data: last.data)
        #expect(try await peer.exchange().changes.isEmpty)
    }

    @Test("shows an entry late, behind the cursor, and it is told")
    func late() async throws {
        _ = try await start()
        let place = await network.skipChangeIds()
        try await network.put(makeEvent(notes: "in time"))
        try await peer.exchange()
        let late = try await network.put(makeEvent(notes: "late"), at: place)
        #expect(try await peer.exchange().changes.map(\.entityId) == [late.id])
        #expect(try await peer.exchange().changes.isEmpty)
    }

    @Test("shows the versions of a record from before its deletion, and it stays deleted")
    func versionOfDeleted() async throws {
        let events = try await start()
        let former = try await fields(events[0].id)
        #expect(try await peer.exchange([peer.delete(events[0].id)]).outcomes == [.accepted])
        await network.appendChange(entityType: .event, operation: .update, entityId: events[0].id, data: former)
        #expect(try await peer.exchange().changes.isEmpty)
        #expect(!peer.ids(.event).contains(events[0].id))
    }

    @Test("says of two versions of one moment nothing, so that the record is fetched")
    func tie() async throws {
        let events = try await start()
        try await network.edit(Event.self, id: events[0].id) { $0.notes = "one" }
        try await peer.exchange()
        try await network.edit(Event.self, id: events[0].id) { $0.notes = "two" }
        #expect(try await peer.exchange().changes.count == 1)
        #expect(await network.callCount(.get) == 1)
        #expect(peer.value("notes", of: events[0].id) == "two")
    }

    @Test("tells of a record that was made anew that it is another life")
    func newLife() async throws {
        let events = try await start()
        let before = try #require(peer.known(.event, events[0].id))
        try await network.remove(Event.self, id: events[0].id)
        peer.tick(seconds: 1)
        try await network.put(events[0])
        let change = try #require(try await peer.exchange().changes.first)
        #expect(change.createdRevision == change.revision && change.revision > before.revision)
    }

    // MARK: What cannot be understood

    @Test("hands on once what cannot be understood, and goes on behind it")
    func strange() async throws {
        let events = try await start()
        await network.appendChange(
            entityType: "mood", operation: .create, entityId: "m1", data: ["id": "m1", "level": 3])
        await network.appendChange(
            entityType: "", operation: ChangeOperation(rawValue: ""), entityId: "", data: [1, 2])
        try await network.edit(Event.self, id: events[0].id) { $0.notes = "behind" }
        let changes = try await peer.exchange().changes
        #expect(changes.map(\.entityType).contains("mood") && changes.count == 3)
        #expect(changes.contains { $0.record == [1, 2] } && changes.contains { $0.entityId == events[0].id })
        #expect(try await peer.exchange().changes.isEmpty)
    }

    @Test("has an entry without a place, or with one that cannot be, and hands it on once")
    func noPlace() async throws {
        _ = try await start()
        let entry: JSONValue = [
            "id": 9_223_372_036_854_775_807, "entity_type": "event", "operation": "create", "entity_id": "x",
        ]
        let broken: JSONValue = ["changes": [entry, "nonsense"], "next_cursor": 4, "has_more": false]
        let latest = try await network.getLatestCursor()
        #expect(latest == 4)
        await network.enqueue(.respond(broken), times: 2, for: .getChanges)
        #expect(try await peer.exchange().changes.count == 2)
        #expect(try await peer.exchange().changes.isEmpty)
    }

    @Test("keeps fields that this version does not know, and no record that is embedded")
    func unknownFields() async throws {
        let events = try await start()
        peer.tick()
        try await network.edit(Event.self, id: events[0].id) { $0.notes = "edited" }
        var data = try #require(try await fields(events[0].id).objectValue)
        data["mood"] = "good"
        data["event_type"] = ["id": "x", "name": "coffee"]
        await network.forgetChanges(of: events[0].id)
        await network.appendChange(entityType: .event, operation: .update, entityId: events[0].id, data: .object(data))
        try await peer.exchange()
        #expect(peer.value("mood", of: events[0].id) == "good")
        #expect(peer.value("event_type", of: events[0].id) == nil)
    }

    // MARK: Another feed

    @Test("that ends before what was read is another history")
    func endsBefore() async throws {
        let backup = await network.backup()
        _ = try await start()
        try await peer.exchange()
        await network.restore(backup)
        await expectEpochChanged()
    }

    @Test("that has other entries at the places that were read is another history")
    func grownAgain() async throws {
        let backup = await network.backup()
        _ = try await start()
        try await network.put(makeEvent())
        try await peer.exchange()
        await network.restore(backup)
        peer.tick()
        _ = try await network.seed(events: 10)
        await expectEpochChanged()
    }

    @Test("that leaves out what a later change of the record has overtaken is the same")
    func compacted() async throws {
        let events = try await start()
        try await network.edit(Event.self, id: events[0].id) { $0.notes = "one" }
        try await peer.exchange()
        peer.tick()
        await network.forgetChanges(of: events[0].id)
        try await network.edit(Event.self, id: events[0].id) { $0.notes = "two" }
        #expect(try await peer.exchange().changes.count == 1)
    }

    @Test("was read in another way: the device takes all anew", arguments: ["57", "{}"])
    func foreignCursor(_ cursor: String) async throws {
        let events = try await start()
        peer.cursor = cursor
        await expectEpochChanged()
        (peer.epoch, peer.cursor) = (nil, nil)
        let told = try await peer.catchUp()
        #expect(Set(told.map(\.entityId)).isSuperset(of: events.map(\.id)))
    }

    @Test("that does not go back so far any more is read anew")
    func expired() async throws {
        _ = try await start()
        await network.enqueue(.fail(RESTPeer.refusal(410)), for: .getChanges)
        await #expect(throws: APIError.cursorExpired) { try await peer.exchange() }
    }

    // MARK: Pages

    @Test("is read in parts where it is long, and what is sent meanwhile is looked at first")
    func long() async throws {
        let events = try await start()
        for number in 0..<30 { try await network.put(makeEvent(notes: "\(number)")) }
        try await network.edit(Event.self, id: events[0].id) { $0.notes = "theirs" }
        await network.always(.serve, for: .getChanges)
        let mutations = [peer.update(events[0].id, ["notes": "ours"])]
        let response = try await peer.exchange(mutations, limit: 5)
        #expect(response.outcomes == [.stale])
        try await peer.catchUp(limit: 5)
        #expect(peer.ids(.event).count == 33)
    }

    @Test(
        "is asked for less where a page does not come in time, or is too large for what is between",
        arguments: [APIError.timeout, RESTPeer.refusal(502), RESTPeer.refusal(403)])
    func slow(error: APIError) async throws {
        _ = try await start()
        for number in 0..<100 { try await network.put(makeEvent(notes: "\(number)")) }
        let error = error
        await network.beforeEachCall { call in
            if call.operation == .getChanges, call.limit ?? 0 > 100 { throw error }
        }
        let before = await network.callCount(.getChanges)
        try await peer.catchUp()
        #expect(peer.ids(.event).count == 103)
        #expect(await network.calls(.getChanges).dropFirst(before).map(\.limit).prefix(5) == [250, 1, 125, 1, 62])
        peer.restart()
        try await peer.exchange()
        #expect(try #require(await network.calls(.getChanges).last?.limit) < 125)
    }

    @Test("that never ends is no feed", arguments: [true, false])
    func endless(goesBack: Bool) async throws {
        _ = try await start()
        let next: JSONValue = goesBack ? -1 : 0
        await network.always(.respond(["changes": [], "next_cursor": next, "has_more": true]), for: .getChanges)
        await #expect(throws: APIError.self) { try await peer.exchange() }
    }
}
