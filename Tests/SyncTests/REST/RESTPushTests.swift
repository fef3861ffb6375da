import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("What is sent through the REST gateway")
struct RESTPushTests {
    private let peer = RESTPeer()
    private var network: MockNetworkClient { peer.network }

    /// Devices that have everything, and a record of each kind that can be changed.
    private func start(_ event: Event = makeEvent(notes: "first")) async throws -> Event {
        _ = try await network.seed()
        try await network.put(event)
        try await peer.catchUp()
        peer.tick()
        return event
    }

    /// The record as the server has it, with other values.
    private func answer(_ id: String, _ changes: [String: JSONValue]) async throws -> JSONValue {
        let there = try WireCoding.fields(of: try #require(try await network.record(Event.self, id: id)))
        return .object(there.merging(changes) { $1 })
    }

    @Test("goes with few requests, and its entry in the feed is not told")
    func usual() async throws {
        try await peer.catchUp()
        let type = makeEventType(id: testId(1))
        let events = (0..<3).map { makeEvent(notes: "\($0)") }
        let response = try await peer.exchange(try [peer.create(type)] + events.map { try peer.create($0) })
        #expect(response.outcomes == [.accepted, .accepted, .accepted, .accepted] && !response.more)
        #expect(await network.calls.map(\.operation).suffix(3) == [.getChanges, .create, .createBatch])
        #expect(response.results.allSatisfy { $0.record == nil && $0.server?.updatedAt != nil })
        peer.tick()
        let edited = try await peer.exchange([
            peer.update(events[0].id, ["notes": "edited"]), peer.delete(events[1].id),
        ])
        #expect(edited.outcomes == [.accepted, .accepted] && edited.changes.isEmpty)
        #expect(try await network.record(Event.self, id: events[0].id)?.entity.notes == "edited")
        #expect(try await network.record(Event.self, id: events[1].id) == nil)
        #expect(await network.callCount(.get) == 0)
        #expect(try await peer.exchange().changes.isEmpty)
    }

    @Test("is stale where another device was first, and goes with the new base")
    func stale() async throws {
        let event = try await start()
        try await network.edit(Event.self, id: event.id) { $0.notes = "theirs" }
        let first = try await peer.exchange([peer.update(event.id, ["notes": "ours"])])
        #expect(first.outcomes == [.stale])
        #expect(first.results[0].record?.objectValue?["notes"] == "theirs")
        #expect(try await peer.exchange([peer.update(event.id, ["notes": "ours"])]).outcomes == [.accepted])
        try await network.edit(Event.self, id: event.id) { $0.notes = "theirs again" }
        #expect(try await peer.exchange([peer.delete(event.id)]).outcomes == [.stale])
        #expect(try await peer.exchange([peer.delete(event.id)]).outcomes == [.accepted])
    }

    @Test("keeps the keys of a map that others have set")
    func map() async throws {
        let event = try await start(makeEvent(properties: ["size": .number(1)]))
        let patch: [String: JSONValue] = ["properties": ["mood": ["type": "text", "value": "good"]]]
        let response = try await peer.exchange([peer.update(event.id, patch)])
        #expect(response.outcomes == [.accepted] && response.results[0].record == nil)
        let properties = try await network.record(Event.self, id: event.id)?.entity.properties
        #expect(properties == ["size": .number(1), "mood": .text("good")])
    }

    @Test("names the order of a property, which servers set to 0 otherwise")
    func displayOrder() async throws {
        let property = makePropertyDefinition(displayOrder: 4)
        _ = try await network.seed()
        try await network.put(property)
        try await peer.catchUp()
        let change = peer.update(property.id, ["label": "New"], of: .propertyDefinition)
        #expect(try await peer.exchange([change]).outcomes == [.accepted])
        #expect(await network.calls(.update).last?.body?.objectValue?["display_order"] == 4)
    }

    // MARK: What the server makes of it

    @Test("is accepted where the server has only written it in another way, and shows how")
    func normalised() async throws {
        let event = try await start()
        let time = Timestamp(milliseconds: ManualWallClock.defaultStart.milliseconds + 1_234)
        let cut: [String: JSONValue] = [
            "timestamp": .string("2026-01-01T01:00:01.000000+01:00"), "notes": "Tea", "location_latitude": 52.123457,
        ]
        await network.enqueue(.respond(try await answer(event.id, cut)), for: .update)
        let patch: [String: JSONValue] = [
            "timestamp": .string("\(time)"), "notes": " Tea ", "location_latitude": 52.1234567,
        ]
        let response = try await peer.exchange([peer.update(event.id, patch)])
        #expect(response.outcomes == [.accepted])
        #expect(response.results[0].record?.objectValue?["notes"] == "Tea")
    }

    @Test("that names a field which this version does not know is rejected and not sent")
    func unknownField() async throws {
        let event = try await start()
        let response = try await peer.exchange([peer.update(event.id, ["mood": "good", "notes": "x"])])
        #expect(response.outcomes == [.rejected])
        #expect(response.results[0].errors?.map(\.field) == ["mood"])
        #expect(await network.callCount(.update) == 0)
    }

    @Test("is settled by a look where the answer is about another record")
    func foreignAnswer() async throws {
        let event = try await start()
        let foreign = try await answer(event.id, ["id": .string(freshId()), "notes": "edited"])
        await network.enqueue(.respond(foreign), for: .update)
        let change = peer.update(event.id, ["notes": "edited"])
        #expect(try await peer.exchange([change]).results.isEmpty)
        #expect(try await peer.exchange([change], unanswered: [change.key]).outcomes == [.accepted])
    }

    // MARK: Keys

    @Test("goes under another key from a copy of the store where another version has the same number")
    func copiedStore() async throws {
        let event = try await start(makeEvent(properties: ["size": .number(1)]))
        let copy = RESTPeer(network, clock: peer.clock)
        try await copy.catchUp()
        let patch: [String: JSONValue] = ["properties": ["mood": ["type": "text", "value": "good"]]]
        try await network.edit(Event.self, id: event.id) { $0.properties = ["size": .number(2)] }
        try await peer.exchange()
        let first = peer.update(event.id, patch)
        #expect(try await peer.exchange([first]).outcomes == [.accepted])
        peer.tick()
        try await network.edit(Event.self, id: event.id) { $0.properties = ["size": .number(3)] }
        try await copy.exchange()
        let second = copy.update(event.id, patch, key: first.key)
        #expect(second.base == first.base)
        #expect(try await copy.exchange([second]).outcomes == [.accepted])
        let properties = try await network.record(Event.self, id: event.id)?.entity.properties
        #expect(properties == ["size": .number(3), "mood": .text("good")])
    }

    @Test("goes again under its key after a request without an answer", arguments: [MockOperation.update, .delete])
    func sameKey(operation: MockOperation) async throws {
        let event = try await start()
        let change = operation == .delete ? peer.delete(event.id) : peer.update(event.id, ["notes": "edited"])
        await network.enqueue(.fail(APIError.timeout), for: operation)
        #expect(try await peer.exchange([change]).results.isEmpty)
        peer.restart()
        #expect(try await peer.exchange([change], unanswered: [change.key]).outcomes == [.accepted])
        let keys = await network.idempotencyKeys(operation)
        #expect(keys.count == 2 && Set(keys).count == 1)
    }

    // MARK: Gone, taken, twice

    @Test("is deleted where the record is gone, which deployed servers tell by a 500", arguments: [404, 500])
    func gone(status: Int) async throws {
        let event = try await start()
        try await network.put(makeEvent(notes: "other"))
        try await peer.exchange()
        let change = peer.update(event.id, ["notes": "edited"])
        let deletion = peer.delete(event.id)
        try await network.remove(Event.self, id: event.id)
        await network.forgetChanges(of: event.id)
        await network.always(.fail(RESTPeer.refusal(status)), for: .update)
        await network.always(.fail(RESTPeer.refusal(status)), for: .delete)
        #expect(try await peer.exchange([change]).outcomes == [.deleted])
        #expect(try await peer.exchange([deletion]).outcomes == [.deleted])
    }

    @Test("is not settled by a record that is not found while the server fails on all of its kind")
    func notFoundOfEverything() async throws {
        let event = try await start()
        try await network.put(makeEvent(notes: "other"))
        try await peer.exchange()
        try await network.remove(Event.self, id: event.id)
        await network.forgetChanges(of: event.id)
        for operation in [MockOperation.update, .delete, .list] {
            await network.always(.fail(RESTPeer.serverError), for: operation)
        }
        for change in [peer.update(event.id, ["notes": "edited"]), peer.delete(event.id)] {
            #expect(try await peer.exchange([change]).results.isEmpty)
            #expect(peer.known(.event, event.id)?.document != nil)
        }
    }

    @Test("stands for the record that has its name, whatever the server calls that", arguments: [409, 500])
    func duplicate(status: Int) async throws {
        _ = try await start()
        let mine = makeEventType(name: "coffee")
        await network.enqueue(.fail(RESTPeer.refusal(status)), for: .create)
        let response = try await peer.exchange([try peer.create(mine)])
        #expect(response.outcomes == [.duplicate])
        #expect(response.results[0].record?.objectValue?["id"] == .string(testId(1)))
        #expect(response.results[0].revision == peer.known(.eventType, testId(1))?.revision)
    }

    @Test("stands for the record whose name is the same, first of all in the same spelling")
    func sameName() async throws {
        _ = try await start()
        let (tea, other) = (makeEventType(name: "Tea"), makeEventType(name: "ＴＥＡ"))
        for type in [other, tea] { try await network.put(type) }
        for (name, id) in [("tea ", other.id), ("Tea", tea.id), ("COFFEE", testId(1))] {
            await network.enqueue(.fail(RESTPeer.refusal(409)), for: .create)
            let response = try await peer.exchange([try peer.create(makeEventType(name: name))])
            #expect(response.outcomes == [.duplicate] && response.results[0].record?["name"] != nil, "\(name)")
            let found = response.results[0].record?["id"]
            #expect(name == "tea " ? found != .string(testId(1)) : found == .string(id), "\(name)")
        }
    }

    @Test("waits where what has its name is still to be deleted in the same request")
    func leaving() async throws {
        _ = try await start()
        await network.enqueue(.fail(RESTPeer.serverError), for: .delete)
        let deletion = peer.delete(testId(1), of: .eventType)
        let creation = try peer.create(makeEventType(name: "coffee"))
        #expect(try await peer.exchange([deletion, creation]).results.isEmpty)
        let second = try await peer.exchange([deletion, creation], unanswered: [deletion.key, creation.key])
        #expect(second.outcomes.count { $0 == .accepted } == 1 || second.results.count == 2)
    }

    @Test("stands for the sample that the server has, though the answer is empty but for its id")
    func healthKit() async throws {
        _ = try await start()
        let there = makeEvent(notes: "run", sourceType: .healthKit, healthKitSampleId: "s1", healthKitCategory: "run")
        try await network.put(there)
        let mine = makeEvent(notes: "mine", sourceType: .healthKit, healthKitSampleId: "s1", healthKitCategory: "run")
        let zeroed = try WireCoding.fields(
            of: Event(id: there.id, eventTypeId: testId(1), timestamp: Timestamp(milliseconds: 0)))
        await network.enqueue(.respond(.object(zeroed)), for: .create)
        let response = try await peer.exchange([try peer.create(mine)])
        #expect(response.outcomes == [.duplicate])
        #expect(response.results[0].record?.objectValue?["notes"] == "run")
    }

    @Test("never replaces what has its id")
    func exists() async throws {
        _ = try await start()
        let there = try await network.put(makeEvent(notes: "theirs"))
        let mine = makeEvent(id: there.id, notes: "ours")
        #expect(try await peer.exchange([try peer.create(mine)]).outcomes == [.exists])
        #expect(try await network.record(Event.self, id: there.id)?.entity.notes == "theirs")
        var same = there.entity
        same.notes = "theirs"
        #expect(try await peer.exchange([try peer.create(same)]).outcomes == [.accepted])
    }

    @Test("is not sent where a person gives it up while others are sent", arguments: [0, 2])
    func givenUp(count: Int) async throws {
        _ = try await network.seed()
        try await peer.catchUp()
        let types = try (0..<3).map { try peer.create(makeEventType(name: "\($0)")) }
        let events = try (0..<count).map { try peer.create(makeEvent(notes: "\($0)")) }
        let mutations: [SyncMutation] = types + events
        let giveUp = peer.givingUp(mutations.dropFirst(2))
        await network.beforeEachCall { call in
            if call.operation == .create { giveUp() }
        }
        let response = try await peer.exchange(mutations)
        #expect(response.results.map(\.key) == mutations.prefix(2).map(\.key))
        #expect(await network.callCount(.create) == 2)
        #expect(await network.callCount(.createBatch) == 0)
        #expect(peer.untouched == Set(mutations.dropFirst(2).map(\.key)))
    }

    @Test("is blocked without being sent where its parent was refused in the same request")
    func blocked() async throws {
        try await peer.catchUp()
        let type = makeEventType(id: testId(5), name: "")
        let event = makeEvent(eventTypeId: type.id)
        let response = try await peer.exchange([try peer.create(type), try peer.create(event)])
        #expect(response.outcomes == [.rejected, .blocked])
        #expect(response.results[1].errors?.map(\.field) == ["event_type_id"])
        #expect(await network.callCount(.create, .event) == 0)
    }

    @Test("is no deletion of a type while a child of it has changed that the device has not seen")
    func unseenChild() async throws {
        let event = try await start()
        let deletion = peer.delete(testId(1), of: .eventType)
        try await network.edit(Event.self, id: event.id) { $0.notes = "theirs" }
        #expect(try await peer.exchange([deletion]).outcomes == [.stale])
        #expect(try await peer.exchange([peer.delete(testId(1), of: .eventType)]).outcomes == [.accepted])
    }
}
