import Foundation
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("One request of the exchange")
struct SyncRequestTests {
    private let world: ServerWorld
    private let peer: ExchangePeer

    init() throws {
        world = try ServerWorld()
        peer = ExchangePeer(world)
        _ = try world.create(EventType.sample())
    }

    private func outcomes(_ mutations: [SyncMutation]) async throws -> [SyncOutcome] {
        try await peer.sync(mutations).results.map(\.outcome)
    }

    @Test("judges a second operation of a record after the first: its base is the revision that the first has made")
    func folded() async throws {
        try await peer.catchUp()
        let create = try peer.create(Event.sample(2, notes: "a"))
        let answer = try await peer.sync([
            create, peer.update(.event, id(2), base: 0, ["notes": "b"]),
            peer.delete(.event, id(2), base: 0), try peer.create(Event.sample(2)),
        ])
        #expect(answer.results.map(\.outcome) == [.accepted, .stale, .stale, .exists])
        #expect(answer.results[1].record?["notes"] == "a" && answer.head == 2)
        let known = try await peer.sync([
            peer.update(.event, id(2), base: 2, ["notes": "b"]), peer.delete(.event, id(2), base: 2),
        ])
        #expect(known.results.map(\.outcome) == [.accepted, .stale] && known.results[1].record?["notes"] == "b")
        let again = try await peer.sync([peer.delete(.event, id(2), base: 3), try peer.create(Event.sample(2))])
        #expect(again.results.map(\.outcome) == [.accepted, .deleted] && again.results[1].revision == 4)
        #expect(again.changes.isEmpty)
    }

    @Test("can pass a name on, and swap two")
    func names() async throws {
        try await peer.sync()
        let types = [EventType.sample(2, name: "tea"), EventType.sample(3, name: "coffee")]
        let passed = try await outcomes([
            peer.update(.eventType, id(1), base: 1, ["name": "espresso"]), try peer.create(types[1]),
            try peer.create(types[0]), try peer.create(EventType.sample(4, name: "espresso")),
        ])
        #expect(passed == [.accepted, .accepted, .accepted, .duplicate])
        let swap = try await peer.sync([
            peer.update(.eventType, id(2), base: 4, ["name": "x"]),
            peer.update(.eventType, id(3), base: 3, ["name": "tea"]),
        ])
        let last = try await outcomes([
            peer.update(.eventType, id(2), base: swap.results[0].revision, ["name": "coffee"]),
            peer.update(.eventType, id(1), base: 2, ["name": "tea"]),
        ])
        #expect(last == [.accepted, .rejected])
    }

    @Test("moves children, deletes one of the parents, and finds what is left of either")
    func moved() async throws {
        try await peer.sync([try peer.create(EventType.sample(2, name: "tea"))])
        try await peer.sync((10..<14).map { try peer.create(Event.sample($0)) })
        let head = try await peer.sync().head
        let answer = try await peer.sync(
            [peer.update(.event, id(10), base: 3, ["event_type_id": .string(id(2))])]
                + [try peer.create(Event.sample(20, type: 2)), peer.delete(.event, id(11), base: 4)]
                + [peer.delete(.eventType, id(1), base: 1), try peer.create(Event.sample(21))])
        #expect(answer.results.map(\.outcome) == [.accepted, .accepted, .accepted, .accepted, .blocked])
        #expect(answer.changes.map(\.entityId).sorted() == [12, 13].map(id) && answer.changes.allSatisfy(\.deleted))
        #expect(answer.head == head + 6)
        #expect(try world.list(.event).sorted() == [10, 20].map(id))
        #expect(try world.records.delete(.eventType, id: id(2), WriteContext(userId: "ann")).outcome == .deleted)
        #expect(try world.list(.event).isEmpty)
    }

    @Test("does not tell a device of its own changes again, also where its page is full")
    func own() async throws {
        try await peer.catchUp()
        let other = ExchangePeer(world, named: "b")
        try await other.sync([try other.create(Event.sample(2))])
        let mutations = try (10..<40).map { try peer.create(Event.sample($0)) }
        let first = try await peer.sync(mutations, limit: 5)
        #expect(first.changes.map(\.entityId) == [id(2)] && !first.more && first.cursor.hasPrefix("32~"))
        try await other.sync((50..<60).map { try other.create(Event.sample($0)) })
        let second = try await peer.sync([try peer.create(Event.sample(70))], limit: 4)
        #expect(second.changes.count == 4 && second.more)
        let rest = try await peer.catchUp(limit: 4)
        #expect(rest.map(\.entityId) == [54, 55, 56, 57, 58, 59, 70].map(id))
    }

    @Test("has results and changes of about eight megabytes together, and says that there is more")
    func bytes() async throws {
        func large(_ number: UInt64) -> Event {
            var event = Event.sample(number, notes: String(repeating: "x", count: 9_000))
            for key in 0..<99 { event.properties["p\(key)"] = .text(String(repeating: "y", count: 9_000)) }
            return event
        }
        try await peer.catchUp()
        let writer = ExchangePeer(world, named: "b")
        for start in [UInt64(10), 16, 22] {
            try await writer.sync((start..<start + 6).map { try writer.create(large($0)) })
        }
        // 0.9 MB each: eighteen of them are changes to the reader, and some are shown in results as well.
        let creates = try (10..<15).map { try peer.create(large($0)) }
        let answer = try await peer.sync(creates)
        #expect(answer.results.map(\.outcome) == [.exists, .exists, .exists, .exists, .exists])
        #expect((4...6).contains(answer.changes.count) && answer.more)
        let rest = try await peer.catchUp()
        #expect((answer.changes + rest).map(\.entityId) == (10..<28).map(id))
        let fresh = ExchangePeer(world, named: "c")
        #expect(try await fresh.sync().changes.count < 12)
        #expect(try await fresh.catchUp().count > 6)
        // What would show more than that is refused as a whole.
        let stale = (10..<28).map { peer.delete(.event, id($0), base: 1) }
        let head = try await peer.sync().head
        let refusal = await #expect(throws: ServerProblem.self) {
            try await peer.sync([try peer.create(Event.sample(90))] + stale)
        }
        #expect(refusal?.kind == .tooLarge)
        #expect(try await peer.sync().head == head)
    }

    @Test("reads a mutation in any form of JSON as the one that devices write")
    func forms() async throws {
        let epoch = try await peer.sync().epoch
        func send(_ mutation: String) throws -> SyncResult {
            let body = Data(#"{"epoch":"\#(epoch)","mutations":[\#(mutation)]}"#.utf8)
            let json = try world.records.sync(world.records.prepareSync(body), userId: "ann")
            return try #require(try WireCoding.decode(SyncResponse.self, from: json).results.first)
        }
        let event =
            #"{"event_type_id":"\#(id(1))","timestamp":"2026-01-01T00:00:00+01:00","id":"\#(id(2))","notes":null}"#
        let made = try send(
            """
            { "data" : \(event), "more": [{}], "oper\\u0061tion":"create", "entity_id":"\(id(2).uppercased())",
              "entity_type":"event", "key":"k\\u0031", "base":null }
            """)
        #expect(
            made.key == "k1" && made.outcome == .accepted && made.record?["timestamp"] == "2025-12-31T23:00:00.000Z")
        let patch =
            #"{"key":"k2","entity_type":"event","operation":"update","entity_id":"\#(id(2))","base":2.0,"data":{}}"#
        #expect(try send(patch).revision == 2)
        let gone = #"{"key":"k3","entity_type":"event","operation":"delete","entity_id":"\#(id(2))","base":2}"#
        #expect(try send(gone).outcome == .accepted)
    }

    @Test("deletes many parents, each with its children, and a parent that was deleted is not looked at again")
    func parents() async throws {
        try await peer.sync()
        let types = try (100..<400).map { try peer.create(EventType.sample($0, name: "type \($0)")) }
        let events = try (1_000..<1_900).map { try peer.create(Event.sample($0, type: 100 + $0 % 300)) }
        let made = try await peer.sync(types + events)
        #expect(made.results.allSatisfy { $0.outcome == .accepted })
        let deletions = zip(types, made.results).map { peer.delete(.eventType, $0.entityId, base: $1.revision) }
        let repeated = zip(types, made.results).map { peer.delete(.eventType, $0.entityId, base: $1.revision) }
        let answer = try await peer.sync(deletions + repeated, limit: 2_000)
        #expect(answer.results.prefix(300).allSatisfy { $0.outcome == .accepted })
        #expect(answer.results.suffix(300).allSatisfy { $0.outcome == .deleted })
        #expect(answer.changes.count == 900 && answer.changes.allSatisfy(\.deleted))
        #expect(try world.records.summary(userId: "ann").counts["event"] == 0)
    }
}
