import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

/// What came back.
struct Answer {
    let status: Int
    let body: Data
    let headers: HTTPFields

    var json: JSONValue { (try? WireCoding.decode(JSONValue.self, from: body)) ?? .null }
    var array: [JSONValue] { if case .array(let elements) = json { elements } else { [] } }

    subscript(_ member: String) -> JSONValue { json.objectValue?[member] ?? .null }

    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

    /// The problem in the body; recorded as an issue where there is none, or where it lacks what each must have.
    func problem(sourceLocation: SourceLocation = #_sourceLocation) -> ProblemDetails {
        #expect(header("Content-Type") == "application/problem+json", sourceLocation: sourceLocation)
        let problem = (try? WireCoding.decode(ProblemDetails.self, from: body)) ?? ProblemDetails()
        #expect(problem.status == status, sourceLocation: sourceLocation)
        #expect(problem.type?.hasPrefix("urn:trendy:error:") == true, sourceLocation: sourceLocation)
        #expect(problem.title != nil && problem.detail != nil, sourceLocation: sourceLocation)
        #expect(problem.userMessage != nil, sourceLocation: sourceLocation)
        #expect(problem.requestId == header("X-Request-Id"), sourceLocation: sourceLocation)
        return problem
    }
}

/// One user's way to a server under test.
struct API: Sendable {
    let client: any TestClientProtocol
    var token: String?

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, key: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        var fields = HTTPFields()
        if let token { fields[.authorization] = "Bearer \(token)" }
        if body != nil { fields[.contentType] = "application/json" }
        if let key, let name = HTTPField.Name("Idempotency-Key") { fields[name] = key }
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value.isEmpty ? nil : value }
        }
        let uri = path.hasPrefix("/health") ? path : "/api/v1" + path
        return try await client.execute(
            uri: uri, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) }
        ) { Answer(status: $0.status.code, body: Data($0.body.readableBytesView), headers: $0.headers) }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, encoding value: some Encodable, key: String? = nil
    ) async throws -> Answer {
        try await send(method, path, String(decoding: WireCoding.encode(value), as: UTF8.self), key: key)
    }

    /// A new account, signed in.
    func signedUp(_ email: String) async throws -> API {
        let answer = try await send(.post, "/auth/signup", #"{"email":"\#(email)","password":"correct horse"}"#)
        return API(client: client, token: answer["access_token"].stringValue)
    }
}

/// A server for tests: in memory, cheap passwords, no limits unless a test asks for them.
struct TestServer {
    let clock = ManualWallClock()
    let server: TrendyHTTPServer

    init(
        limits: ServerLimits = .unlimitedRequests, store: (any ServerStore)? = nil,
        routes: [RecordRoute] = .trendy, connections: Int? = nil, perAddress: Int? = .max,
        trustedProxies: [AddressBlock] = [],
        timeouts: ServerTimeouts = ServerTimeouts(), logger: Logger? = nil
    ) throws {
        server = try makeServer(
            limits: limits, store: store, routes: routes, clock: clock, connections: connections,
            perAddress: perAddress,
            trustedProxies: trustedProxies, timeouts: timeouts, logger: logger)
    }

    func test(_ setup: TestingSetup = .router, _ body: @escaping @Sendable (API) async throws -> Void) async throws {
        try await server.makeApplication().test(setup) { try await body(API(client: $0)) }
    }
}
