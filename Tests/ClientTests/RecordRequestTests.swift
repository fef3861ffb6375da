import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("requests for records, and their answers")
struct RecordRequestTests {
    @Test(
        "every operation goes to its route of the contract",
        arguments: [
            ("GET /api/v1/events?limit=200&offset=400", "events"),
            ("GET /api/v1/events?limit=1000&offset=0", "many events"),
            ("GET /api/v1/event-types", "types"),
            ("GET /api/v1/geofences?active=true", "active places"),
            ("GET /api/v1/geofences", "places"),
            ("GET /api/v1/event-types/\(testId(5))/properties", "definitions"),
        ])
    func listRoutes(_ expected: String, _ operation: String) async throws {
        try await withHarness { _ in
            .json("[]")
        } _: { harness async throws in
            let client = harness.client
            switch operation {
            case "events": _ = try await client.getEvents(limit: 200, offset: 400)
            case "many events": _ = try await client.getEvents(limit: 5_000, offset: -3)
            case "types": _ = try await client.getEventTypes()
            case "active places": _ = try await client.getGeofences(activeOnly: true)
            case "places": _ = try await client.getGeofences(activeOnly: false)
            default: _ = try await client.getPropertyDefinitions(eventTypeId: testId(5))
            }
            let request = try #require(harness.server.requests.first)
            #expect("\(request.method) \(request.target)" == expected)
            #expect(request.headers["authorization"] == "Bearer token-1")
        }
    }

    @Test("a property definition is made beneath its event type, and changed by its own path")
    func nesting() async throws {
        let definition = makePropertyDefinition(id: testId(3), eventTypeId: testId(5), key: "km")
        try await withHarness { request in
            request.method == "DELETE"
                ? .raw("HTTP/1.1 204 No Content\r\n\r\n")
                : .reply(201, String(decoding: try! WireCoding.encode(definition), as: UTF8.self))
        } _: { harness async throws in
            let made = try await harness.client.createPropertyDefinition(
                eventTypeId: testId(5), CreateRequest(definition))
            #expect(made.entity == definition)
            _ = try await harness.client.updatePropertyDefinition(id: testId(3), Patch(changes: ["label": "Distance"]))
            try await harness.client.deletePropertyDefinition(id: testId(3))
            #expect(
                harness.server.requests.map { "\($0.method) \($0.target)" } == [
                    "POST /api/v1/event-types/\(testId(5))/properties",
                    "PUT /api/v1/property-definitions/\(testId(3))",
                    "DELETE /api/v1/property-definitions/\(testId(3))",
                ])
            #expect(harness.server.requests[1].text == #"{"label":"Distance"}"#)
        }
    }

    @Test("the idempotency key goes with creates, changes, deletes and batches, and only where it is given")
    func idempotencyKeys() async throws {
        try await withHarness { request in
            switch (request.method, request.target) {
            case ("DELETE", _): .raw("HTTP/1.1 204 No Content\r\n\r\n")
            case (_, "/api/v1/events/batch"): .reply(201, #"{"created":[],"total":0,"success":0,"failed":0}"#)
            default: .json(eventJSON(1))
            }
        } _: { harness async throws in
            let (client, request) = (harness.client, CreateRequest(makeEvent()))
            _ = try await client.create(request, idempotencyKey: "k1")
            _ = try await client.update(Event.self, id: testId(1), Patch(), idempotencyKey: "k2")
            try await client.delete(Event.self, id: testId(1), idempotencyKey: "k3")
            _ = try await client.createBatch([request], idempotencyKey: "k4")
            _ = try await client.create(request, idempotencyKey: nil)
            #expect(harness.server.requests.map { $0.headers["idempotency-key"] } == ["k1", "k2", "k3", "k4", nil])
        }
    }

    @Test("a client tells whether the server repeats its answer to a deletion", arguments: [false, true])
    func repeatedDeletion(isRepeated: Bool) async throws {
        let mark = isRepeated ? "X-Idempotency-Replayed: true\r\n" : ""
        try await withHarness { _ in
            .raw("HTTP/1.1 204 No Content\r\n\(mark)\r\n")
        } _: { harness async throws in
            #expect(try await harness.client.delete(Event.self, id: testId(1), idempotencyKey: "k") == isRepeated)
        }
    }

    @Test("the bytes of a create and of a patch are those of the wire coding, null for what is cleared")
    func bodies() async throws {
        let event = makeEvent(id: testId(1), notes: "ä / \"q\"", properties: ["size": .number(2.5)])
        try await withHarness { _ in
            .json(eventJSON(1))
        } _: { harness async throws in
            _ = try await harness.client.createEvent(CreateRequest(event))
            _ = try await harness.client.updateEvent(id: event.id, Patch(changes: ["notes": nil, "is_all_day": true]))
            #expect(harness.server.requests[0].body == (try WireCoding.encode(event)))
            #expect(harness.server.requests[1].text == #"{"is_all_day":true,"notes":null}"#)
            #expect(harness.server.requests[0].headers["content-type"] == "application/json")
        }
    }

    @Test("null, absent and unknown fields and every form of date are read")
    func tolerance() async throws {
        let body = """
            [\(eventJSON(1, timestamp: "2026-01-02T03:04:05Z", extra: ",\"notes\":null,\"surprise\":{\"a\":[1]}")),
            \(eventJSON(2, timestamp: "2026-01-02T03:04:05.678901Z")),
            \(eventJSON(3, timestamp: "2026-01-02T05:04:05.678901234+02:00")),
            \(eventJSON(4, extra: ",\"event_type\":\(typeJSON(9)),\"properties\":null,\"end_date\":null"))]
            """
        try await withHarness { _ in
            .json(body)
        } _: { harness async throws in
            let events = try await harness.client.getEvents(limit: 50, offset: 0)
            #expect(
                events.map(\.timestamp.description) == [
                    "2026-01-02T03:04:05.000Z", "2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.678Z",
                    "2026-01-02T03:04:05.678Z",
                ])
            #expect(events.allSatisfy { $0.notes == nil && $0.properties.isEmpty && $0.server.userId == nil })
        }
    }

    @Test("an element that is no such record is kept raw, and the others are read")
    func undecodable() async throws {
        try await withHarness { _ in
            .json("[\(typeJSON(1)),{\"id\":5},7,\(typeJSON(2))]")
        } _: { harness async throws in
            let page = try await harness.client.list(EventType.self, ListRequest(limit: 10))
            #expect(page.records.map(\.id) == [testId(1), testId(2)])
            #expect(page.undecodable == [["id": 5], 7])
            #expect(page.records[0].server.updatedAt == Timestamp("2026-01-01T00:00:00.500Z"))
        }
    }

    @Test("a record that the server does not have is nil to a get, and 404 to a delete")
    func notFound() async throws {
        try await withHarness { _ in
            .problem(404, #"{"type":"urn:trendy:error:not_found","title":"Not found","status":404}"#)
        } _: { harness async throws in
            #expect(try await harness.client.get(Event.self, id: testId(1)) == nil)
            let error = await apiError { try await harness.client.deleteEvent(id: testId(1)) }
            #expect(error?.status == 404)
            #expect(error?.problem?.type == "urn:trendy:error:not_found")
        }
    }

    @Test("a delete that is answered with 200 and a body is done as well")
    func deleteWithBody() async throws {
        try await withHarness { _ in
            .json("{}")
        } _: { harness async throws in
            try await harness.client.deleteEvent(id: testId(1))
        }
    }

    @Test("an id can never lead to another route", arguments: ["", ".", ".."])
    func impossibleIds(_ id: String) async throws {
        try await withHarness { _ in
            .json("{}")
        } _: { harness async throws in
            #expect(await apiError { try await harness.client.deleteEvent(id: id) }?.status == 400)
            #expect(harness.server.requests.isEmpty)
        }
    }

    @Test("an id is one segment of the path, whatever it holds")
    func escapedIds() async throws {
        try await withHarness { _ in
            .json("{}")
        } _: { harness async throws in
            try await harness.client.deleteEvent(id: "a/../b?c#d é%")
            #expect(harness.server.requests.first?.target == "/api/v1/events/a%2F..%2Fb%3Fc%23d%20%C3%A9%25")
        }
    }

    @Test("what the routes offer is what an engine is told")
    func capabilities() throws {
        let harness = try Harness { _ in [] }
        defer { harness.server.stop() }
        let client = harness.client
        #expect(client.capabilities(of: .event) == RouteCapabilities(listing: .paged(limit: 1000), batchLimit: 500))
        #expect(client.capabilities(of: .eventType) == RouteCapabilities(listing: .whole))
        #expect(client.capabilities(of: .geofence) == RouteCapabilities(listing: .whole))
        #expect(client.capabilities(of: .propertyDefinition) == RouteCapabilities(listing: .perParent(.eventType)))
    }

    @Test("a record with a number that does not fit keeps no other from being read")
    func largeNumber() async throws {
        func definition(_ number: UInt64, order: String) -> String {
            """
            {"id":"\(testId(number))","event_type_id":"\(eventTypeId)","key":"k\(number)","label":"L",
            "property_type":"text","display_order":\(order)}
            """
        }
        let body = "[\(definition(1, order: "9223372036854775808")),\(definition(2, order: "3"))]"
        try await withHarness { _ in
            .json(body)
        } _: { harness async throws in
            let request = ListRequest(limit: 10, parentId: eventTypeId)
            let page = try await harness.client.list(PropertyDefinition.self, request)
            #expect(page.records.map(\.id) == [testId(2)] && page.undecodable.count == 1)
        }
    }

    @Test("one connection serves many requests")
    func connectionReuse() async throws {
        try await withHarness { request in
            request.method == "POST" ? .json(eventJSON(1)) : .json("[]")
        } _: { harness async throws in
            var pause = LongestPause()
            for _ in 0..<50 {
                _ = try await harness.client.getEventTypes()
                pause.mark()
                _ = try await harness.client.createEventWithIdempotency(
                    CreateRequest(makeEvent()), idempotencyKey: "key")
                pause.mark()
            }
            #expect(harness.server.requests.count == 100)
            #expect(harness.server.connectionCount == 1 || !pause.keepsConnections)
        }
    }

    @Test("cookies are not kept")
    func noCookies() async throws {
        try await withHarness { _ in
            .reply(200, "[]", headers: ["Set-Cookie": "session=1; Path=/"])
        } _: { harness async throws in
            for _ in 0..<2 { _ = try await harness.client.getEventTypes() }
            #expect(harness.server.requests.allSatisfy { $0.headers["cookie"] == nil })
        }
    }
}

@Suite("batches")
struct BatchTests {
    private static let body =
        #"{"created":[\#(eventJSON(1))],"errors":[{"index":1,"message":"no"}],"total":2,"success":1,"failed":1}"#
    private static let failed =
        #"{"created":null,"errors":[{"index":0,"message":"a"},{"index":1,"message":"b"}],"total":2,"success":0,"failed":2}"#

    @Test(
        "created in whole, in part, or not at all is one kind of answer",
        arguments: [
            (201, body, 1, 1), (200, body, 1, 1), (207, body, 1, 1), (400, failed, 0, 2),
        ])
    func outcomes(_ status: Int, _ body: String, _ created: Int, _ failed: Int) async throws {
        try await withHarness { _ in
            .reply(status, body)
        } _: { harness async throws in
            let events = [makeEvent(id: testId(1)), makeEvent(id: testId(2))].map(CreateRequest.init)
            let answer = try await harness.client.createEventsBatch(events)
            #expect(answer.created.count == created)
            #expect(answer.errors.count == failed)
            let request = try #require(harness.server.requests.first)
            #expect(request.target == "/api/v1/events/batch")
            #expect(request.body == (try WireCoding.encode(["events": events])))
        }
    }

    @Test(
        "a refusal of the batch as a whole is an error",
        arguments: [
            (400, #"{"error":"invalid body"}"#, "application/json"),
            (
                400, #"{"title":"Bad","errors":[{"field":"x","message":"is wrong","code":"invalid"}]}"#,
                "application/problem+json"
            ),
            (500, failed, "application/json"),
            (400, "Bad Request", "text/plain"),
            (413, "", "text/html"),
        ])
    func refusals(_ status: Int, _ body: String, _ type: String) async throws {
        try await withHarness { _ in
            .reply(status, body, type: type)
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.createEventsBatch([CreateRequest(makeEvent())]) }
            #expect(error?.status == status, "\(String(describing: error))")
        }
    }
}

@Suite("the feed and the health check")
struct FeedAndHealthTests {
    @Test("a page of changes is read, malformed entries as they are")
    func changes() async throws {
        let body = """
            {"changes":[{"id":5,"entity_type":"event_type","operation":"create","entity_id":"\(testId(1))",
            "data":\(typeJSON(1)),"created_at":"2026-01-01T00:00:00.123456789Z"},{"id":6,"entity_type":7}],
            "next_cursor":6,"has_more":true}
            """
        try await withHarness { request in
            request.target.contains("latest") ? .json("{\"cursor\":42}") : .json(body)
        } _: { harness async throws in
            let page = try await harness.client.getChanges(since: 4, limit: 500)
            #expect(page.changes.map(\.id) == [5, 6])
            #expect(page.changes[1].entityType == "")
            #expect(page.nextCursor == 6 && page.hasMore)
            #expect(try await harness.client.getLatestCursor() == 42)
            #expect(
                harness.server.requests.map(\.target) == [
                    "/api/v1/changes?since=4&limit=500", "/api/v1/changes/latest-cursor",
                ])
        }
    }

    @Test(
        "a page that goes on from no place is told so",
        arguments: [
            ("9223372036854775808", "'next_cursor' cannot be read: 9.223372036854776e+18 is out of range"),
            ("1.5", "'next_cursor' cannot be read: 1.5 is no whole number"), ("\"7\"", "'next_cursor' is no number"),
        ])
    func badCursor(_ cursor: String, _ reason: String) async throws {
        try await withHarness { _ in
            .json("{\"changes\":[],\"next_cursor\":\(cursor),\"has_more\":false}")
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getChanges(since: 0, limit: 10) }
            #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
        }
    }

    @Test(
        "an answer that came compressed is told so, and one that only says so is read",
        arguments: [("gzip", true), ("BR", true), ("identity", false)])
    func compressed(_ encoding: String, _ isTold: Bool) async throws {
        let body = Data([0x1F, 0x8B, 0x08, 0x00, 0x01, 0x02, 0x03, 0xFF])
        let page = #"{"changes":[],"next_cursor":1,"has_more":false}"#
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: \(encoding)\r\n"
        let packed = Data("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
        let plain = Data("\(head)Content-Length: \(page.utf8.count)\r\n\r\n\(page)".utf8)
        try await withHarness { request in
            [.send(request.target.contains("since=0") ? packed : plain)]
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getChanges(since: 0, limit: 10) }
            #expect(error?.isMalformed == true)
            #if !canImport(Darwin)
                // URLSession tries to decompress it by itself.
                let sentence = "it came compressed (\(encoding.lowercased())), which was not asked for"
                #expect(error?.description.contains(sentence) == isTold, "\(String(describing: error))")
                #expect(try await harness.client.getChanges(since: 1, limit: 10).nextCursor == 1)
            #endif
        }
    }

    @Test("the health check sends no token and goes beside the base path")
    func health() async throws {
        try await withHarness { _ in
            .json(#"{"status":"ok","version":"1"}"#)
        } _: { harness async throws in
            try await harness.client.checkHealth()
            let request = try #require(harness.server.requests.first)
            #expect(request.target == "/health")
            #expect(request.headers["authorization"] == nil)
        }
    }

    @Test(
        "the health of anything but a server in good health is told apart",
        arguments: [
            (200, "{}", "not"), (200, "[]", "not"), (200, "{\"status\":1}", "not"), (200, "ok", "not"),
            (204, "", "not"), (404, "{}", "not"), (401, "{}", "out"), (403, "{}", "not"),
            (200, "{\"status\":\"starting\"}", "not"), (503, "{}", "ill"), (429, "{}", "wait"),
        ])
    func unwell(_ status: Int, _ body: String, _ verdict: String) async throws {
        try await withHarness { _ in
            .reply(status, body)
        } _: { harness async throws in
            let error = await apiError { try await harness.client.checkHealth() }
            switch verdict {
            case "not": #expect(error?.isNotAServer == true, "\(String(describing: error))")
            case "ill": #expect(error?.status == 503)
            case "out": #expect(error?.isUnauthorized == true, "\(String(describing: error))")
            default: #expect(error == .rateLimited(retryAfter: nil))
            }
        }
    }
}
