import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("an exchange")
struct ExchangeTests {
    private static let answer = """
        {"epoch":"e","head":8,"results":[{"key":"k","outcome":"accepted","revision":8,"server":{"user_id":"u1"}}],
        "changes":[{"entity_type":"event","entity_id":"x","revision":7,"created_revision":3,"record":{"id":"x"}},
        {"entity_type":"event","entity_id":"y","revision":6,"deleted":true}],"cursor":"8","more":true}
        """

    private static let request = SyncRequest(
        epoch: "e", cursor: "5", limit: 7,
        mutations: [SyncMutation(key: "k", entityType: .event, operation: .delete, entityId: "z", base: 4)])

    @Test("is one request with both directions, and one answer")
    func exchange() async throws {
        try await withHarness { _ in
            .json(Self.answer)
        } _: { harness async throws in
            let response = try await harness.client.exchange(Self.request)
            let sent = try #require(harness.server.requests.first)
            #expect(harness.server.requests.count == 1 && "\(sent.method) \(sent.target)" == "POST /api/v1/sync")
            #expect(sent.headers["authorization"] == "Bearer token-1")
            #expect(try WireCoding.decode(SyncRequest.self, from: sent.body) == Self.request)
            #expect(response.head == 8 && response.cursor == "8" && response.more)
            #expect(response.results.map(\.server?.userId) == ["u1"])
            #expect(response.changes.map(\.record) == [["id": "x"], nil] && response.changes[0].createdRevision == 3)
        }
    }

    @Test("brings a page of many megabytes")
    func large() async throws {
        let notes = String(repeating: "x", count: 20 << 20)
        let body = Self.answer.replacing(#"{"id":"x"}"#, with: #"{"id":"x","notes":"\#(notes)"}"#)
        try await withHarness { _ in
            .json(body)
        } _: { harness async throws in
            let response = try await harness.client.exchange(Self.request)
            #expect(response.changes.first?.record?["notes"] == .string(notes))
        }
    }

    @Test(
        "throws what the server says of the request as a whole",
        arguments: [(404, "not_found"), (405, "bad_request"), (409, "epoch_changed"), (410, "cursor_expired")])
    func refused(_ status: Int, _ name: String) async throws {
        let type = "urn:trendy:error:\(name)"
        try await withHarness { _ in
            .problem(status, #"{"type":"\#(type)","status":\#(status),"detail":"no"}"#)
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.exchange(Self.request) }
            #expect(error?.status == status && error?.problem?.type == type)
        }
    }

    @Test("names its route where the answer makes no sense")
    func malformed() async throws {
        try await withHarness { _ in
            .json(#"{"epoch":"e"}"#)
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.exchange(Self.request) }
            #expect(error?.isMalformed == true && error?.description.contains("POST /api/v1/sync") == true)
        }
    }

    @Test("is not asked of a backend whose routes have none")
    func otherBackend() async throws {
        try await withHarness(routes: RouteTable(records: [:])) { _ in
            .json(Self.answer)
        } _: { harness async throws in
            #expect(await apiError { _ = try await harness.client.exchange(Self.request) } == .noExchange)
            #expect(harness.server.requests.isEmpty)
        }
    }
}
