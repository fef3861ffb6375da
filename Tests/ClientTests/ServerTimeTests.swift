import Testing
import TrendyData
import TrendyDomain

@Suite("The server's clock")
struct ServerTimeTests {
    @Test(
        "is read from the Date of its health route, and nil where that sends none that can be read",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", Timestamp("1994-11-06T08:49:37Z")), ("yesterday", nil), ("", nil),
        ])
    func date(_ field: String, _ expected: Timestamp?) async throws {
        try await withHarness { _ in
            .reply(200, #"{"status":"ok"}"#, headers: ["Content-Type": "application/json", "Date": field])
        } _: { harness async throws in
            #expect(try await harness.client.serverTime() == expected)
            #expect(harness.server.requests.map(\.target) == ["/health"])
        }
    }

    @Test("is not taken from an answer that refuses")
    func refused() async throws {
        try await withHarness { _ in
            .reply(503, "", headers: ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"])
        } _: { harness async throws in
            #expect(await apiError { _ = try await harness.client.serverTime() } != nil)
        }
    }
}
