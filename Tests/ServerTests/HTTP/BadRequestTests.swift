import Foundation
import HTTPTypes
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

typealias APIMethod = HTTPRequest.Method

@Suite("A client's mistake")
struct BadRequestTests {
    @Test(
        "in the body of an event is a 400 that names the field",
        arguments: [
            ("", "bad_request", nil), ("{", "bad_request", nil), ("[]", "bad_request", nil),
            ("null", "bad_request", nil),
            ("\u{0}", "bad_request", nil), ("\"x\"", "bad_request", nil),
            ("{}", "validation", "id"), (#"{"id":5}"#, "validation", "id"), (#"{"id":null}"#, "validation", "id"),
            (#"{"id":"ID"}"#, "validation", "event_type_id"),
            (#"{"id":"x","event_type_id":"TYPE","timestamp":"2026-01-01T00:00:00Z"}"#, "invalid_uuid", "id"),
            (
                #"{"id":"6ba7b810-9dad-41d1-80b4-00c04fd430c8","event_type_id":"TYPE","timestamp":"2026-01-01T00:00:00Z"}"#,
                "invalid_uuid", "id"
            ),
            (#"{"id":"ID","event_type_id":"TYPE","timestamp":"2026-02-30T00:00:00Z"}"#, "validation", "timestamp"),
            (#"{"id":"ID","event_type_id":"TYPE","timestamp":[]}"#, "validation", "timestamp"),
            (#"{"id":"ID","event_type_id":"GONE","timestamp":"2026-01-01T00:00:00Z"}"#, "validation", "event_type_id"),
            (#"{"id":"ID","event_type_id":"?","timestamp":"2026-01-01T00:00:00Z"}"#, "invalid_uuid", "event_type_id"),
            (
                #"{"id":"ID","event_type_id":"TYPE","timestamp":"2026-01-01T00:00:00Z","geofence_id":"GONE"}"#,
                "validation", "geofence_id"
            ),
            (
                #"{"id":"ID","event_type_id":"TYPE","timestamp":"2026-01-01T00:00:00Z","is_all_day":"yes"}"#,
                "validation", "is_all_day"
            ),
            (
                #"{"id":"ID","event_type_id":"TYPE","timestamp":"2026-01-01T00:00:00Z","location_latitude":1e400}"#,
                nil, nil
            ),
            (
                #"{"id":"ID","event_type_id":"TYPE","timestamp":"2026-01-01T00:00:00Z","properties":{"a":1}}"#,
                "validation", "properties.a"
            ),
            (
                #"{"id":"ID","event_type_id":"TYPE","timestamp":"2026-01-01T00:00:00Z","source_type":"magic"}"#,
                "validation", "source_type"
            ),
            (
                #"{"id":"FUTURE","event_type_id":"TYPE","timestamp":"2026-01-01T00:00:00Z"}"#,
                "future_timestamp", "id"
            ),
        ] as [(String, String?, String?)])
    func badEvent(template: String, kind: String?, field: String?) async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            _ = try await ann.send(.post, "/event-types", encoding: EventType.sample())
            let body = template.replacing("\"ID\"", with: "\"\(id(2))\"").replacing("TYPE", with: id(1))
                .replacing("GONE", with: id(99)).replacing("FUTURE", with: "0fffffff-ffff-7000-8000-000000000000")
            let refused = try await ann.send(.post, "/events", body)
            #expect(refused.status == 400)
            let problem = refused.problem()
            if let kind { #expect(problem.type == "urn:trendy:error:\(kind)", "\(problem)") }
            if let field { #expect(problem.errors?.first?.field == field, "\(problem)") }
            #expect(try await ann.send(.get, "/events").array == [])
        }
    }

    @Test("in the path or method is 404, 405 or 400")
    func pathsAndMethods() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            for path in ["/nothing", "/events/\(id(1))/more", "/", "/event-types/\(id(1))/nothing", "/auth"] {
                let missing = try await ann.send(.get, path)
                #expect(missing.status == 404, "\(path)")
                #expect(missing.problem().type == "urn:trendy:error:not_found")
            }
            for (method, path, allowed) in [
                (.put, "/events", "GET, POST"), (.post, "/events/\(id(1))", "DELETE, GET, PUT"),
                (.get, "/events/batch", "POST"), (.delete, "/changes", "GET"), (.get, "/auth/login", "POST"),
                (.patch, "/events/\(id(1))", "DELETE, GET, PUT"), (.query, "/events/\(id(1))", "DELETE, GET, PUT"),
            ] as [(APIMethod, String, String)] {
                let refused = try await ann.send(method, path)
                #expect(refused.status == 405 && refused.header("Allow") == allowed, "\(method) \(path)")
                _ = refused.problem()
            }
            for path in ["/events/nonsense", "/events/6ba7b810-9dad-41d1-80b4-00c04fd430c8", "/geofences/%00"] {
                let refused = try await ann.send(.get, path)
                #expect(refused.status == 400 && refused.problem().type == "urn:trendy:error:invalid_uuid", "\(path)")
            }
        }
    }

    @Test("in the content type is 415; without one the body is taken for JSON")
    func contentTypes() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            let body = String(decoding: try WireCoding.encode(EventType.sample()), as: UTF8.self)
            for type in ["text/plain", "application/x-www-form-urlencoded", "text/html; charset=utf-8"] {
                let refused = try await ann.send(.post, "/event-types", body, headers: ["Content-Type": type])
                #expect(refused.status == 415)
                _ = refused.problem()
            }
            for type in ["", "application/json; charset=utf-8", "APPLICATION/JSON", "application/merge-patch+json"] {
                let accepted = try await ann.send(.post, "/event-types", body, headers: ["Content-Type": type])
                #expect(accepted.status < 300, "\(type)")
            }
        }
    }

    @Test("in the size of a body is 413: 1 MiB, 5 MiB for a batch")
    func sizes() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            let large = "{\"name\":\"" + String(repeating: "x", count: 1 << 20) + "\"}"
            for (method, path) in [
                (.post, "/event-types"), (.put, "/event-types/\(id(1))"), (.post, "/auth/login"),
            ] as [(APIMethod, String)] {
                let refused = try await ann.send(method, path, large)
                #expect(refused.status == 413, "\(path)")
                _ = refused.problem()
            }
            #expect(try await ann.send(.post, "/events/batch", large).status == 400)
            let huge = "{\"name\":\"" + String(repeating: "x", count: 5 << 20) + "\"}"
            #expect(try await ann.send(.post, "/events/batch", huge).status == 413)
        }
    }

    @Test("in deeply nested or odd JSON is a 400, never a crash")
    func oddJSON() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            let deep = String(repeating: "[", count: 100_000)
            for body in [
                deep, "{\"id\":" + deep, #"{"id":"\ud800"}"#, #"{"a":1,"a":2}"#, "nul", "1e999", "{\"\\u0000\":0}",
            ] {
                let refused = try await ann.send(.post, "/events", body)
                #expect(refused.status == 400, "\(body.prefix(20))")
                #expect(try await ann.send(.put, "/event-types/\(id(1))", body).status < 500)
                #expect(try await ann.send(.post, "/events/batch", body).status == 400)
            }
        }
    }

    @Test("too often is 429 with the seconds to wait; waiting helps, trying again does not make it longer")
    func rateLimits() async throws {
        let limits = ServerLimits(requestsPerMinute: 5, signInsPerMinute: 3)
        let server = try TestServer(limits: limits)
        try await server.test { [clock = server.clock] api in
            let ann = try await api.signedUp("ann@example.org")
            let bob = try await api.signedUp("bob@example.org")
            for _ in 0..<5 { #expect(try await ann.send(.get, "/events").status == 200) }
            clock.advance(bySeconds: 20)
            let refused = try await ann.send(.get, "/events")
            #expect(refused.status == 429 && refused.header("Retry-After") == "40")
            #expect(refused.problem().retryAfter == 40)
            #expect(try await bob.send(.get, "/events").status == 200)
            #expect(try await api.send(.get, "/health").status == 200)
            clock.advance(bySeconds: 39)
            #expect(try await ann.send(.get, "/events").status == 429)
            clock.advance(bySeconds: 1)
            #expect(try await ann.send(.get, "/events").status == 200)
            for _ in 0..<3 { _ = try await api.send(.post, "/auth/login", "{}") }
            #expect(try await api.send(.post, "/auth/login", "{}").status == 429)
        }
    }
}
