import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("The character U+0000")
struct ZeroCharacterTests {
    private static let event = #"{"id":"ID","event_type_id":"TYPE","timestamp":"2026-01-01T00:00:00Z","#

    private static func body(_ rest: String) -> String {
        (event + rest + "}").replacing("\"ID\"", with: "\"\(id(2))\"").replacing("TYPE", with: id(1))
    }

    @Test(
        "is refused in every field of a record, and in keys of its properties",
        arguments: [
            (#""notes":"a\u0000b""#, "notes"), (#""external_id":"\u0000""#, "external_id"),
            (#""properties":{"a\u0000":{"type":"text","value":""}}"#, "properties"),
            (#""properties":{"a":{"type":"text","value":"\u0000"}}"#, "properties.a.value"),
            (#""location_name":"\u0000""#, "location_name"),
            (#""healthkit_sample_id":"\u0000""#, "healthkit_sample_id"),
        ])
    func records(rest: String, field: String) async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            _ = try await ann.send(.post, "/event-types", encoding: EventType.sample())
            let refused = try await ann.send(.post, "/events", Self.body(rest))
            #expect(refused.status == 400 && refused.problem().errors?.first?.field == field, "\(refused.problem())")
            let batch = try await ann.send(
                .post, "/events/batch", #"{"events":[\#(Self.body(rest)),\#(Self.body(#""notes":"x""#))]}"#)
            #expect(batch.status == 207 && batch["success"] == .integer(1))
            let patched = try await ann.send(.put, "/events/\(id(2))", "{\(rest)}")
            #expect(patched.status == 400 && patched.problem().errors?.first?.field == field)
            let mutation =
                #"{"key":"k","entity_type":"event","operation":"create","entity_id":"\#(id(3))","base":0,"data":"#
            let data = Self.body(rest).replacing(id(2), with: id(3))
            let synced = try await ann.send(.post, "/sync", #"{"mutations":[\#(mutation)\#(data)}]}"#)
            #expect(synced.status == 200)
            guard case .array(let results) = synced["results"] else { return #expect(Bool(false)) }
            #expect(results.first?.objectValue?["outcome"] == "rejected")
        }
    }

    @Test("is ignored, as all else, in fields that no record has")
    func unknownFields() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            _ = try await ann.send(.post, "/event-types", encoding: EventType.sample())
            let kept = try await ann.send(.post, "/events", Self.body(#""other":"\u0000","\u0000":1"#))
            #expect(kept.status == 201)
            // More than a scanner remembers hide none in a known field.
            let many = (0..<100).map { "\"x\($0)\":\"\\u0000\"" }.joined(separator: ",")
            #expect(try await ann.send(.post, "/events", Self.body(many + #","notes":"\u0000""#)).status == 400)
        }
    }

    @Test(
        "is refused in what a mutation is named by, and in cursors",
        arguments: [
            ("key", "mutations.0.key"), ("entity_type", "mutations.0.entity_type"),
            ("entity_id", "mutations.0.entity_id"), ("operation", "mutations.0.operation"), ("cursor", "cursor"),
            ("epoch", "epoch"),
        ])
    func mutations(member: String, field: String) async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            var mutation = ["key": "k", "entity_type": "event", "operation": "delete", "entity_id": id(1)]
            var rest = ""
            if mutation[member] != nil {
                mutation[member]? += "\u{0}"
            } else {
                rest = ",\"\(member)\":\"1.event.2.x\\u0000\""
            }
            let json = String(decoding: try WireCoding.encode(mutation), as: UTF8.self)
            let refused = try await ann.send(.post, "/sync", #"{"mutations":[\#(json)]\#(rest)}"#)
            #expect(refused.status == 400 && refused.problem().errors?.first?.field == field, "\(refused.status)")
        }
    }

    @Test("is refused in an idempotency key")
    func idempotencyKeys() throws {
        let world = try ServerWorld()
        let problem = try #require(
            throws: ServerProblem.self, performing: { try world.create(EventType.sample(), key: "a\u{0}b") })
        #expect(problem.errors.first?.field == "Idempotency-Key")
    }

    @Test("is refused in an e-mail address and a password")
    func credentials() async throws {
        try await TestServer().test { api in
            for (email, password, field) in [
                (#"a\u0000@b.c"#, "correct horse", "email"), ("ann@b.c", #"correct\u0000horse"#, "password"),
            ] {
                for path in ["/auth/signup", "/auth/login"] {
                    let refused = try await api.send(
                        .post, path, #"{"email":"\#(email)","password":"\#(password)"}"#)
                    #expect(refused.status == 400 && refused.problem().errors?.first?.field == field)
                }
            }
        }
    }
}
