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

    @Test("has not gone again where its token was refused and the sign-in service cannot be reached")
    func renewal() async throws {
        try await withHarness(refreshToken: "refresh") { request in
            request.target.hasSuffix("refresh") ? [.reset] : .reply(401, #"{"error":"expired"}"#)
        } _: { harness async throws in
            expectNotSent(await failure(of: harness.client))
        }
    }
}
