import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TrendyConformance
import TrendyDomain
import TrendyServer
import TrendyTestSupport

/// A server in this process with its real limits, unless a test has others, and a clock that jumps where a run waits.
struct ConformanceBench {
    let server: TestServer

    init(limits: ServerLimits = ServerLimits(), store: (any ServerStore)? = nil) throws {
        server = try TestServer(limits: limits, store: store)
    }

    /// Does something with the server as a target.
    ///
    /// - Parameter layer: What lies between the rules and the server.
    func run(
        through layer: @escaping @Sendable (@escaping ConformanceTarget.Send) -> ConformanceTarget.Send = { $0 },
        _ body: @escaping @Sendable (ConformanceTarget) async throws -> Void
    ) async throws {
        let clock = server.clock
        try await server.server.makeApplication().test(.router) { client in
            let send = layer { request in try await Self.send(request, client) }
            let target = ConformanceTarget(
                send: send,
                wait: { duration in
                    let (seconds, attoseconds) = duration.components
                    clock.advance(byMilliseconds: max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000))
                    await Task.yield()
                },
                wallClock: clock)
            try await body(target)
        }
    }

    private static func send(_ request: WireRequest, _ client: any TestClientProtocol) async throws -> WireAnswer {
        var fields = HTTPFields()
        for (name, value) in request.headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        let method = HTTPRequest.Method(rawValue: request.method.rawValue) ?? .get
        return try await client.execute(
            uri: request.path, method: method, headers: fields, body: request.body.map { ByteBuffer(bytes: $0) }
        ) { response in
            let headers = response.headers.map { ($0.name.rawName, $0.value) }
            return WireAnswer(
                status: response.status.code, headers: Dictionary(headers) { $1 },
                body: Data(response.body.readableBytesView))
        }
    }
}
