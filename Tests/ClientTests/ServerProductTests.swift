import Testing
import TrendyData
import TrendyDomain

@Suite("What the server calls itself")
struct ServerProductTests {
    @Test("is read from the Server of every answer, also one that refuses", arguments: [200, 404, 500])
    func told(status: Int) async throws {
        try await withHarness { _ in
            .reply(status, "[]", headers: ["Server": "trendy/1.2 (Linux; arm64)"])
        } _: { harness async throws in
            #expect(harness.client.serverProduct == nil)
            _ = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(harness.client.serverProduct == "trendy/1.2")
        }
    }

    @Test(
        "stays where an answer does not tell it",
        arguments: [[:], ["Server": ""], ["Server": "(none)"]] as [[String: String]])
    func untold(headers: [String: String]) async throws {
        try await withHarness { request in
            request.target == "/health"
                ? .reply(200, #"{"status":"ok"}"#, headers: ["Server": "nginx"])
                : .reply(404, "", headers: headers)
        } _: { harness async throws in
            try await harness.client.checkHealth()
            _ = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(harness.client.serverProduct == "nginx")
        }
    }
}
