import Foundation
import HTTPTypes
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("A quota")
struct QuotaTests {
    private func world(records: Int? = nil, bytes: Int? = nil) throws -> ServerWorld {
        let world = try ServerWorld()
        world.records.setQuota(AccountQuota(records: records, bytes: bytes))
        return world
    }

    private func used(_ world: ServerWorld) throws -> RecordUsage {
        try world.store.read("ann") { try $0.usage() }.values.reduce(into: RecordUsage()) { $0 += $1 }
    }

    private func delete(_ world: ServerWorld, _ type: EntityType, _ number: UInt64) throws {
        _ = try world.records.delete(type, id: id(number), WriteContext(userId: "ann"))
    }

    private func exchange(_ world: ServerWorld, _ mutations: [JSONValue], epoch: String? = nil) throws -> SyncResponse {
        let body: JSONValue = .object([
            "epoch": epoch.map { .string($0) } ?? .null, "cursor": .null, "limit": .integer(100),
            "mutations": .array(mutations),
        ])
        let request = try world.records.prepareSync(WireCoding.encode(body))
        return try WireCoding.decode(SyncResponse.self, from: world.records.sync(request, userId: "ann"))
    }

    private func mutation(
        _ key: String, _ operation: String, _ type: EntityType, _ number: UInt64, base: Int64 = 0,
        _ data: (any Encodable)? = nil
    ) throws -> JSONValue {
        var members: [String: JSONValue] = [
            "key": .string(key), "entity_type": .string(type.rawValue), "operation": .string(operation),
            "entity_id": .string(id(number)), "base": .integer(base),
        ]
        if let data { members["data"] = try WireCoding.decode(JSONValue.self, from: WireCoding.encode(data)) }
        return .object(members)
    }

    @Test("of records refuses one more, says what is full and what to do, and holds nobody else back")
    func records() throws {
        let world = try world(records: 2)
        _ = try world.create(EventType.sample())
        _ = try world.create(Event.sample(2))
        let refusal = problem { try world.create(Event.sample(3)) }
        #expect(refusal?.kind == .quotaExceeded && refusal?.kind.status == 403)
        #expect(refusal?.detail.contains("2 of at most 2 records") == true)
        #expect(refusal?.errors.map(\.code) == ["quota_exceeded"])
        #expect(try used(world).records == 2)
        _ = try world.create(EventType.sample(11), for: "bob")
        _ = try world.update(.event, id(2), ["notes": "longer than before"])
        try delete(world, .event, 2)
        _ = try world.create(Event.sample(3))
        #expect(try used(world).records == 2)
    }

    @Test("of bytes refuses what grows, and lets shrink and delete what is there already")
    func bytes() throws {
        let world = try world()
        _ = try world.create(EventType.sample())
        _ = try world.create(Event.sample(2, notes: String(repeating: "n", count: 100)))
        let before = try used(world)
        world.records.setQuota(AccountQuota(bytes: Int(before.bytes) - 50))
        #expect(problem { try world.create(Event.sample(3)) }?.kind == .quotaExceeded)
        #expect(
            problem { try world.update(.event, id(2), ["notes": .string(String(repeating: "n", count: 101))]) }?.kind
                == .quotaExceeded)
        #expect(try used(world) == before)
        // Still too large, but smaller than before.
        _ = try world.update(.event, id(2), ["notes": .string(String(repeating: "n", count: 99))])
        _ = try world.update(.event, id(2), ["notes": .string(String(repeating: "m", count: 99))])
        _ = try world.update(.event, id(2), ["notes": .string(String(repeating: "n", count: 10))])
        _ = try world.update(.event, id(2), ["notes": .string(String(repeating: "n", count: 50))])
        #expect(
            problem { try world.update(.event, id(2), ["notes": .string(String(repeating: "n", count: 51))]) } != nil)
        try delete(world, .eventType, 1)
        #expect(try used(world) == RecordUsage())
    }

    @Test("counts what the same request has made and deleted already")
    func withinOneRequest() throws {
        let world = try world(records: 3)
        let first = try exchange(
            world,
            [
                try mutation("a", "create", .eventType, 1, EventType.sample()),
                try mutation("b", "create", .event, 2, Event.sample(2)),
                try mutation("c", "create", .event, 3, Event.sample(3)),
                try mutation("d", "create", .event, 4, Event.sample(4)),
            ])
        #expect(first.results.map(\.outcome) == [.accepted, .accepted, .accepted, .rejected])
        let refused = try #require(first.results.last)
        #expect(refused.message?.contains("3 of at most 3 records") == true)
        #expect(refused.errors?.map(\.code) == ["quota_exceeded"])
        #expect(try used(world).records == 3)
        let second = try exchange(
            world,
            [
                try mutation("e", "delete", .event, 2, base: first.results[1].revision),
                try mutation("f", "create", .event, 4, Event.sample(4)),
                try mutation("d", "create", .event, 5, Event.sample(5)),
            ], epoch: first.epoch)
        #expect(second.results.map(\.outcome) == [.accepted, .accepted, .rejected])
        #expect(try used(world).records == 3)
        // What was refused has kept no key.
        try delete(world, .event, 3)
        let third = try exchange(world, [try mutation("d", "create", .event, 5, Event.sample(5))], epoch: first.epoch)
        #expect(third.results.map(\.outcome) == [.accepted])
    }

    @Test("refuses each record of a batch that is too much")
    func batch() throws {
        let world = try world(records: 3)
        _ = try world.create(EventType.sample())
        let body = try WireCoding.encode(["events": (2...5).map { Event.sample($0) }])
        let reply = try world.records.createBatch(.event, body, member: "events", WriteContext(userId: "ann"))
        #expect(reply.outcome == .partlyCreated)
        #expect(try used(world).records == 3)
    }

    @Test("answers what was carried out before it was full as it was then")
    func replay() throws {
        let world = try world(records: 1)
        _ = try world.create(EventType.sample(), key: "once")
        #expect(try world.create(EventType.sample(), key: "once").isReplay)
    }

    @Test("of 0 is none")
    func none() throws {
        #expect(AccountQuota(records: 0, bytes: 0) == AccountQuota())
        #expect(AccountQuota(records: 1, bytes: nil).records == 1)
    }

    @Test("is shown beside what is used, and refuses with a problem that says what to do")
    func routes() async throws {
        let server = try TestServer()
        server.server.records.setQuota(AccountQuota(records: 1))
        try await server.test { api in
            let ann = try await api.signedUp("ann@example.org")
            _ = try await ann.send(.post, "/event-types", encoding: EventType.sample())
            let refused = try await ann.send(.post, "/event-types", encoding: EventType.sample(2, name: "tea"))
            #expect(refused.status == 403)
            let problem = refused.problem()
            #expect(problem.type == "urn:trendy:error:quota_exceeded")
            #expect(problem.action == "free_space" && problem.errors?.first?.code == "quota_exceeded")
            let summary = try await ann.send(.get, "/me/sync")
            #expect(summary["quota"] == .object(["records": .integer(1)]))
            let used = try #require(summary["used"].objectValue)
            #expect(used["records"] == .integer(1) && used["bytes"] != nil && used["bytes"] != .integer(0))
            server.server.records.setQuota(AccountQuota())
            #expect(try await ann.send(.get, "/me/sync")["quota"] == .null)
            #expect(try await ann.send(.post, "/event-types", encoding: EventType.sample(2, name: "tea")).status == 201)
        }
    }
}
