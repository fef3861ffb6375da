import Foundation
import HTTPTypes
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("The body of a request")
struct StrictBodyTests {
    private func withAnn(_ body: @escaping @Sendable (API) async throws -> Void) async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            _ = try await ann.send(.post, "/event-types", encoding: EventType.sample())
            try await body(ann)
        }
    }

    private static func event(_ number: UInt64, _ extra: String = "") -> String {
        #"{"id":"\#(id(number))","event_type_id":"\#(id(1))","timestamp":"2026-01-01T00:00:\#(10 + number % 50)Z"\#(extra)}"#
    }

    @Test("with a number or text that fits no value is a validation error that names the field")
    func misfits() async throws {
        try await withAnn { ann in
            let geofence = #"{"id":"\#(id(3))","name":"home","latitude":LAT,"longitude":1.5}"#
            let property = #"{"id":"\#(id(4))","key":"k","property_type":"number","display_order":"#
            for (path, body, field) in [
                ("/geofences", geofence.replacing("LAT", with: "1e400"), "latitude"),
                ("/geofences", geofence.replacing("LAT", with: "1" + String(repeating: "0", count: 400)), "latitude"),
                ("/event-types/\(id(1))/properties", property + "1.5}", "display_order"),
                ("/event-types/\(id(1))/properties", property + "9223372036854775808}", "display_order"),
                ("/event-types/\(id(1))/properties", property + "0,\"default_value\":1e400}", "default_value"),
                ("/event-types/\(id(1))/properties", property + "0,\"options\":[\"a\",5]}", "options.1"),
                ("/events", Self.event(2, #","notes":"\ud800""#), "notes"),
                (
                    "/events", Self.event(2, #","properties":{"a":{"type":"number","value":1e999}}"#),
                    "properties.a.value"
                ),
            ] {
                let refused = try await ann.send(.post, path, body)
                #expect(refused.status == 400, "\(body)")
                let problem = refused.problem()
                #expect(problem.type == "urn:trendy:error:validation", "\(problem)")
                #expect(problem.errors?.first?.field == field, "\(problem)")
            }
        }
    }

    @Test("may have anything in fields that are not known")
    func unknownFields() async throws {
        try await withAnn { ann in
            let body = Self.event(2, #","zz":[1e400,"\ud800"]"#)
            let answer = try await ann.send(.post, "/events", body)
            #expect(answer.status == 201)
        }
    }

    @Test("that is malformed is refused even where a lenient parser would take it")
    func malformed() async throws {
        try await withAnn { ann in
            let good = Self.event(2)
            for body in [
                good.dropLast() + ",}", good.dropLast() + #","zz":01}"#, good.dropLast() + #","zz":1.}"#, good + "x",
            ] {
                let refused = try await ann.send(.post, "/events", String(body))
                #expect(refused.status == 400 && refused.problem().type == "urn:trendy:error:bad_request", "\(body)")
            }
        }
    }

    @Test("of a batch is taken but for the records that cannot be read")
    func batch() async throws {
        try await withAnn { ann in
            let items = [
                Self.event(2), Self.event(3, #","location_latitude":1e400,"location_longitude":1"#),
                Self.event(4, #","notes":"\udc00x""#),
                String(repeating: "[", count: 400) + String(repeating: "]", count: 400),
                Self.event(5, #","is_all_day":1.5"#), Self.event(6),
            ]
            let answer = try await ann.send(.post, "/events/batch", "{\"events\":[\(items.joined(separator: " , "))]}")
            #expect(answer.status == 207)
            let result = try WireCoding.decode(BatchCreateEventsResponse.self, from: answer.body)
            #expect(result.created.map(\.id) == [id(2), id(6)])
            #expect(result.errors.map(\.index) == [1, 2, 3, 4])
            #expect(result.errors[0].message.hasPrefix("location_latitude"))
            #expect(result.errors[1].message.hasPrefix("notes"))
            #expect(try await ann.send(.post, "/events/batch", "{\"events\":[\(Self.event(7)),]}").status == 400)
        }
    }

    @Test("of a batch gets each error told once")
    func errorOnce() async throws {
        try await withAnn { ann in
            let answer = try await ann.send(
                .post, "/events/batch", "{\"events\":[\(Self.event(2, #","source_type":"x""#))]}")
            let message = try WireCoding.decode(BatchCreateEventsResponse.self, from: answer.body).errors.first?.message
            #expect(message?.components(separatedBy: "must be one of").count == 2, "\(message ?? "")")
        }
    }

    @Test("of a PUT cannot clear a field that always has a value")
    func clearing() async throws {
        try await withAnn { ann in
            _ = try await ann.send(.post, "/events", Self.event(2, #","notes":"n""#))
            _ = try await ann.send(
                .post, "/geofences", #"{"id":"\#(id(3))","name":"home","latitude":1,"longitude":1,"radius":60}"#)
            for (path, field) in [
                ("/events/\(id(2))", "source_type"), ("/events/\(id(2))", "is_all_day"),
                ("/events/\(id(2))", "properties"),
                ("/events/\(id(2))", "timestamp"), ("/event-types/\(id(1))", "color"),
                ("/event-types/\(id(1))", "icon"),
                ("/event-types/\(id(1))", "name"), ("/geofences/\(id(3))", "radius"),
                ("/geofences/\(id(3))", "is_active"),
                ("/geofences/\(id(3))", "notify_on_exit"),
            ] {
                let before = try await ann.send(.get, path).body
                let refused = try await ann.send(.put, path, "{\"\(field)\":null}")
                #expect(refused.status == 400, "\(field)")
                #expect(refused.problem().errors?.map(\.field) == [field])
                #expect(try await ann.send(.get, path).body == before)
            }
            let cleared = try await ann.send(.put, "/events/\(id(2))", #"{"notes":null,"end_date":null}"#)
            #expect(cleared.status == 200 && cleared["notes"] == .null)
        }
    }
}
