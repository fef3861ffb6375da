import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("GET /api/v1/sync/live", .serialized, .timeLimit(.minutes(2)))
struct LiveRouteTests {
    private func live(
        _ server: TestServer, _ body: @escaping @Sendable (API, Int) async throws -> Void
    ) async throws {
        try await server.test(.live) { api in
            let ann = try await api.signedUp("ann@example.org")
            try await body(ann, try #require(api.client.port))
        }
    }

    private func watch<Value: Sendable>(
        _ port: Int, _ api: API, _ body: @escaping @Sendable (ReceivedText) async throws -> Value
    ) async throws -> Value {
        try await RawConnection.streaming(
            port,
            "GET /api/v1/sync/live HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n"
                + "Authorization: Bearer \(api.token ?? "")\r\n\r\n"
        ) { try await body($0) }
    }

    @Test("tells the head at once, and after each commit, by headers that keep proxies from holding it back")
    func heads() async throws {
        try await live(TestServer()) { ann, port in
            try await watch(port, ann) { reader in
                let beginning = try await reader.read(until: "\n\n")
                #expect(beginning.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(beginning.contains("Content-Type: text/event-stream\r\n"))
                #expect(beginning.contains("Cache-Control: no-store\r\n"))
                #expect(beginning.contains("X-Accel-Buffering: no\r\n"))
                #expect(beginning.contains("event: head\ndata: {\"epoch\":null,\"head\":0}\n\n"), "\(beginning)")
                _ = try await ann.send(.post, "/event-types", encoding: EventType.sample())
                // A heartbeat may come between: it has no braces.
                #expect(try await reader.read(until: "}\n\n").contains("\"head\":1}\n\n"))
                _ = try await ann.send(.delete, "/event-types/\(id(1))")
                #expect(try await reader.read(until: "}\n\n").contains("\"head\":2}\n\n"))
            }
        }
    }

    @Test("needs a token, and a client that takes an event stream; HEAD gets the head alone")
    func refusals() async throws {
        try await TestServer().test { api in
            #expect(try await api.send(.get, "/sync/live").status == 401)
            let ann = try await api.signedUp("ann@example.org")
            for accept in ["application/json", "text/event-stream;q=0, text/html", "image/*"] {
                let answer = try await ann.send(.get, "/sync/live", headers: ["Accept": accept])
                #expect(answer.status == 406 && answer.problem().detail?.contains("text/event-stream") == true)
            }
            for accept in ["*/*", "text/*;q=0.5", "application/json, text/event-stream"] {
                let answer = try await ann.send(.head, "/sync/live", headers: ["Accept": accept])
                #expect(answer.status == 200 && answer.body.isEmpty)
                #expect(answer.header("Content-Type") == "text/event-stream")
            }
            #expect(try await ann.send(.post, "/sync/live").status == 405)
        }
    }

    @Test("counts as one request, and ends neither a connection's time nor its stream while nothing happens")
    func timeouts() async throws {
        let server = try TestServer(
            limits: ServerLimits(requestsPerMinute: 4, signInsPerMinute: nil),
            timeouts: ServerTimeouts(reading: 0.2, keepAlive: 0.2))
        try await live(server) { ann, port in
            try await watch(port, ann) { reader in
                _ = try await reader.read(until: "\n\n")
                // More than both of the timeouts, told by requests that take their time.
                try await RawConnection.silence(port)
                try await RawConnection.silence(port)
                for number in 1...3 {
                    let type = try WireCoding.encode(EventType.sample(UInt64(number), name: "\(number)"))
                    let written = try await Self.once(
                        port, ann, "POST /api/v1/event-types", String(decoding: type, as: UTF8.self))
                    #expect(written.hasPrefix("HTTP/1.1 201 "))
                    #expect(try await reader.read(until: "}\n\n").contains("\"head\":\(number)}"))
                }
            }
            #expect(try await Self.once(port, ann, "GET /api/v1/me/sync").hasPrefix("HTTP/1.1 429 "))
        }
    }

    /// A request on a connection of its own.
    private static func once(_ port: Int, _ api: API, _ line: String, _ body: String = "") async throws -> String {
        try await RawConnection.exchange(
            port,
            """
            \(line) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(api.token ?? "")\r\nConnection: close\r\n\
            Content-Length: \(body.utf8.count)\r\n\r\n\(body)
            """)
    }

    @Test("ends with the server, which would wait an hour for other requests")
    func stopping() async throws {
        try await withFolder { folder in
            let server = try makeServer(in: folder, timeouts: ServerTimeouts(shutdown: 3600))
            let (ports, announce) = AsyncStream.makeStream(of: Int.self)
            let running = Task { try await server.runUntilCancelled { announce.yield($0) } }
            var iterator = ports.makeAsyncIterator()
            let port = try #require(await iterator.next())
            let grant = try server.accounts.signUp(
                PasswordCredentials(email: "ann@example.org", password: "correct horse"))
            let client = RawToken(grant.accessToken)
            try await client.watch(port) { reader in
                _ = try await reader.read(until: "\n\n")
                running.cancel()
                await reader.waitForEnd()
                _ = await running.result
            }
        }
    }

    @Test("ends when the session is revoked, or its token ends", arguments: [true, false])
    func revoked(isRevoked: Bool) async throws {
        let server = try TestServer()
        try await live(server) { ann, port in
            try await watch(port, ann) { reader in
                _ = try await reader.read(until: "\n\n")
                let hub = server.server.records.live
                for slot in 0..<LiveHub.heartbeat { hub.beat(slot) }
                #expect(try await reader.read(until: "\n\n").contains(":"))
                if isRevoked {
                    #expect(try await ann.send(.post, "/auth/logout").status == 200)
                } else {
                    server.clock.advance(bySeconds: 3601)
                }
                for slot in 0..<LiveHub.heartbeat { hub.beat(slot) }
                // The last chunk: the connection itself stays.
                _ = try await reader.read(until: "\r\n0\r\n\r\n")
            }
        }
    }

    @Test("is forgotten when its client goes away")
    func goneClient() async throws {
        let server = try TestServer()
        try await live(server) { ann, port in
            try await watch(port, ann) { reader in
                _ = try await reader.read(until: "\n\n")
                #expect(server.server.records.live.watchCount == 1)
            }
            // The server learns of it when the connection is closed, which another request does not wait for.
            while server.server.records.live.watchCount > 0 { _ = try await ann.send(.get, "/health") }
        }
    }
}

/// Watches with a token of its own.
private struct RawToken: Sendable {
    let token: String

    init(_ token: String) { self.token = token }

    func watch<Value: Sendable>(
        _ port: Int, _ body: @escaping @Sendable (ReceivedText) async throws -> Value
    ) async throws -> Value {
        try await RawConnection.streaming(
            port, "GET /api/v1/sync/live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\r\n"
        ) { try await body($0) }
    }
}
