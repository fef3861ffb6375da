import Foundation
import Synchronization
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("a kept connection that has died", .serialized, .timeLimit(.minutes(2)))
struct DeadConnectionTests {
    /// Answers the first request of each connection, and ends it with the second, as a server does that has closed it
    /// meanwhile.
    private func dyingServer(_ answer: [ServerStep], end: ServerStep) -> LoopbackServer.Handler {
        let used = ConnectionMemory()
        return { request in used.isFirst(request.connection) ? answer : [end] }
    }

    private static let exchange = SyncRequest(epoch: nil, cursor: nil, limit: 10, mutations: [])
    private static let change = SyncRequest(
        epoch: "e", cursor: "c", limit: 10,
        mutations: [SyncMutation(key: "k", entityType: .event, operation: .delete, entityId: testId(9), base: 4)])
    private static let nothing = #"{"epoch":"e","head":0,"results":[],"changes":[],"cursor":"c","more":false}"#

    @Test("is opened again before anything is reported", arguments: [ServerStep.close, .reset])
    func repeated(_ end: ServerStep) async throws {
        try await withHarness(handler: dyingServer(.json("[]"), end: end)) { harness async throws in
            for _ in 0..<4 { #expect(try await harness.client.getEventTypes().isEmpty) }
            #expect(harness.server.connectionCount > 1)
        }
        try await withHarness(handler: dyingServer(.json(Self.nothing), end: end)) { harness async throws in
            for _ in 0..<4 { #expect(try await harness.client.exchange(Self.exchange).head == 0) }
            #expect(harness.server.connectionCount > 1)
        }
    }

    @Test("is opened again for a creation with a key, which is sent under that key")
    func keyed() async throws {
        try await withHarness(handler: dyingServer(.json(typeJSON(1)), end: .reset)) { harness async throws in
            for number in 0..<2 {
                _ = try await harness.client.createEventTypeWithIdempotency(
                    CreateRequest(makeEventType()), idempotencyKey: "key-\(number)")
            }
            let keys = harness.server.requests.compactMap { $0.headers["idempotency-key"] }
            #expect(keys == ["key-0", "key-1", "key-1"])
        }
    }

    #if os(Linux)
        @Test("is opened again where a router drops what comes over it, and not where a server is slow")
        func vanished() async throws {
            let configuration = TransportConfiguration(idleTimeout: .seconds(6), totalTimeout: .seconds(30))
            let used = ConnectionMemory()
            try await withHarness(transport: configuration) { request in
                used.isFirst(request.connection) ? .json("[]") + [.vanish] : [.close]
            } _: { harness async throws in
                for _ in 0..<2 { #expect(try await harness.client.getEventTypes().isEmpty) }
                #expect(harness.server.connectionCount == 2)
            }
            let slow = TransportConfiguration(idleTimeout: .seconds(1), totalTimeout: .seconds(30))
            try await withHarness(transport: slow) { request in
                used.isFirst(request.connection + 1_000) ? .json("[]") : [.hang]
            } _: { harness async throws in
                _ = try await harness.client.getEventTypes()
                #expect(await apiError { _ = try await harness.client.getEventTypes() } == .timeout)
                #expect(harness.server.requests.count == 2)
            }
        }
    #endif

    @Test(
        "is opened again, and a refusal of the repetition says nothing of a change that may have arrived before",
        arguments: [400, 401, 403, 409, 413, 429], [ServerStep.close, .reset])
    func refused(_ status: Int, _ end: ServerStep) async throws {
        let used = ConnectionMemory()
        try await withHarness { request in
            if !used.isFirst(request.connection) { return [end] }
            return request.connection == 0 ? .json(Self.nothing) : .reply(status, #"{"error":"no"}"#)
        } _: { harness async throws in
            _ = try await harness.client.exchange(Self.exchange)
            let error = await apiError { _ = try await harness.client.exchange(Self.change) }
            #expect(harness.server.requests.map(\.connection) == [0, 0, 1])
            #expect(error?.status == status && error?.provesNoEffect == false, "\(error as Any)")
            #expect(error?.withoutDoubt.provesNoEffect == true)
        }
    }

    @Test("is no doubt about what only asks")
    func refusedQuestion() async throws {
        let used = ConnectionMemory()
        try await withHarness { request in
            if !used.isFirst(request.connection) { return [.reset] }
            return request.connection == 0 ? .json(Self.nothing) : .reply(403, #"{"error":"no"}"#)
        } _: { harness async throws in
            _ = try await harness.client.exchange(Self.exchange)
            let error = await apiError { _ = try await harness.client.exchange(Self.exchange) }
            #expect(error?.problem?.detail == "no" && error?.provesNoEffect == true)
        }
        try await withHarness(handler: { request in
            if !used.isFirst(request.connection + 1_000) { return [.reset] }
            return request.connection == 0 ? .json("[]") : .reply(429)
        }) { harness async throws in
            _ = try await harness.client.getEventTypes()
            #expect(
                await apiError { _ = try await harness.client.getEventTypes() } == .rateLimited(retryAfter: nil))
        }
    }

    @Test(
        "leaves the doubt also where a renewed token is refused, or none is to be had",
        arguments: [
            [ServerStep].reply(400, #"{"error":"no"}"#), .reply(401, #"{"error":"no"}"#), .html(200), [.reset],
            .json(#"{"access_token":"token-2"}"#),
        ])
    func renewedInDoubt(_ renewal: [ServerStep]) async throws {
        let used = ConnectionMemory()
        try await withHarness(refreshToken: "refresh-1") { request in
            if request.target.hasSuffix("refresh") { return renewal }
            if request.headers["authorization"] == "Bearer token-2" { return .reply(403, #"{"error":"no"}"#) }
            if !used.isFirst(request.connection) { return [.reset] }
            return request.connection == 0 ? .json(Self.nothing) : .reply(401, #"{"error":"expired"}"#)
        } _: { harness async throws in
            _ = try await harness.client.exchange(Self.exchange)
            let error = await apiError { _ = try await harness.client.exchange(Self.change) }
            #expect(error?.provesNoEffect == false, "\(error as Any)")
        }
    }

    @Test("is reported as broken where the repetition does not leave: the first may have arrived")
    func notRepeated() async throws {
        let used = ConnectionMemory()
        let servers = Mutex<LoopbackServer?>(nil)
        try await withHarness { request in
            if used.isFirst(request.connection) { return .json(Self.nothing) }
            // Nothing listens any more where the fresh connection goes.
            servers.withLock { $0 }?.stop()
            return [.reset]
        } _: { harness async throws in
            servers.withLock { $0 = harness.server }
            _ = try await harness.client.exchange(Self.exchange)
            let error = await apiError { _ = try await harness.client.exchange(Self.change) }
            guard case .connection? = error else {
                Issue.record("\(error as Any)")
                return
            }
            #expect(harness.server.requests.count == 2)
            servers.withLock { $0 = nil }
        }
    }

    @Test("is not opened again where the server may have begun to answer")
    func halfAnswered() async throws {
        let used = ConnectionMemory()
        try await withHarness { request in
            used.isFirst(request.connection) ? .json("[]") : .raw("HTTP/1.1 200 OK\r\nContent-Le") + [.reset]
        } _: { harness async throws in
            _ = try await harness.client.getEventTypes()
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(error?.isConnection == true, "\(String(describing: error))")
            #expect(harness.server.requests.count == 2)
        }
    }

    @Test("a fresh connection that breaks is reported, and nothing is sent twice")
    func fresh() async throws {
        try await withHarness { _ in
            [.reset]
        } _: { harness async throws in
            #expect(await apiError { _ = try await harness.client.getEventTypes() }?.isConnection == true)
            #expect(harness.server.requests.count == 1)
        }
    }

    @Test("a request is sent twice at most, whatever becomes of it")
    func twice() async throws {
        try await withHarness { request in
            request.target.hasSuffix("geofences") ? [.reset] : .json("[]")
        } _: { harness async throws in
            _ = try await harness.client.getEventTypes()
            #expect(
                await apiError { _ = try await harness.client.getGeofences(activeOnly: false) }?.isConnection == true)
            #expect(harness.server.requests("/api/v1/geofences").count == 2)
        }
    }

    @Test("a live stream is opened again where the kept connection has died")
    func stream() async throws {
        let used = ConnectionMemory()
        let body = "event: head\ndata: {\"epoch\":\"e\",\"head\":1}\n\n"
        let whole = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        try await withHarness { request in
            used.isFirst(request.connection) ? .raw(whole + body) : [.reset]
        } _: { harness async throws in
            for _ in 0..<3 { try await harness.client.watchHeads { _ in } }
            #expect(harness.server.connectionCount == 3)
        }
    }
}

/// Which connections had a request already.
private final class ConnectionMemory: Sendable {
    private let seen = Mutex<Set<Int>>([])

    func isFirst(_ connection: Int) -> Bool { seen.withLock { $0.insert(connection).inserted } }
}
