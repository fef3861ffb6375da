import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

/// Whether a request may have reached the server, as its error tells.
@Suite("A request that fails")
struct DepartureTests {
    private func client(of url: String, _ configuration: TransportConfiguration = .patient) throws -> APIClient {
        let address = try ServerAddress(parse: url)
        let signedIn = Credentials(
            server: address, email: "ada@example.org", userId: "u1", accessToken: Secret("token"), refreshToken: nil,
            obtainedAt: ManualWallClock.defaultStart)
        return APIClient(
            server: address, credentials: InMemoryCredentialStore(signedIn),
            transport: standardTransport(configuration: configuration))
    }

    private func failure(of client: APIClient) async -> APIError? {
        await apiError { _ = try await client.exchange(SyncRequest()) }
    }

    private func expectNotSent(_ error: APIError?) {
        guard case .notSent? = error else {
            Issue.record("\(String(describing: error)) may have arrived")
            return
        }
    }

    @Test("has not left where nothing listens, or the host has no address")
    func unreachable() async throws {
        expectNotSent(await failure(of: try client(of: "http://127.0.0.1:\(unusedPort())")))
        expectNotSent(await failure(of: try client(of: "http://nowhere.invalid")))
    }

    @Test("has not left where no TLS is spoken")
    func noTLS() async throws {
        try await withHarness { _ in
            .reply(200, "{}")
        } _: { harness async throws in
            let url = harness.server.url.replacing("http://", with: "https://")
            expectNotSent(await failure(of: try client(of: url)))
        }
    }

    @Test("may have arrived where the connection breaks before the answer, or no answer comes in time")
    func lost() async throws {
        try await withHarness { _ in
            [.reset]
        } _: { harness async throws in
            let error = await failure(of: harness.client)
            #expect(error?.isConnection == true, "\(String(describing: error))")
        }
        let configuration = TransportConfiguration(idleTimeout: .milliseconds(300), totalTimeout: .seconds(2))
        try await withHarness(transport: configuration) { _ in
            [.hang]
        } _: { harness async throws in
            #expect(await failure(of: harness.client) == .timeout)
        }
    }

    @Test("may have arrived where the connection breaks after a preliminary answer, and does not go again")
    func preliminary() async throws {
        let working = [ServerStep].raw("HTTP/1.1 102 Processing\r\n\r\n") + [.close]
        try await withHarness { request in
            request.target.hasSuffix("event-types") && request.method == "GET" ? .json("[]") : working
        } _: { harness async throws in
            for count in 1...2 {
                let error = await failure(of: harness.client)
                guard case .connection? = error else {
                    Issue.record("\(error as Any)")
                    return
                }
                #expect(harness.server.requests("/api/v1/sync").count == count)
                // The next one goes over a connection that was used.
                _ = try await harness.client.getEventTypes()
            }
        }
    }

    @Test("may have arrived where the connection breaks while it leaves")
    func halfway() async throws {
        let server = try LoopbackServer(isReadingBodies: false) { _ in [.reset] }
        defer { server.stop() }
        let error = await apiError { try await sendLargeBody(to: server) }
        guard case .connection? = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    @Test("is a refusal where the server answers and ends the connection before it has read the body")
    func refusedEarly() async throws {
        let gate = Gate()
        let refusal = "HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        let server = try LoopbackServer(isReadingBodies: false) { _ in .raw(refusal) + [.finish, .wait(gate)] }
        defer {
            gate.open()
            server.stop()
        }
        #expect(try await sendLargeBody(to: server) == 413)
    }

    /// Sends a body that is larger than what systems take before anybody has read it.
    @discardableResult
    private func sendLargeBody(to server: LoopbackServer) async throws -> Int {
        let transport = standardTransport(configuration: .patient)
        let url = try #require(URL(string: server.url))
        return try await transport.send(TransportRequest(method: .post, url: url, body: Data(count: 64 << 20))).status
    }

    @Test("has not gone again where its token was refused and the sign-in service cannot be reached")
    func renewal() async throws {
        try await withHarness(refreshToken: "refresh") { request in
            request.target.hasSuffix("refresh") ? [.reset] : .reply(401, #"{"error":"expired"}"#)
        } _: { harness async throws in
            expectNotSent(await failure(of: harness.client))
        }
    }

    @Test(
        "has had no effect where its token was refused and something else answers for the sign-in service",
        arguments: [
            [ServerStep].html(200), .html(403), .html(503), .html(511), .raw("what is this?\r\n\r\n"), .reply(408),
            .reply(200),
            .reply(302, "", headers: ["Location": "/welcome"]), .json("[1, 2"), .reply(429), .reply(500),
            .raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{") + [.close],
            .raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n"),
        ])
    func foreignRenewal(_ answer: [ServerStep]) async throws {
        try await withHarness(refreshToken: "refresh") { request in
            request.target.hasSuffix("refresh") ? answer : .reply(401, #"{"error":"expired"}"#)
        } _: { harness async throws in
            let error = await failure(of: harness.client)
            #expect(error?.provesNoEffect == true, "\(error as Any)")
            #expect(harness.server.requests.count == 2)
        }
    }
}
