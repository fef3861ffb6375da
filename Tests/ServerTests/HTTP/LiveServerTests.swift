import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A running server", .serialized)
struct LiveServerTests {
    @Test("answers over a real socket, many requests on one connection")
    func liveRequests() async throws {
        try await TestServer().test(.live) { api in
            let ann = try await api.signedUp("ann@example.org")
            _ = try await ann.send(.post, "/event-types", encoding: EventType.sample())
            let events = (2...300).map { Event.sample($0, notes: String(repeating: "n", count: 1000)) }
            #expect(try await ann.send(.post, "/events/batch", encoding: ["events": events]).status == 201)
            #expect(try await ann.send(.get, "/events?limit=1000").array.count == 299)
            let missing = try await ann.send(.get, "/nothing")
            #expect(missing.status == 404 && missing.problem().type == "urn:trendy:error:not_found")
            #expect(try await ann.send(.delete, "/event-types/\(id(1))").status == 204)
            #expect(try await ann.send(.get, "/events").array == [])
        }
    }

    @Test("stops when its task is cancelled, and has everything when it starts again")
    func restart() async throws {
        try await withFolder { folder in
            let body = #"{"email":"ann@example.org","password":"correct horse"}"#
            let first = try await whileRunning(try makeServer(in: folder)) { port in
                try await post(port, "/api/v1/auth/signup", body)
            }
            #expect(first == 201)
            let again = try await whileRunning(try makeServer(in: folder)) { port in
                try await post(port, "/api/v1/auth/login", body)
            }
            #expect(again == 200)
        }
    }

    @Test("ends without complaint when its task is cancelled, also with a connection open")
    func quietEnd() async throws {
        try await withFolder { folder in
            let log = RecordingLog()
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            _ = try await whileRunning(try makeServer(in: folder, logger: log.logger)) { port in
                try await session.data(from: try #require(URL(string: "http://127.0.0.1:\(port)/health")))
            }
            #expect(!log.messages(.info).isEmpty)
            #expect(log.messages(.error) == [])
            #expect(log.messages(.warning) == [])
        }
    }

    @Test("says that its port is in use")
    func portInUse() async throws {
        try await withFolder { folder in
            try await whileRunning(try makeServer(in: folder.appending(path: "a"))) { port in
                let second = try makeServer(in: folder.appending(path: "b"), port: port)
                await #expect(throws: ServerStartError.addressInUse(host: "127.0.0.1", port: port)) {
                    try await second.runUntilCancelled()
                }
            }
        }
    }

    @Test("says that it cannot listen at a host that is none", arguments: ["999.1.1.1", ""])
    func noSuchHost(host: String) async throws {
        try await withFolder { folder in
            let server = try makeServer(in: folder, host: host)
            do {
                try await server.runUntilCancelled()
                Issue.record("it listens")
            } catch let error as ServerStartError {
                guard case .cannotListen(host, 0, let reason) = error else { throw error }
                #expect(reason.contains("host"))
            }
        }
    }

    /// Runs a server on a free port for as long as the body takes, and waits until it has stopped.
    private func whileRunning<Value: Sendable>(
        _ server: TrendyHTTPServer, _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> Value {
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        let running = Task {
            defer { announce.finish() }
            try await server.runUntilCancelled { announce.yield($0) }
        }
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        let result = await Task { try await body(port) }.result
        running.cancel()
        try await running.value
        return try result.get()
    }

    private func post(_ port: Int, _ path: String, _ body: String) async throws -> Int {
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        return (try await session.data(for: request).1 as? HTTPURLResponse)?.statusCode ?? 0
    }
}
