import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

/// A client that is signed in to a scripted server.
struct Harness {
    let server: LoopbackServer
    let client: APIClient
    let credentials: InMemoryCredentialStore
    let clock = ManualWallClock()

    init(
        token: String? = "token-1", refreshToken: String? = nil, routes: RouteTable = .trendy,
        transport: TransportConfiguration = .patient, stopwatch: any Clock<Duration> = ContinuousClock(),
        handler: @escaping LoopbackServer.Handler
    ) throws {
        server = try LoopbackServer(handler)
        let address = try ServerAddress(parse: server.url)
        let signedIn = token.map {
            Credentials(
                server: address, email: "ada@example.org", userId: "u1", accessToken: Secret($0),
                refreshToken: refreshToken.map(Secret.init), obtainedAt: ManualWallClock.defaultStart)
        }
        credentials = InMemoryCredentialStore(signedIn)
        client = APIClient(
            server: address, credentials: credentials, routes: routes,
            transport: standardTransport(configuration: transport), clock: clock, stopwatch: stopwatch)
    }
}

extension TransportConfiguration {
    /// For tests that are not about time: a machine with much else to do is no fault of the server.
    static let patient = TransportConfiguration(idleTimeout: .seconds(60), totalTimeout: .seconds(120))
}

/// Runs a piece of a test against a scripted server, and stops the server.
func withHarness(
    token: String? = "token-1", refreshToken: String? = nil, routes: RouteTable = .trendy,
    transport: TransportConfiguration = .patient, stopwatch: any Clock<Duration> = ContinuousClock(),
    handler: @escaping LoopbackServer.Handler, _ body: (Harness) async throws -> Void
) async throws {
    let harness = try Harness(
        token: token, refreshToken: refreshToken, routes: routes, transport: transport, stopwatch: stopwatch,
        handler: handler)
    defer { harness.server.stop() }
    try await body(harness)
}

/// The error that the work ends with.
func apiError(_ work: () async throws -> Void) async -> APIError? {
    do {
        try await work()
        return nil
    } catch {
        return error as? APIError
    }
}

extension APIError {
    var problem: ProblemDetails? { if case .http(_, let problem) = self { problem } else { nil } }
    /// Whether there was no connection, or it broke.
    var isConnection: Bool {
        switch self {
        case .notSent, .connection: true
        default: false
        }
    }
    var isNotAServer: Bool { if case .notAServer = self { true } else { false } }
    var isMalformed: Bool { if case .malformedResponse = self { true } else { false } }
    var isUnauthorized: Bool { if case .unauthorized = self { true } else { false } }
}

let eventTypeId = testId(7)

/// An event type as a server sends it.
func typeJSON(_ number: UInt64, name: String = "Coffee", extra: String = "") -> String {
    """
    {"id":"\(testId(number))","name":"\(name)","color":"#112233","icon":"cup","user_id":"u1",
    "created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00.5Z"\(extra)}
    """
}

/// An event as a server sends it.
func eventJSON(_ number: UInt64, timestamp: String = "2026-01-02T03:04:05.678Z", extra: String = "") -> String {
    """
    {"id":"\(testId(number))","event_type_id":"\(eventTypeId)","timestamp":"\(timestamp)"\(extra)}
    """
}
