import Foundation
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("A batch")
struct BatchTests {
    let world: ServerWorld

    init() throws {
        world = try ServerWorld()
        _ = try world.create(EventType.sample())
    }

    private func batch(_ elements: [JSONValue], key: String? = nil) throws -> WriteReply {
        let body = try WireCoding.encode(JSONValue.object(["events": .array(elements)]))
        return try world.records.createBatch(
            .event, body, member: "events", WriteContext(userId: "ann", idempotencyKey: key))
    }

    private func response(_ reply: WriteReply) throws -> BatchCreateEventsResponse {
        try WireCoding.decode(BatchCreateEventsResponse.self, from: try #require(reply.document))
    }

    private func json(_ event: Event) throws -> JSONValue { .object(try WireCoding.fields(of: event)) }

    @Test("that is good makes all records, in order")
    func allGood() throws {
        let events = (2...500).map { Event.sample($0) }
        let reply = try batch(events.map(json))
        #expect(reply.outcome == .created)
        let response = try response(reply)
        #expect(response.created.map(\.entity) == events)
        #expect(response.total == 499 && response.success == 499 && response.failed == 0 && response.errors == [])
        #expect(try world.feed("ann").changes.map(\.entityId) == ([1] + (2...500)).map { id($0) })
    }

    @Test("that is bad in parts makes the good ones and names the others")
    func partial() throws {
        let reply = try batch(
            [
                json(.sample(2)), json(.sample(3, type: 99)), nil, "text", ["id": .string(id(4))],
                ["id": "nonsense", "event_type_id": .string(id(1)), "timestamp": "2026-01-01T00:00:00Z"],
                ["id": .string(id(5)), "event_type_id": .string(id(1)), "timestamp": 5], json(.sample(6)),
            ], key: "k")
        #expect(reply.outcome == .partlyCreated)
        let response = try response(reply)
        #expect(response.created.map(\.id) == [id(2), id(6)])
        #expect(response.errors.map(\.index) == [1, 2, 3, 4, 5, 6])
        #expect(response.errors[0].message.contains("event_type_id"))
        #expect(response.errors[3].message == "event_type_id is required")
        #expect(response.errors[4].message.contains("UUID"))
        #expect(response.errors[5].message == "timestamp must be a string")
        #expect(response.total == 8 && response.success == 2 && response.failed == 6)
        #expect(try world.list(.event).sorted() == [id(2), id(6)])
        #expect(try world.feed("ann").changes.count == 3)
    }

    @Test("is replayed as a whole, failures included")
    func replay() throws {
        let elements = try [json(.sample(2)), json(.sample(3, type: 99))]
        let first = try batch(elements, key: "k")
        let again = try batch(elements, key: "k")
        #expect(again.isReplay && again.outcome == .partlyCreated && again.document == first.document)
        #expect(problem { try batch([elements[0]], key: "k") }?.kind == .keyReused)
        _ = try world.update(.event, id(2), ["notes": "later"])
        #expect(try response(batch(elements, key: "k")).created.map(\.notes) == ["later"])
        _ = try world.records.delete(.event, id: id(2), WriteContext(userId: "ann"))
        let last = try response(batch(elements, key: "k"))
        #expect(last.created.isEmpty && last.success == 1 && last.errors.map(\.index) == [1])
    }

    @Test("of which nothing is good makes nothing, and is not kept")
    func allBad() throws {
        let elements = try [json(.sample(2, type: 99)), 7]
        let reply = try batch(elements, key: "k")
        #expect(reply.outcome == .noneCreated)
        #expect(try response(reply).failed == 2)
        #expect(try batch(elements, key: "k").isReplay == false)
        #expect(try world.feed("ann").changes.count == 1)
    }

    @Test("must have 1 to 500 records in its member")
    func size() throws {
        #expect(problem { try batch([]) }?.errors.first?.field == "events")
        #expect(problem { try batch(Array(repeating: json(.sample(2)), count: 501)) }?.kind == .validation)
        #expect(try batch(Array(repeating: json(.sample(2)), count: 500)).outcome == .created)
        #expect(try world.list(.event) == [id(2)])
        for body in ["{}", "[]", #"{"events":{}}"#, #"{"events":null}"#, "", "{"] {
            let problem = problem {
                try world.records.createBatch(
                    .event, Data(body.utf8), member: "events", WriteContext(userId: "ann"))
            }
            #expect(problem?.kind.status == 400, "\(body)")
        }
    }
}
