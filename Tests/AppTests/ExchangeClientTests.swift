import Testing
import TrendyData
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("The exchange over real sockets")
struct ExchangeClientTests {
    @Test("client and server keep the contract together", arguments: ExchangeContract.checks)
    func contract(_ check: ExchangeContract.Check) async throws {
        try await withServer { server in
            let client = APIClient(server: server, credentials: InMemoryCredentialStore())
            _ = try await client.signup(email: "ann@example.org", password: "correct horse")
            try await ExchangeContract {
                ExchangeContract.Subject(exchange: { try await client.exchange($0) })
            }.run(check)
        }
    }
}
