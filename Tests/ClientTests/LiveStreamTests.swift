import Foundation
import Synchronization
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("the stream that tells when there is something to sync", .timeLimit(.minutes(2)))
struct LiveStreamTests {
    /// What was heard, in order.
    private final class Heard: Sendable {
        private let heard = Mutex<[LiveSignal]>([])
        private let stream = AsyncStream.makeStream(of: LiveSignal.self)

        var signals: [LiveSignal] { heard.withLock { $0 } }

        func take(_ signal: LiveSignal) {
            heard.withLock { $0.append(signal) }
            stream.continuation.yield(signal)
        }

        /// Waits for so many signals from the beginning.
        func wait(for count: Int) async {
            var iterator = stream.stream.makeAsyncIterator()
            for _ in 0..<count { _ = await iterator.next() }
        }
    }

    private static func opening(_ body: String, type: String = "text/event-stream; charset=utf-8") -> ServerStep {
        .send(Data("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n\(body)".utf8))
    }

    private static func event(_ head: Int64) -> String { "event: head\ndata: {\"epoch\":\"e\",\"head\":\(head)}\n\n" }

    @Test("hands heads and heartbeats over as they come, and ends with the server")
    func heads() async throws {
        let gate = Gate()
        let body = Self.event(1) + ":\n\nevent: news\ndata: {}\n\nevent: head\ndata: what\n\n"
        try await withHarness { _ in
            [
                Self.opening(body), .wait(gate), .send(Data(Self.event(2).utf8)),
                .send(Data("event: head\ndata: {\"epoch\":null,\"head\":0}\n\nevent: head\ndata: {".utf8)), .close,
            ]
        } _: { harness async throws in
            let heard = Heard()
            async let end: Void = harness.client.watchHeads { heard.take($0) }
            await heard.wait(for: 5)
            let first: [LiveSignal] = [
                .opened, .head(ServerHead(epoch: "e", head: 1)), .heartbeat, .heartbeat, .heartbeat,
            ]
            #expect(heard.signals == first)
            gate.open()
            try await end
            #expect(heard.signals == first + [.head(ServerHead(epoch: "e", head: 2)), .head(ServerHead())])
            let sent = try #require(harness.server.requests.first)
            #expect(harness.server.requests.count == 1 && "\(sent.method) \(sent.target)" == "GET /api/v1/sync/live")
            #expect(sent.headers["accept"]?.hasPrefix("text/event-stream") == true)
            #expect(sent.headers["authorization"] == "Bearer token-1")
        }
    }

    @Test("may be silent for longer than a request may, and ends when its task is cancelled")
    func silence() async throws {
        let gate = Gate()
        let hasty = TransportConfiguration(idleTimeout: .milliseconds(300), totalTimeout: .milliseconds(1_500))
        try await withHarness(transport: hasty) { request in
            if request.target.hasSuffix("/live") {
                return [Self.opening(Self.event(1)), .wait(gate), .send(Data(Self.event(2).utf8)), .hang]
            }
            // It takes as long as the client waits for any other answer.
            return [.hang]
        } _: { harness async throws in
            let heard = Heard()
            let watch = Task { try await harness.client.watchHeads { heard.take($0) } }
            await heard.wait(for: 2)
            for _ in 0..<6 { #expect(await apiError { try await harness.client.checkHealth() } == .timeout) }
            gate.open()
            await heard.wait(for: 1)
            #expect(heard.signals.last == .head(ServerHead(epoch: "e", head: 2)))
            watch.cancel()
            #expect(await apiError { try await watch.value } == .cancelled)
        }
    }

    @Test("says so where there is no such route, or something else answers")
    func noRoute() async throws {
        for (steps, status) in [
            ([ServerStep].problem(404, #"{"status":404,"detail":"no"}"#), 404), (.problem(405, "{}"), 405),
            (.problem(503, "{}", headers: ["Retry-After": "7"]), 503),
            (.problem(429, "{}", headers: ["Retry-After": "7"]), 429),
        ] {
            try await withHarness { _ in
                steps
            } _: { harness async throws in
                let heard = Heard()
                let error = await apiError { try await harness.client.watchHeads { heard.take($0) } }
                #expect(error?.status == status && heard.signals == [])
                if status == 503 { #expect(error?.problem?.retryAfter == 7) }
                if status == 429 { #expect(error == .rateLimited(retryAfter: 7)) }
            }
        }
        for steps in [[ServerStep].html(200), .json("{}"), .html(302)] {
            try await withHarness { _ in
                steps
            } _: { harness async throws in
                let heard = Heard()
                let error = await apiError { try await harness.client.watchHeads { heard.take($0) } }
                #expect(error?.isNotAServer == true && heard.signals == [], "\(String(describing: error))")
            }
        }
        var routes = RouteTable.trendy
        routes.livePath = nil
        try await withHarness(routes: routes) { _ in
            .json("{}")
        } _: { harness async throws in
            #expect(await apiError { try await harness.client.watchHeads { _ in } } == .noLive)
            #expect(harness.server.requests.isEmpty)
        }
    }

    @Test("is given up where a line has no end, and where the connection breaks")
    func broken() async throws {
        try await withHarness { request in
            [Self.opening(Self.event(1)), .flood(Data(repeating: UInt8(ascii: "x"), count: 1000))]
        } _: { harness async throws in
            let error = await apiError { try await harness.client.watchHeads { _ in } }
            #expect(error?.isMalformed == true)
        }
        try await withHarness { request in
            .raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99\r\n\r\n:\n\n") + [.reset]
        } _: { harness async throws in
            let error = await apiError { try await harness.client.watchHeads { _ in } }
            #expect(error?.isConnection == true, "\(String(describing: error))")
        }
    }

    @Test("renews the token once where it is refused")
    func renewal() async throws {
        try await withHarness(refreshToken: "refresh-1") { request in
            if request.target.hasSuffix("/refresh") {
                return .json(#"{"access_token":"token-2","refresh_token":"refresh-2"}"#)
            }
            guard request.headers["authorization"] == "Bearer token-2" else {
                return .problem(401, #"{"status":401,"detail":"expired"}"#)
            }
            return [Self.opening(Self.event(3)), .close]
        } _: { harness async throws in
            let heard = Heard()
            try await harness.client.watchHeads { heard.take($0) }
            #expect(heard.signals == [.opened, .head(ServerHead(epoch: "e", head: 3))])
            #expect(harness.server.requests.map(\.target).filter { $0.hasSuffix("/live") }.count == 2)
        }
    }
}
