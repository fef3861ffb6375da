import HTTPTypes
import HummingbirdTesting
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("The limit of sign-ins")
struct AccountLimitTests {
    private let clock = ManualWallClock()
    private let proxies = ["127.0.0.0/8", "::1"].compactMap { AddressBlock($0) }

    private func logIn(
        _ api: API, _ name: String, _ password: String = "wrong horse", from address: String
    ) async throws -> Int {
        let body = #"{"email":"\#(name)@example.org","password":"\#(password)"}"#
        return try await api.send(.post, "/auth/login", body, headers: ["X-Forwarded-For": address]).status
    }

    @Test("counts guesses at one account from many addresses together, and lets others in")
    func manyAddresses() async throws {
        try await TestServer(limits: ServerLimits(signInsPerMinute: 3), trustedProxies: proxies).test(.live) { api in
            _ = try await api.signedUp("ann@example.org")
            _ = try await api.signedUp("bob@example.org")
            #expect(try await logIn(api, "ann", "correct horse", from: "192.0.2.1") == 200)
            var guesses: [Int] = []
            for place in 1...4 { guesses.append(try await logIn(api, " ANN", from: "198.51.100.\(place)")) }
            #expect(guesses == [401, 401, 429, 429])
            #expect(try await logIn(api, "bob", "correct horse", from: "198.51.100.9") == 200)
            // The owner is known where he has signed in before.
            #expect(try await logIn(api, "ann", "correct horse", from: "192.0.2.1") == 200)
            #expect(try await logIn(api, "ann", "correct horse", from: "192.0.2.2") == 429)
        }
    }

    @Test("is not used up for an address by people who know their passwords")
    func sharedAddress() async throws {
        let server = try TestServer(limits: ServerLimits(signInsPerMinute: 2))
        try await server.test(.live) { [clock = server.clock] api in
            for name in ["ann", "bob"] { _ = try await api.signedUp("\(name)@example.org") }
            clock.advance(bySeconds: 60)
            var statuses: [Int] = []
            for name in ["ann", "bob", "ann", "bob"] {
                statuses.append(try await logIn(api, name, "correct horse", from: ""))
            }
            #expect(statuses == [200, 200, 200, 200])
            for _ in 0..<2 { #expect(try await logIn(api, "eve", from: "") == 401) }
            #expect(try await logIn(api, "bob", "correct horse", from: "") == 429)
        }
    }

    @Test("is the same for all that is longer than an address can be")
    func longNames() throws {
        let limit = AccountLimit(limit: 1, clock: clock)
        let long = String(repeating: "x", count: 254)
        try limit.admit(long + "a", from: "1")
        #expect(throws: ServerProblem.self) { try limit.admit(long + "b", from: "2") }
    }

    @Test("forgets nobody whose minute is not over, however many there are")
    func manyCallers() throws {
        let limiter = RateLimiter(limit: 1, clock: clock)
        try limiter.admit("first")
        for number in 0..<25_000 { try limiter.admit("\(number)") }
        #expect(throws: ServerProblem.self) { try limiter.admit("first") }
        clock.advance(bySeconds: 60)
        try limiter.admit("first")
    }
}
