import Foundation
import HTTPTypes
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("The route of the exchange")
struct SyncRouteTests {
    private static func mutations(_ count: Int, padding: Int = 0) throws -> [SyncMutation] {
        let notes = String(repeating: "x", count: padding)
        return try (0..<count).map { number in
            let event = Event.sample(UInt64(number) + 10, notes: notes.isEmpty ? nil : notes)
            return SyncMutation(
                key: "k\(number)", entityType: .event, operation: .create, entityId: event.id,
                data: .object(try WireCoding.fields(of: event)))
        }
    }

    private static func post(_ request: SyncRequest, _ api: API) async throws -> Answer {
        try await api.send(.post, "/sync", encoding: request)
    }

    @Test("sends and receives with one request")
    func exchange() async throws {
        try await TestServer().test { anonymous in
            let api = try await anonymous.signedUp("a@example.org")
            _ = try await api.send(.post, "/event-types", encoding: EventType.sample())
            let begun = try await Self.post(SyncRequest(), api)
            let place = try WireCoding.decode(SyncResponse.self, from: begun.body)
            let request = SyncRequest(epoch: place.epoch, cursor: place.cursor, mutations: try Self.mutations(1_000))
            let answer = try await Self.post(request, api)
            let response = try WireCoding.decode(SyncResponse.self, from: answer.body)
            #expect(answer.status == 200 && response.results.count == 1_000 && response.changes.isEmpty)
            #expect(response.results.allSatisfy { $0.outcome == .accepted } && response.head == 1_001)
            let second = try await Self.post(SyncRequest(epoch: response.epoch, cursor: response.cursor), api)
            #expect(try WireCoding.decode(SyncResponse.self, from: second.body).changes.isEmpty)
        }
    }

    @Test("takes at most two thousand mutations and eight megabytes, and tells who sends more to send less")
    func limits() async throws {
        try await TestServer().test { anonymous in
            let api = try await anonymous.signedUp("a@example.org")
            _ = try await api.send(.post, "/event-types", encoding: EventType.sample())
            #expect(try await Self.post(SyncRequest(mutations: Self.mutations(2_000)), api).status == 200)
            let tooMany = try await Self.post(SyncRequest(mutations: Self.mutations(2_001)), api)
            #expect(tooMany.status == 413 && tooMany.problem().detail?.contains("2001") == true)
            let tooLarge = try await Self.post(SyncRequest(mutations: Self.mutations(9, padding: 1 << 20)), api)
            #expect(tooLarge.status == 413)
        }
    }

    @Test("refuses a body that is no request as a whole, and says where")
    func malformed() async throws {
        try await TestServer().test { anonymous in
            let api = try await anonymous.signedUp("a@example.org")
            let bodies = [
                ("[]", nil), ("{", nil), (#"{"mutations":{}}"#, "mutations"), (#"{"cursor":7}"#, "cursor"),
                (#"{"limit":0}"#, "limit"), (#"{"mutations":[7]}"#, nil),
                (#"{"mutations":[{"key":"k","entity_type":"event","entity_id":"x"}]}"#, "operation"),
                (#"{"mutations":[{"key":"","entity_type":"event","operation":"delete","entity_id":"x"}]}"#, "key"),
                (#"{"mutations":[{"key":"k","entity_type":"event","operation":"read","entity_id":"x"}]}"#, "operation"),
            ]
            for (body, field) in bodies {
                let answer = try await api.send(.post, "/sync", body)
                let problem = answer.problem()
                #expect(answer.status == 400, "\(body)")
                if let field { #expect(problem.errors?.first?.field.hasSuffix(field) == true, "\(body)") }
            }
            #expect(try await anonymous.send(.post, "/sync", "{}").status == 401)
            #expect(try await api.send(.post, "/sync", "{}").status == 200)
        }
    }

    @Test("tells of another history with 409 and the name of the problem")
    func epochChanged() async throws {
        try await TestServer().test { anonymous in
            let api = try await anonymous.signedUp("a@example.org")
            let answer = try await Self.post(SyncRequest(epoch: "another", cursor: "0"), api)
            #expect(answer.status == 409 && answer.problem().type == "urn:trendy:error:epoch_changed")
        }
    }
}
