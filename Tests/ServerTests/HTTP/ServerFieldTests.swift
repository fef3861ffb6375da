import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("The Server field")
struct ServerFieldTests {
    @Test("tells the version with each answer, also one that refuses")
    func told() async throws {
        try await TestServer().test(.live) { api in
            let ann = try await api.signedUp("ann@example.org")
            for (answer, status) in [
                (try await api.send(.get, "/health"), 200), (try await ann.send(.get, "/changes"), 200),
                (try await ann.send(.get, "/event-types"), 200), (try await ann.send(.post, "/sync", "{"), 400),
                (try await api.send(.get, "/changes"), 401), (try await ann.send(.get, "/nowhere"), 404),
            ] {
                #expect(answer.status == status)
                #expect(answer.header("Server") == "trendy/1.2.3", "\(status)")
            }
        }
    }

    @Test(
        "has a version without the signs that it may not have",
        arguments: [
            ("0.1.0-dev+7", "trendy/0.1.0-dev+7"), ("1.0 (beta)\r\nX: y", "trendy/1.0betaXy"), ("7é", "trendy/7"),
            ("", "trendy"),
        ])
    func token(version: String, product: String) {
        let folder = URL(filePath: "/dev/null/nowhere")
        #expect(ServerConfiguration(dataDirectory: folder, version: version).product == product)
    }
}
