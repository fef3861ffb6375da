import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("What is no HTTP request", .serialized, .timeLimit(.minutes(5)))
struct FramingTests {
    private struct Received {
        let statuses: [String]
        /// The head and the body of the last answer.
        let head: String
        let body: String

        init(_ text: String) {
            statuses = text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
            let last = text.components(separatedBy: "HTTP/1.1 ").last ?? ""
            let parts = last.components(separatedBy: "\r\n\r\n")
            (head, body) = (parts[0].lowercased(), parts.count > 1 ? parts[1] : "")
        }
    }

    private static let good = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test(
        "is answered as a problem, and the connection is closed",
        arguments: [
            ("NONSENSE\r\n\r\n", "400"), ("GET / HTTP/9.9\r\n\r\n", "400"), ("GET  HTTP/1.1\r\n\r\n", "400"),
            ("\u{16}\u{03}\u{01}\u{02}", "400"), ("GET /health HTTP/1.1\r\nBad Header: x\r\n\r\n", "400"),
            ("POST /x HTTP/1.1\r\nContent-Length: many\r\n\r\n", "400"),
            ("POST /x HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400"),
            ("POST /x HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n", "400"),
            ("POST /x HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"),
            ("GET /health HTTP/1.1\r\nX: \(String(repeating: "x", count: 100_000))\r\n\r\n", "431"),
            ("GET /\(String(repeating: "x", count: 100_000)) HTTP/1.1\r\n\r\n", "431"),
        ])
    func answered(bytes: String, status: String) async throws {
        let log = RecordingLog()
        try await TestServer(logger: log.logger).test(.live) { api in
            let port = try #require(api.client.port)
            for before in ["", Self.good] {
                let received = Received(try await RawConnection.exchange(port, before + bytes))
                #expect(received.statuses == (before.isEmpty ? [] : ["200"]) + [status], "\(received)")
                for field in [
                    "content-type: application/problem+json", "connection: close", "x-request-id: ",
                    "cache-control: no-store",
                ] { #expect(received.head.contains(field), "\(received)") }
                let problem = try WireCoding.decode(ProblemDetails.self, from: Data(received.body.utf8))
                #expect(problem.type == "urn:trendy:error:bad_request" && problem.status.map(String.init) == status)
                #expect(received.head.contains((problem.requestId ?? "?").lowercased()))
            }
        }
        #expect(log.messages(.error) == [])
    }

    @Test("in a body is answered too")
    func body() async throws {
        try await TestServer().test(.live) { api in
            let ann = try await api.signedUp("ann@example.org")
            let (port, token) = (try #require(api.client.port), try #require(ann.token))
            for chunk in ["ZZ\r\nxx\r\n", "-1\r\n", "FFFFFFFFFFFFFFFFFF\r\n"] {
                let text =
                    "POST /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n" + chunk
                let received = Received(try await RawConnection.exchange(port, text))
                #expect(received.statuses == ["400"], "\(received)")
                #expect(
                    received.head.contains("application/problem+json") && received.head.contains("connection: close"))
            }
        }
    }
}

@Suite("A request that expects 100 Continue", .serialized, .timeLimit(.minutes(5)))
struct ContinueTests {
    private static func head(_ token: String, _ length: Int, _ path: String = "event-types") -> String {
        "POST /api/v1/\(path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\nExpect: 100-Continue\r\n"
            + "Content-Length: \(length)\r\n\r\n"
    }

    @Test("is told to go on before it has sent its body")
    func goesOn() async throws {
        try await TestServer().test(.live) { api in
            let ann = try await api.signedUp("ann@example.org")
            let (port, token) = (try #require(api.client.port), try #require(ann.token))
            let body = String(decoding: try WireCoding.encode(EventType.sample()), as: UTF8.self)
            let first = try await RawConnection.streaming(port, Self.head(token, body.utf8.count)) { received in
                try await received.read(until: "\r\n\r\n")
            }
            #expect(first.hasPrefix("HTTP/1.1 100 Continue\r\n"), "\(first)")
            #expect(!first.lowercased().contains("transfer-encoding"))
            let whole = try await RawConnection.exchange(
                port, Self.head(token, body.utf8.count).replacing("Host", with: "Connection: close\r\nHost") + body)
            #expect(whole.contains("HTTP/1.1 201"), "\(whole)")
        }
    }

    @Test("gets its answer at once where the head decides it, and the connection is closed")
    func decided() async throws {
        try await TestServer().test(.live) { api in
            let ann = try await api.signedUp("ann@example.org")
            let (port, token) = (try #require(api.client.port), try #require(ann.token))
            for (head, status) in [
                (Self.head(token, 2 << 20), "413"), (Self.head("wrong", 100), "401"),
                (Self.head(token, 100, "nothing"), "404"),
            ] {
                let received = try await RawConnection.exchange(port, head)
                #expect(received.hasPrefix("HTTP/1.1 \(status)"), "\(received)")
                #expect(received.lowercased().contains("connection: close\r\n"))
            }
        }
    }
}

@Suite("Answers")
struct CachingTests {
    @Test("are kept by nobody on the way")
    func noStore() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            let login = #"{"email":"ann@example.org","password":"correct horse"}"#
            let session = try await api.send(.post, "/auth/login", login)
            let refresh = #"{"refresh_token":"\#(session["refresh_token"].stringValue ?? "")"}"#
            for answer in [
                session, try await api.send(.post, "/auth/refresh", refresh), try await ann.send(.get, "/auth/me"),
                try await ann.send(.get, "/events"), try await ann.send(.get, "/changes"),
                try await ann.send(.get, "/events/\(id(1))"), try await ann.send(.get, "/me/sync"),
                try await ann.send(.post, "/sync", "{}"), try await api.send(.get, "/events"),
                try await ann.send(.post, "/event-types", encoding: EventType.sample()),
            ] { #expect(answer.header("Cache-Control") == "no-store", "\(answer.status)") }
        }
    }
}
