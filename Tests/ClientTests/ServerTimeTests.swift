import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("The server's clock")
struct ServerTimeTests {
    @Test(
        "is read from the Date of its health route, and nil where that sends none that can be read",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", Timestamp("1994-11-06T08:49:37Z")),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Timestamp("1994-11-06T08:49:37Z")),
            ("Sun Nov  6 08:49:37 1994", Timestamp("1994-11-06T08:49:37Z")),
            // The clock of the test says 2026: a year with two digits is at most 50 years ahead.
            ("Monday, 01-Jan-26 00:00:00 GMT", Timestamp("2026-01-01T00:00:00Z")),
            ("Tuesday, 31-Dec-75 00:00:00 GMT", Timestamp("2075-12-31T00:00:00Z")),
            ("Wednesday, 31-Dec-76 00:00:00 GMT", Timestamp("1976-12-31T00:00:00Z")),
            ("Mon Mar 16 08:49:37 2026", Timestamp("2026-03-16T08:49:37Z")),
            ("yesterday", nil), ("", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil),
            ("Sun, 31 Feb 1994 08:49:37 GMT", nil),
            ("Sun, 06 Now 1994 08:49:37 GMT", nil), ("Sunday, 06-Nov-1994 08:49:37 GMT", nil),
            ("Sun Nov  6 08:49:37 94", nil), ("Sun Nov 123 08:49:37 1994", nil), ("Sun, 06 Nov 1994 25:49:37 GMT", nil),
        ])
    func date(_ field: String, _ expected: Timestamp?) async throws {
        try await withHarness { _ in
            .reply(200, #"{"status":"ok"}"#, headers: ["Content-Type": "application/json", "Date": field])
        } _: { harness async throws in
            #expect(try await harness.client.serverTime() == expected)
            #expect(harness.server.requests.map(\.target) == ["/health"])
        }
    }

    @Test("is compared with this device's with every answer, also one that refuses", arguments: [200, 404, 500])
    func reading(status: Int) async throws {
        try await withHarness { _ in
            .reply(
                status, "[]", headers: ["Content-Type": "application/json", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"])
        } _: { harness async throws in
            #expect(harness.client.clockReading == nil)
            _ = await apiError { _ = try await harness.client.getEventTypes() }
            let server = try #require(Timestamp("1994-11-06T08:49:37Z"))
            let lead = harness.clock.now().seconds(since: server)
            #expect(harness.client.clockReading == ClockReading(lead: lead - 0.5, doubt: 0.5))
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
