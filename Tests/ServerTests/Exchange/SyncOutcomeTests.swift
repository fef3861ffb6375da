import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("A mutation of a sync request")
struct SyncOutcomeTests {
    private let world: ServerWorld
    private let peer: SyncPeer

    init() throws {
        world = try ServerWorld()
        peer = SyncPeer(world)
        try peer.sync([peer.create(EventType.sample())])
    }

    @Test("is accepted with a revision, and with what the server adds alone where it took the record as it was sent")
    func accepted() throws {
        let result = try peer.send(peer.create(Event.sample(2, notes: "first")))
        #expect(result.outcome == .accepted && result.revision == 2 && !result.replayed)
        #expect(result.record == nil && result.server?.userId == "ann" && result.server?.updatedAt != nil)
        let update = try peer.send(peer.update(.event, id(2), base: 2, ["notes": "second", "location_name": nil]))
        #expect(update.outcome == .accepted && update.revision == 3 && update.record == nil)
        #expect(try world.get(.event, id(2))["notes"] == "second")
        let deletion = try peer.send(peer.delete(.event, id(2), base: 3))
        #expect(deletion.outcome == .accepted && deletion.revision == 4)
        #expect(try peer.sync().head == 4)
    }

    @Test("is accepted with the record where the server made something else of it")
    func normalised() throws {
        var create = try peer.create(Event.sample(2))
        create.data = ["id": .string(id(2)), "event_type_id": .string(id(1)), "timestamp": "2024-01-01T01:00:00+01:00"]
        let result = try peer.send(create)
        #expect(result.outcome == .accepted && result.server == nil)
        #expect(result.record?["timestamp"] == "2024-01-01T00:00:00.000Z")
    }

    @Test("changes the keys of a map one by one")
    func maps() throws {
        var event = Event.sample(2)
        event.properties = ["size": .text("small"), "sugar": .boolean(true)]
        try peer.send(peer.create(event))
        let patch: JSONValue = ["properties": ["size": ["type": "text", "value": "large"], "sugar": nil]]
        let result = try peer.send(peer.update(.event, id(2), base: 2, patch))
        #expect(result.outcome == .accepted && result.record == nil, "\(result)")
        let more: JSONValue = ["properties": ["milk": ["type": "boolean", "value": false]]]
        #expect(try peer.send(peer.update(.event, id(2), base: 3, more)).outcome == .accepted)
        #expect(
            try world.get(.event, id(2))["properties"] == [
                "size": ["type": "text", "value": "large"], "milk": ["type": "boolean", "value": false],
            ])
        #expect(try peer.send(peer.update(.event, id(2), base: 4, ["properties": nil])).outcome == .accepted)
        #expect(try world.get(.event, id(2))["properties"] == [:])
    }

    @Test("is stale where it did not begin from the present version, and comes back with that")
    func stale() throws {
        try peer.send(peer.create(Event.sample(2)))
        _ = try world.update(.event, id(2), ["notes": "theirs"])
        for mutation in [peer.update(.event, id(2), base: 2, ["notes": "ours"]), peer.delete(.event, id(2), base: 2)] {
            let result = try peer.send(mutation)
            #expect(result.outcome == .stale && result.revision == 3 && result.record?["notes"] == "theirs")
        }
        #expect(try world.get(.event, id(2))["notes"] == "theirs")
    }

    @Test("never overwrites a record that has the id of a create")
    func exists() throws {
        try peer.send(peer.create(Event.sample(2, notes: "theirs")))
        let result = try peer.send(peer.create(Event.sample(2, notes: "ours")))
        #expect(result.outcome == .exists && result.revision == 2 && result.record?["notes"] == "theirs")
        #expect(try world.get(.event, id(2))["notes"] == "theirs")
    }

    @Test("is told of a tombstone that it did not begin from; a create that did brings the record back")
    func deleted() throws {
        try peer.send(peer.create(Event.sample(2)))
        try peer.send(peer.delete(.event, id(2), base: 2))
        let late = [
            peer.update(.event, id(2), base: 2, ["notes": "late"]), peer.delete(.event, id(2), base: 2),
            try peer.create(Event.sample(2)),
        ]
        for mutation in late {
            let result = try peer.send(mutation)
            #expect(result.outcome == .deleted && result.revision == 3)
        }
        #expect(try peer.send(peer.update(.event, id(9), base: 1, ["notes": "never there"])).outcome == .deleted)
        let again = try peer.send(peer.create(Event.sample(2, notes: "again"), base: 3))
        #expect(again.outcome == .accepted && again.revision == 4)
        #expect(try world.get(.event, id(2))["notes"] == "again")
        let deletion = try peer.send(peer.delete(.event, id(2), base: 4))
        #expect(deletion.outcome == .accepted && deletion.revision == 5)
    }

    @Test("comes back with the record that it stands for: of one natural key, or of one recognition key")
    func duplicate() throws {
        let type = try peer.send(peer.create(EventType.sample(5)))
        #expect(type.outcome == .duplicate && type.revision == 1 && type.record?["id"] == .string(id(1)))
        func sample(_ number: UInt64) -> Event {
            var event = Event.sample(number)
            (event.sourceType, event.healthKitSampleId) = (.healthKit, "sample")
            return event
        }
        try peer.send(peer.create(sample(2)))
        let result = try peer.send(peer.create(sample(3)))
        #expect(result.outcome == .duplicate && result.record?["id"] == .string(id(2)))
    }

    @Test("is rejected with every wrong field, and the others go on")
    func rejected() throws {
        let type = EventType.sample(5, name: "tea")
        try peer.send(peer.create(type))
        let mutations = [
            try peer.create(EventType.sample(6, name: " ")), try peer.create(Event.sample(7)),
            peer.update(.eventType, id(5), base: 2, ["name": "coffee"]),
            peer.update(.eventType, id(5), base: 2, ["colour": "#000000"]),
            SyncMutation(key: peer.key(), entityType: "meal", operation: .create, entityId: id(8), data: [:]),
            SyncMutation(key: peer.key(), entityType: .event, operation: .create, entityId: id(9)),
        ]
        let results = try peer.sync(mutations).results
        #expect(results.map(\.outcome) == [.rejected, .accepted, .rejected, .rejected, .rejected, .rejected])
        #expect(results[0].errors?.map(\.field) == ["name"] && results[0].message?.isEmpty == false)
        #expect(results[2].errors?.map(\.code) == ["duplicate"])
        #expect(results[3].errors?.map(\.code) == ["unknown_field"])
        #expect(results.map(\.key) == mutations.map(\.key))
    }

    @Test("is blocked where its parent is not there, unless the parent is made before it in the same request")
    func blocked() throws {
        let orphan = try peer.create(Event.sample(2, type: 5))
        let result = try peer.send(orphan)
        #expect(result.outcome == .blocked && result.errors?.map(\.field) == ["event_type_id"])
        let results = try peer.sync([peer.create(EventType.sample(5, name: "tea")), orphan]).results
        #expect(results.map(\.outcome) == [.accepted, .accepted])
        let moved = try peer.send(peer.update(.event, id(2), base: 3, ["event_type_id": .string(id(6))]))
        #expect(moved.outcome == .blocked)
    }

    @Test("that deletes a parent is stale while a child has changed that the device has not seen")
    func unseenChild() throws {
        try peer.send(peer.create(Event.sample(2)))
        try peer.sync()
        _ = try world.update(.event, id(2), ["notes": "unseen"])
        let early = try peer.sync([peer.delete(.eventType, id(1), base: 1)])
        #expect(early.results.map(\.outcome) == [.stale] && early.results[0].record?["name"] == "coffee")
        #expect(early.changes.map(\.entityId) == [id(2)])
        #expect(try world.get(.event, id(2))["notes"] == "unseen")
        // What the same request makes is its own.
        let late = try peer.sync([peer.create(Event.sample(3)), peer.delete(.eventType, id(1), base: 1)])
        #expect(late.results.map(\.outcome) == [.accepted, .accepted])
        #expect(try world.list(.event).isEmpty)
    }

    @Test("that deletes a parent is stale also where this request has changed the child that was not seen")
    func unseenChildThatIsCleared() throws {
        let place = Geofence(id: id(40), name: "home", latitude: 1, longitude: 2, radius: 100)
        var event = Event.sample(2)
        event.geofenceId = place.id
        try peer.sync([peer.create(place), peer.create(event)])
        _ = try world.update(.event, id(2), ["notes": "unseen"])
        let answer = try peer.sync([peer.delete(.geofence, id(40), base: 2), peer.delete(.eventType, id(1), base: 1)])
        #expect(answer.results.map(\.outcome) == [.accepted, .stale])
        #expect(try world.get(.event, id(2))["notes"] == "unseen")
    }

    @Test("gives no two records one recognition key")
    func recognitionKey() throws {
        var sample = Event.sample(2)
        (sample.sourceType, sample.healthKitSampleId) = (.healthKit, "sample")
        try peer.sync([peer.create(sample), peer.create(Event.sample(3))])
        let patch: JSONValue = ["source_type": "healthkit", "healthkit_sample_id": "sample"]
        #expect(try peer.send(peer.update(.event, id(3), base: 3, patch)).outcome == .rejected)
    }

    @Test("shows of a record that was made again that this is another life of it")
    func lives() throws {
        try peer.send(peer.create(Event.sample(2)))
        try peer.send(peer.delete(.event, id(2), base: 2))
        try peer.send(peer.create(Event.sample(2), base: 3))
        let result = try peer.send(peer.update(.event, id(2), base: 2, ["notes": "late"]))
        #expect(result.outcome == .stale && result.revision == 4 && result.createdRevision == 4)
    }

    @Test("of another user's record is answered as if there were none, and a create with its id is refused")
    func isolation() throws {
        let bob = SyncPeer(world, as: "bob", named: "b")
        try peer.send(peer.create(Event.sample(2, notes: "ann's")))
        let stranger = try bob.send(bob.create(EventType.sample(1, name: "tea")))
        #expect(stranger.outcome == .rejected && stranger.record == nil && stranger.errors?.map(\.field) == ["id"])
        let mutations = [id(2), id(9)].flatMap { id in
            [bob.update(.event, id, base: 0, ["notes": "bob's"]), bob.delete(.event, id, base: 0)]
        }
        let results = try bob.sync(mutations).results
        #expect(results.map(\.outcome) == [.deleted, .deleted, .deleted, .deleted])
        #expect(results.map(\.revision) == [0, 0, 0, 0] && !results.contains { $0.record != nil })
        #expect(try bob.sync().changes.isEmpty && bob.sync().head == 0)
        #expect(try world.get(.event, id(2))["notes"] == "ann's")
    }
}
