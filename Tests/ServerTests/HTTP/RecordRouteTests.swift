import Foundation
import HTTPTypes
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("The record routes")
struct RecordRouteTests {
    @Test("events: create, read, patch, list, delete")
    func events() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            #expect(try await ann.send(.post, "/event-types", encoding: EventType.sample()).status == 201)
            let event = Event.sample(2, notes: "a")
            let created = try await ann.send(.post, "/events", encoding: event)
            #expect(created.status == 201 && created.header("Content-Type") == "application/json")
            #expect(try WireCoding.decode(Event.self, from: created.body) == event)
            #expect(created["user_id"] != .null && created["created_at"] != .null && created["updated_at"] != .null)
            #expect(try await ann.send(.post, "/events", encoding: event).status == 200)
            let put = try await ann.send(.put, "/events/\(id(2))", #"{"notes":null,"is_all_day":true}"#)
            #expect(put.status == 200 && put["notes"] == .null && put["is_all_day"] == true)
            #expect(try await ann.send(.get, "/events/\(id(2))").json == put.json)
            #expect(try await ann.send(.get, "/events").array == [put.json])
            let deleted = try await ann.send(.delete, "/events/\(id(2))")
            #expect(deleted.status == 204 && deleted.body.isEmpty)
            for method in [.get, .put, .delete] as [APIMethod] {
                let gone = try await ann.send(method, "/events/\(id(2))", method == .put ? "{}" : nil)
                #expect(gone.status == 404 && gone.problem().type == "urn:trendy:error:not_found")
            }
        }
    }

    @Test("event lists are paged: 50 where nothing is said, never more than 1000")
    func paging() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            _ = try await ann.send(.post, "/event-types", encoding: EventType.sample())
            for batch in 0..<3 {
                let events = (0..<400).map { Event.sample(UInt64(2 + batch * 400 + $0)) }
                #expect(try await ann.send(.post, "/events/batch", encoding: ["events": events]).status == 201)
            }
            #expect(try await ann.send(.get, "/events").array.count == 50)
            let page = try await ann.send(.get, "/events?limit=5000").array
            #expect(page.count == 1000)
            #expect(page.first?.objectValue?["id"] == .string(id(1201)))
            let rest = try await ann.send(.get, "/events?limit=1000&offset=1000").array
            #expect(rest.count == 200 && rest.last?.objectValue?["id"] == .string(id(2)))
            for query in ["limit=0", "limit=-1", "limit=ten", "limit=", "offset=-1", "offset=1.5", "limit=9e99"] {
                let refused = try await ann.send(.get, "/events?\(query)")
                #expect(refused.status == 400, "\(query)")
                #expect(refused.problem().errors?.first?.field == String(query.prefix { $0 != "=" }))
            }
        }
    }

    @Test("property definitions: made and listed beneath their type, then found by themselves")
    func propertyDefinitions() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            _ = try await ann.send(.post, "/event-types", encoding: EventType.sample())
            let path = "/event-types/\(id(1))/properties"
            for (number, order) in [(2, 5), (3, -1)] {
                let body = """
                    {"id":"\(id(UInt64(number)))","key":"k\(number)","label":"L","property_type":"select",
                     "options":["a","b"],"display_order":\(order),"default_value":"a"}
                    """
                let created = try await ann.send(.post, path, body)
                #expect(created.status == 201 && created["event_type_id"] == .string(id(1)))
            }
            let listed = try await ann.send(.get, path).array
            #expect(listed.compactMap { $0.objectValue?["key"] } == ["k3", "k2"])
            let put = try await ann.send(.put, "/property-definitions/\(id(2))", #"{"label":"M","default_value":null}"#)
            #expect(put.status == 200 && put["label"] == "M" && put["default_value"] == .null)
            #expect(try await ann.send(.get, "/property-definitions/\(id(2))").json == put.json)
            let wrongParent = try await ann.send(
                .post, path, #"{"id":"\#(id(4))","event_type_id":"\#(id(9))","key":"x","property_type":"text"}"#)
            #expect(wrongParent.status == 400 && wrongParent.problem().errors?.first?.field == "event_type_id")
            #expect(try await ann.send(.get, "/event-types/\(id(9))/properties").status == 404)
            #expect(
                try await ann.send(
                    .post, "/event-types/\(id(9))/properties", #"{"id":"\#(id(4))","key":"x","property_type":"text"}"#
                ).status == 404)
            #expect(try await ann.send(.get, "/event-types/nonsense/properties").status == 400)
            #expect(try await ann.send(.delete, "/property-definitions/\(id(2))").status == 204)
            #expect(try await ann.send(.get, path).array.count == 1)
            let bob = try await api.signedUp("bob@example.org")
            #expect(try await bob.send(.get, path).status == 404)
        }
    }

    @Test("geofences: all or the active ones")
    func geofences() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            for (number, isActive) in [(1, true), (2, false)] {
                let place = makeGeofence(id: id(UInt64(number)), isActive: isActive)
                #expect(try await ann.send(.post, "/geofences", encoding: place).status == 201)
            }
            #expect(try await ann.send(.get, "/geofences").array.count == 2)
            let active = try await ann.send(.get, "/geofences?active=true").array
            #expect(active.map { $0.objectValue?["id"] } == [.string(id(1))])
            #expect(try await ann.send(.get, "/geofences?active=false").array.count == 1)
            #expect(try await ann.send(.get, "/geofences?active=maybe").status == 400)
            #expect(try await ann.send(.put, "/geofences/\(id(2))", #"{"is_active":true}"#).status == 200)
            #expect(try await ann.send(.get, "/geofences?active=true").array.count == 2)
            let far = try await ann.send(.put, "/geofences/\(id(2))", #"{"radius":49,"latitude":-91}"#)
            #expect(far.status == 400 && far.problem().errors?.map(\.field) == ["latitude", "radius"])
        }
    }

    @Test("a batch answers 201, 207 or 400 with one shape, and an empty one is refused")
    func batch() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            _ = try await ann.send(.post, "/event-types", encoding: EventType.sample())
            let good = Event.sample(2)
            let bad = Event.sample(3, type: 9)
            let path = "/events/batch"
            #expect(try await ann.send(.post, path, encoding: ["events": [good]]).status == 201)
            let mixed = try await ann.send(.post, path, encoding: ["events": [bad, good]], key: "k")
            #expect(mixed.status == 207 && mixed["success"] == 1 && mixed["failed"] == 1 && mixed["total"] == 2)
            let replayed = try await ann.send(.post, path, encoding: ["events": [bad, good]], key: "k")
            #expect(replayed.status == 207 && replayed.header("X-Idempotency-Replayed") == "true")
            #expect(replayed.body == mixed.body)
            let none = try await ann.send(.post, path, encoding: ["events": [bad]])
            #expect(none.status == 400 && none["failed"] == 1 && none.header("Content-Type") == "application/json")
            let empty = try await ann.send(.post, path, #"{"events":[]}"#)
            #expect(empty.status == 400 && empty.problem().errors?.first?.field == "events")
        }
    }

    @Test("an idempotency key replays the answer with its status, on POST, PUT and DELETE")
    func idempotency() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            let type = EventType.sample()
            let path = "/event-types/\(id(1))"
            let requests: [(APIMethod, String, String?, Int)] = [
                (.post, "/event-types", String(decoding: try WireCoding.encode(type), as: UTF8.self), 201),
                (.put, path, #"{"name":"tea"}"#, 200), (.delete, path, nil, 204),
            ]
            for (method, path, body, status) in requests {
                let first = try await ann.send(method, path, body, key: "k")
                #expect(first.status == status && first.header("X-Idempotency-Replayed") == nil)
                let again = try await ann.send(method, path, body, key: "k")
                #expect(again.status == status && again.header("X-Idempotency-Replayed") == "true")
                #expect(again.body == first.body)
            }
            #expect(try await ann.send(.post, "/event-types", requests[0].2, key: "k").status == 404)
            let other = try await ann.send(.put, path, #"{"name":"cocoa"}"#, key: "k")
            #expect(other.status == 422 && other.problem().type == "urn:trendy:error:validation")
        }
    }

    @Test("a kind that only a test knows is served without a change to the server")
    func foreignKind() async throws {
        try await TestServer(routes: .boards).test { api in
            let ann = try await api.signedUp("ann@example.org")
            #expect(try await ann.send(.post, "/boards", encoding: Board(id: id(1))).status == 201)
            let tickets = [Ticket(id: id(2), boardId: id(1), number: 9), Ticket(id: id(3), boardId: id(1), number: 3)]
            #expect(try await ann.send(.post, "/tickets/batch", encoding: ["tickets": tickets]).status == 201)
            let listed = try await ann.send(.get, "/tickets").array
            #expect(listed.compactMap { $0.objectValue?["number"] } == [3, 9])
            #expect(try await ann.send(.delete, "/boards/\(id(1))").status == 204)
            let feed = try WireCoding.decode(ChangeFeedResponse.self, from: await ann.send(.get, "/changes").body)
            #expect(feed.changes.map(\.entityType) == ["ticket", "ticket", "board"])
            #expect(feed.changes.map(\.operation) == [.delete, .delete, .delete])
            #expect(try await ann.send(.get, "/events").status == 404)
        }
    }
}
