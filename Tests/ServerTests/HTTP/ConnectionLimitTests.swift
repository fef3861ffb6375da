import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import Testing
import TrendyDomain

@testable import TrendyServer

@Suite("More connections than the server can hold", .serialized, .timeLimit(.minutes(5)))
struct ConnectionLimitTests {
    private static func request(_ line: String, _ fields: String...) -> String {
        ([line, "Host: x"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// The status of an answer, and what stands behind its head.
    private static func parts(_ received: String) -> (status: String, head: String, body: String) {
        let parts = received.components(separatedBy: "\r\n\r\n")
        return (String(received.dropFirst("HTTP/1.1 ".count).prefix(3)), parts[0].lowercased(), parts.last ?? "")
    }

    /// The status of an answer on a connection of its own.
    private static func status(_ port: Int) async throws -> String {
        parts(try await RawConnection.exchange(port, request("GET /health HTTP/1.1", "Connection: close"))).status
    }

    /// A server for two connections, both of which are in use: by the client of the test, and by the channel.
    private func withFullServer(
        _ log: RecordingLog = RecordingLog(), _ body: @escaping @Sendable (Int, any Channel) async throws -> Void
    ) async throws {
        try await TestServer(connections: 2, logger: log.logger).test(.live) { api in
            let port = try #require(api.client.port)
            #expect(try await api.send(.get, "/health").status == 200)
            // Answered, it is certainly one of the two.
            let other = try await RawConnection.keeping(port, Self.request("GET /health HTTP/1.1"))
            try await body(port, other)
            try? await other.close()
        }
    }

    @Test("get a 503 that says when to come again, and are closed")
    func refused() async throws {
        let log = RecordingLog()
        try await withFullServer(log) { port, _ in
            for (line, fields) in [
                ("GET /health HTTP/1.1", []), ("POST /api/v1/events HTTP/1.1", ["Content-Length: 2"]),
            ] {
                let request = Self.request(line, fields.first ?? "Accept: */*") + (fields.isEmpty ? "" : "{}")
                let answer = Self.parts(try await RawConnection.exchange(port, request))
                #expect(answer.status == "503", "\(answer)")
                for field in [
                    "content-type: application/problem+json", "retry-after: 5", "connection: close", "x-request-id: ",
                ] { #expect(answer.head.contains(field), "\(answer)") }
                let problem = try WireCoding.decode(ProblemDetails.self, from: Data(answer.body.utf8))
                #expect(problem.status == 503 && problem.retryAfter == 5 && problem.action == "retry_later")
                #expect(problem.type == "urn:trendy:error:internal" && problem.requestId != nil)
            }
            let head = Self.parts(try await RawConnection.exchange(port, Self.request("HEAD /health HTTP/1.1")))
            #expect(head.status == "503" && head.body == "", "\(head)")
        }
        #expect(log.messages(.warning).count == 1)
        #expect(log.messages(.error) == [])
    }

    @Test("are closed where they ask for nothing")
    func silent() async throws {
        try await withFullServer { port, _ in
            let received = try await RawConnection.exchange(port, "")
            #expect(received == "")
        }
    }

    @Test("from one address get a 429, and those of a trusted proxy do not count for its address")
    func ofOneAddress() async throws {
        let proxies = ["127.0.0.1", "::1"].compactMap { AddressBlock($0) }
        for trusted in [[], proxies] {
            try await TestServer(connections: 50, perAddress: 2, trustedProxies: trusted).test(.live) { api in
                let port = try #require(api.client.port)
                #expect(try await api.send(.get, "/health").status == 200)
                let other = try await RawConnection.keeping(port, Self.request("GET /health HTTP/1.1"))
                let request = Self.request("GET /health HTTP/1.1", "Connection: close")
                let answer = Self.parts(try await RawConnection.exchange(port, request))
                #expect(answer.status == (trusted.isEmpty ? "429" : "200"), "\(answer)")
                if trusted.isEmpty {
                    #expect(answer.head.contains("retry-after: 5") && answer.head.contains("connection: close"))
                    let problem = try WireCoding.decode(ProblemDetails.self, from: Data(answer.body.utf8))
                    #expect(problem.type == "urn:trendy:error:rate_limit")
                }
                try await other.close()
                var status = ""
                for _ in 0..<1000 where status != "200" { status = try await Self.status(port) }
                #expect(status == "200")
            }
        }
    }

    @Test("from one address that are being refused keep nobody else out")
    func dropped() async throws {
        try await TestServer(connections: 6, perAddress: 1).test(.live) { api in
            let port = try #require(api.client.port)
            #expect(try await api.send(.get, "/health").status == 200)
            // Four wait for their 429; whatever comes then is closed at once.
            for _ in 0..<4 { try await RawConnection.abandon(port, "") }
            var received = "x"
            for _ in 0..<1000 where !received.isEmpty {
                received = try await RawConnection.exchange(port, Self.request("GET /health HTTP/1.1"))
            }
            #expect(received == "")
            #expect(try await api.send(.get, "/health").status == 200)
        }
    }

    @Test("of one address are fewer than there are in all")
    func share() {
        for maximum in [2, 3, 100, 256, 257, 920, 4000, 65_000] {
            let share = ConnectionLimit.usualShare(of: maximum)
            #expect(share >= 1 && share < maximum && share >= maximum / 4)
        }
        #expect(ConnectionLimit.usualShare(of: 1) == 1)
    }

    @Test("are served once there is room again")
    func roomAgain() async throws {
        try await withFullServer { port, other in
            try await other.close()
            var status = ""
            for _ in 0..<1000 where status != "200" { status = try await Self.status(port) }
            #expect(status == "200")
        }
    }

    @Test("are so many that SQLite and the system's libraries can open files still")
    func possible() {
        for openFiles in [0, 64, 128, 256, 1024, 10_240, 65_536] {
            for cores in [1, 2, 64] {
                let served = ConnectionLimit.possible(openFiles: openFiles, cores: cores)
                let all = served + ConnectionLimit.refused(of: served)
                #expect(served >= 1 && all <= max(2, openFiles - 64 - 4 * cores), "\(openFiles), \(cores)")
            }
        }
        #expect(ConnectionLimit.possible(openFiles: 1024, cores: 2) == 920)
    }
}
