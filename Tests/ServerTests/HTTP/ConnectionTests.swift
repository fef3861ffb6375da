import Foundation
import HummingbirdTesting
import Logging
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("A connection", .serialized, .timeLimit(.minutes(5)))
struct ConnectionTests {
    private func live(
        _ timeouts: ServerTimeouts = ServerTimeouts(), log: RecordingLog = RecordingLog(),
        _ body: @escaping @Sendable (Int, _ token: String) async throws -> Void
    ) async throws {
        try await TestServer(timeouts: timeouts, logger: log.logger).test(.live) { api in
            let ann = try await api.signedUp("ann@example.org")
            try await body(try #require(api.client.port), try #require(ann.token))
        }
    }

    private static func head(_ line: String, _ token: String, _ fields: String...) -> String {
        ([line, "Host: x", "Authorization: Bearer \(token)"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// The status lines of all answers in what was received.
    private static func statuses(_ received: String) -> [String] {
        received.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
    }

    @Test("whose body is broken or cut off gets at most a 400, and nothing is logged as an error")
    func brokenBodies() async throws {
        let log = RecordingLog()
        try await live(log: log) { port, token in
            for path in ["/api/v1/events", "/api/v1/events/batch", "/api/v1/auth/login"] {
                let chunked = Self.head("POST \(path) HTTP/1.1", token, "Transfer-Encoding: chunked")
                let broken = try await RawConnection.exchange(port, chunked + "ZZ\r\nxx\r\n")
                #expect([[], ["400"]].contains(Self.statuses(broken)), "\(broken)")
                let counted = Self.head("POST \(path) HTTP/1.1", token, "Content-Length: 100")
                let cut = try await RawConnection.exchange(port, counted + "{", endsInput: true)
                #expect([[], ["400"]].contains(Self.statuses(cut)), "\(cut)")
            }
        }
        #expect(log.messages(.error) == [])
    }

    @Test("gets no body after the head of an answer to HEAD")
    func headRequests() async throws {
        try await live { port, token in
            for (path, status) in [
                ("/health", "200"), ("/api/v1/events", "200"), ("/api/v1/events/\(id(1))", "404"), ("/nothing", "404"),
                ("/api/v1/auth/login", "405"),
            ] {
                let received = try await RawConnection.exchange(
                    port,
                    Self.head("HEAD \(path) HTTP/1.1", token)
                        + Self.head("GET /health HTTP/1.1", token, "Connection: close"))
                #expect(Self.statuses(received) == [status, "200"], "\(received)")
                let first = received.components(separatedBy: "\r\n\r\n")
                #expect(first.count == 3 && first[1].hasPrefix("HTTP/1.1 200"), "\(received)")
            }
        }
    }

    @Test("is closed after the answer where the client wants that or speaks HTTP/1.0")
    func lastAnswer() async throws {
        try await live { port, token in
            for request in [
                Self.head("GET /health HTTP/1.0", token), Self.head("GET /health HTTP/1.1", token, "connection: Close"),
            ] {
                let received = try await RawConnection.exchange(port, request)
                #expect(Self.statuses(received) == ["200"])
                #expect(received.lowercased().contains("connection: close\r\n"))
            }
        }
    }

    @Test("on which too much is announced is closed after the 413")
    func tooLarge() async throws {
        try await live { port, token in
            let received = try await RawConnection.exchange(
                port, Self.head("POST /api/v1/events HTTP/1.1", token, "Content-Length: 9999999999") + "{")
            #expect(Self.statuses(received) == ["413"])
        }
    }

    @Test("on which nothing comes is closed after a while")
    func silence() async throws {
        try await live(ServerTimeouts(reading: 0.2, keepAlive: 0.3)) { port, token in
            #expect(try await RawConnection.exchange(port, "") == "")
            #expect(try await RawConnection.exchange(port, "GET /hea") == "")
            let stalled = Self.head("POST /api/v1/events HTTP/1.1", token, "Content-Length: 100") + "{"
            let ended = try await RawConnection.exchange(port, stalled)
            #expect([[], ["400"]].contains(Self.statuses(ended)), "\(ended)")
            let idle = try await RawConnection.exchange(port, Self.head("GET /health HTTP/1.1", token))
            #expect(Self.statuses(idle) == ["200"])
        }
    }

    @Test("that stalls does not keep the server from stopping")
    func shutdown() async throws {
        try await live(ServerTimeouts(reading: 3600, keepAlive: 3600, shutdown: 0.2)) { port, token in
            try await RawConnection.abandon(port, "")
            try await RawConnection.abandon(port, "GET /hea")
            try await RawConnection.abandon(
                port, Self.head("POST /api/v1/events HTTP/1.1", token, "Content-Length: 100") + "{")
        }
    }

    @Test("takes TRACE for a method that no route has")
    func trace() async throws {
        try await live { port, token in
            let received = try await RawConnection.exchange(
                port, Self.head("TRACE /health HTTP/1.1", token, "Connection: close"))
            #expect(Self.statuses(received) == ["405"])
        }
    }
}
