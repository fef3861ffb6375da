import Foundation
import Synchronization
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("what a hostile or broken server sends", .serialized)
struct HostileServerTests {
    @Test(
        "a captive portal's page with status 200 is no server",
        arguments: ["list", "create", "delete", "health", "changes"])
    func portal(_ operation: String) async throws {
        try await withHarness { _ in
            .html(200)
        } _: { harness async throws in
            let client = harness.client
            let error = await apiError {
                switch operation {
                case "list": _ = try await client.getEventTypes()
                case "create": _ = try await client.createEventType(CreateRequest(makeEventType()))
                case "delete": try await client.deleteEventType(id: testId(1))
                case "health": try await client.checkHealth()
                default: _ = try await client.getChanges(since: 0, limit: 10)
                }
            }
            #expect(error?.isNotAServer == true, "\(String(describing: error))")
        }
    }

    @Test("a web page that refuses blames no record, but a gateway's 413 and 502 and a portal's 511 are believed")
    func refusingPages() async throws {
        try await withHarness { request in
            .html(Int(request.target.suffix(3))!)
        } _: { harness async throws in
            for (status, isForeign) in [(403, true), (404, true), (413, false), (502, false)] {
                let error = await apiError { _ = try await harness.client.get(EventType.self, id: "\(status)") }
                #expect(error?.isNotAServer == isForeign, "\(status): \(String(describing: error))")
                if !isForeign { #expect(error?.status == status) }
            }
            for status in [407, 511] {
                let error = await apiError { _ = try await harness.client.get(EventType.self, id: "\(status)") }
                #expect(error == .notSent("the network asks for a sign-in of its own (status \(status))"))
            }
        }
    }

    @Test("a wrong or missing content type is named", arguments: ["text/plain", "image/png", nil])
    func contentTypes(_ type: String?) async throws {
        try await withHarness { _ in
            .reply(200, "[]", type: type)
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(error?.isMalformed == true)
            #expect(error?.description.contains("200") == true)
        }
    }

    @Test(
        "invalid JSON, an empty body and another shape make no sense, and nothing more",
        arguments: [
            "{", "", "nonsense", "{\"a\":1}", "[1,2", "\u{0}", "\"text\"", "null",
        ])
    func malformed(_ body: String) async throws {
        try await withHarness { _ in
            .json(body)
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(error?.isMalformed == true, "\(String(describing: error))")
            #expect(error?.description.contains("GET /api/v1/event-types") == true)
        }
    }

    @Test("a deletion counts as answered by nothing or by JSON, not by a part of it", arguments: ["{", "[1,2", "gone"])
    func malformedDeletion(_ body: String) async throws {
        try await withHarness { request in
            .json(request.target.hasSuffix(testId(1)) ? body : "{\"deleted\":true}")
        } _: { harness async throws in
            let error = await apiError { try await harness.client.deleteEventType(id: testId(1)) }
            #expect(error?.isMalformed == true, "\(String(describing: error))")
            try await harness.client.deleteEventType(id: testId(2))
        }
    }

    @Test("deep nesting is refused without a crash")
    func deepNesting() async throws {
        let body = String(repeating: "[", count: 100_000)
        try await withHarness { _ in
            .json(body)
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(error?.isMalformed == true)
        }
    }

    @Test("a body shorter than announced is a broken connection, even where it is valid JSON so far")
    func truncated() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n[]"
        try await withHarness { _ in
            .raw(head) + [.close]
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(error?.isConnection == true, "\(String(describing: error))")
        }
    }

    @Test("a chunked body that breaks off is a broken connection")
    func truncatedChunks() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n"
        try await withHarness { _ in
            .raw(head) + [.close]
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(error?.isConnection == true, "\(String(describing: error))")
        }
    }

    @Test("a reset before the answer, or amid it, is a broken connection")
    func resets() async throws {
        try await withHarness { request in
            request.target.hasSuffix("event-types")
                ? [.reset]
                : .raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[") + [.reset]
        } _: { harness async throws in
            let before = await apiError { _ = try await harness.client.getEventTypes() }
            let amid = await apiError { _ = try await harness.client.getGeofences(activeOnly: false) }
            #expect(before?.isConnection == true, "\(String(describing: before))")
            #expect(amid?.isConnection == true, "\(String(describing: amid))")
        }
    }

    @Test("a POST is sent once, whatever becomes of it")
    func noRetries() async throws {
        try await withHarness { _ in
            [.reset]
        } _: { harness async throws in
            _ = await apiError { _ = try await harness.client.createEventType(CreateRequest(makeEventType())) }
            #expect(harness.server.requests.count == 1)
        }
    }

    @Test("nothing that listens is a connection error that says so")
    func refused() async throws {
        let address = try ServerAddress(parse: "http://127.0.0.1:\(unusedPort())")
        let client = APIClient(server: address, credentials: InMemoryCredentialStore())
        let error = await apiError { try await client.checkHealth() }
        #expect(error == .notSent("nothing answers at that address"))
    }

    @Test("bytes that are no HTTP end in an error")
    func noHTTP() async throws {
        let configuration = TransportConfiguration(idleTimeout: .milliseconds(500), totalTimeout: .seconds(2))
        try await withHarness(transport: configuration) { _ in
            .raw("SSH-2.0-OpenSSH_9.9\r\n") + [.close]
        } _: {
            harness async throws in
            #expect(await apiError { try await harness.client.checkHealth() } != nil)
        }
    }

    @Test("an answer announced as larger than the bound is refused before it is read")
    func announcedGiant() async throws {
        let configuration = TransportConfiguration(maximumResponseBytes: 1_000)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999999999999\r\n\r\n"
        try await withHarness(transport: configuration) { _ in
            .raw(head) + [.flood(Data(count: 1_000))]
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(error == .answerTooLarge(limit: 1_000))
        }
    }

    @Test("an endless answer is cut off at the bound")
    func endless() async throws {
        let configuration = TransportConfiguration(maximumResponseBytes: 1 << 20)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
        try await withHarness(transport: configuration) { _ in
            .raw(head) + [.flood(Data(count: 65_536))]
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(error == .answerTooLarge(limit: 1 << 20))
            #expect(harness.server.floodedBytes.withLock { $0 } < 256 << 20)
        }
    }

    @Test("a redirect is not followed, and no token goes to the other host", arguments: [301, 302, 303, 307, 308])
    func redirects(_ status: Int) async throws {
        let other = try LoopbackServer { _ in .json("[]") }
        defer { other.stop() }
        let target = "http://localhost:\(other.port)/api/v1/event-types"
        try await withHarness { _ in
            .reply(status, "", headers: ["Location": target])
        } _: { harness async throws in
            let read = await apiError { _ = try await harness.client.getEventTypes() }
            let write = await apiError { _ = try await harness.client.createEventType(CreateRequest(makeEventType())) }
            let health = await apiError { try await harness.client.checkHealth() }
            for error in [read, write, health] {
                #expect(error?.isNotAServer == true, "\(String(describing: error))")
                #expect(error?.description.contains("points to \(target);") == true)
                #expect(error?.provesNoEffect == (status != 303))
            }
            // The target has the path of these two requests: what is before it is the server.
            for error in [read, write] {
                let advice = "sign in at http://localhost:\(other.port)"
                #expect(error?.description.hasSuffix(advice) == true, "\(String(describing: error))")
            }
            #expect(health?.description.hasSuffix("sign in there") == true)
            #expect(other.requests.isEmpty)
        }
    }

    @Test("a redirect to a path is told with the whole address")
    func relativeRedirect() async throws {
        try await withHarness { _ in
            .reply(302, "", headers: ["Location": "/sign-in?next=x"])
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(error?.description.contains("points to \(harness.server.url)/sign-in?next=x;") == true)
        }
    }

    @Test(
        "silence ends in a timeout",
        arguments: [[ServerStep.hang], .raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n1") + [.hang]])
    func idleTimeout(_ steps: [ServerStep]) async throws {
        let configuration = TransportConfiguration(idleTimeout: .milliseconds(150), totalTimeout: .seconds(20))
        try await withHarness(transport: configuration) { _ in
            steps
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(error == .timeout)
        }
    }

    @Test("an answer that comes drop by drop ends at the limit for the whole")
    func totalTimeout() async throws {
        let configuration = TransportConfiguration(idleTimeout: .seconds(10), totalTimeout: .milliseconds(400))
        let body = Data(
            ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[" + String(repeating: " ", count: 10_000)).utf8)
        try await withHarness(transport: configuration) { _ in
            [.trickle(body, everyMilliseconds: 5)]
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(error == .timeout)
        }
    }

    @Test("a request with less time than the transport allows ends at its own limit")
    func ownLimit() async throws {
        let server = try LoopbackServer { _ in [.hang] }
        defer { server.stop() }
        let url = try #require(URL(string: server.url))
        var request = TransportRequest(method: .get, url: url)
        request.timeLimit = .milliseconds(200)
        let start = ContinuousClock.now
        let error = await apiError { [request] in
            _ = try await standardTransport(configuration: .patient).send(request)
        }
        // Silence alone would end it after a minute.
        #expect(error == .timeout && start.duration(to: .now) < .seconds(50))
    }

    @Test("a cancelled task ends its request at once, and the server sees it go")
    func cancellation() async throws {
        let arrived = AsyncStream.makeStream(of: Void.self)
        try await withHarness { _ in
            arrived.continuation.yield()
            return [.hang]
        } _: { harness async throws in
            let client = harness.client
            let task = Task { await apiError { _ = try await client.getEventTypes() } }
            for await _ in arrived.stream { break }
            task.cancel()
            #expect(await task.value == .cancelled)
        }
    }

    @Test("a task that is cancelled already sends nothing")
    func cancelledBefore() async throws {
        try await withHarness { _ in
            .json("[]")
        } _: { harness async throws in
            let client = harness.client
            let gate = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for await _ in gate.stream { break }
                return await apiError { _ = try await client.getEventTypes() }
            }
            task.cancel()
            gate.continuation.finish()
            #expect(await task.value == .cancelled)
            #expect(harness.server.requests.isEmpty)
        }
    }

    @Test("a request with a body whose used connection breaks is not sent again, and fails at once")
    func brokenUsedConnection() async throws {
        try await withHarness { request in
            request.method == "GET" ? .json("[]") : [.reset]
        } _: {
            harness async throws in
            _ = try await harness.client.getEventTypes()
            let error = await apiError {
                _ = try await harness.client.createEventType(CreateRequest(makeEventType()))
            }
            #expect(error?.isConnection == true, "\(String(describing: error))")
            #expect(harness.server.requests.filter { $0.method == "POST" }.count == 1)
        }
    }

    @Test("no head, however odd, ends in anything but an answer or an error", arguments: oddHeads)
    func oddHead(_ text: String) async throws {
        let configuration = TransportConfiguration(idleTimeout: .milliseconds(200), totalTimeout: .seconds(1))
        try await withHarness(transport: configuration) { _ in
            .raw(text) + [.close]
        } _: { harness async throws in
            for _ in 0..<2 {
                _ = await apiError { _ = try await harness.client.getEventTypes() }
                _ = await apiError { _ = try await harness.client.createEventType(CreateRequest(makeEventType())) }
            }
            #expect(!harness.server.requests.isEmpty)
        }
    }
}

private let json = "Content-Type: application/json\r\n"
private let oddHeads = [
    "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nX: y\r\n", "HTTP/1.1 200 OK\r\n\(json)",
    "HTTP/1.1 200 OK\r\n\(json)Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\nTrailer: x\r\n\r\n",
    "", "\r\n", "\r\n\r\n", "HTTP/1.1", "HTTP/1.1 200\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\(json)Content-Length: 2\r\n\r\n[]",
    "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\(json)Content-Length: 2\r\n\r\n[]",
    "HTTP/1.1 000 OK\r\n\(json)Content-Length: 2\r\n\r\n[]", "HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\nxx", "HTTP/1.1 99 X\r\n\r\n", "HTTP/1.1 999999 X\r\n\r\n",
    "HTTP/1.1 -1 X\r\n\r\n", "HTTP/1.1 abc X\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/0.9 200 OK\r\n\r\n[]",
    "HTTP/1.0 200 OK\r\n\(json)\r\n[]", "HTTP/1.1 200 OK\n\(json)\n\n[]", "HTTP/1.1 304 Not Modified\r\n\r\n",
    "HTTP/1.1 200 OK\r\nno colon\r\n\r\n[]", "HTTP/1.1 200 OK\r\n: empty\r\n\r\n[]",
    "HTTP/1.1 200 OK\r\nX: a\r\n folded\r\n\(json)\r\n[]", "HTTP/1.1 200 OK\r\nX: \u{0}\u{1}é\r\n\(json)\r\n[]",
    "HTTP/1.1 200 OK\r\n\(json)Content-Length: -5\r\n\r\n[]", "HTTP/1.1 200 OK\r\n\(json)Content-Length: x\r\n\r\n[]",
    "HTTP/1.1 200 OK\r\n\(json)Content-Length: 2\r\nContent-Length: 3\r\n\r\n[]",
    "HTTP/1.1 200 OK\r\n\(json)Content-Length: 99999999999999999999999\r\n\r\n[]",
    "HTTP/1.1 200 OK\r\n\(json)Content-Length: 2\r\n\r\n[]trailing garbage",
    "HTTP/1.1 200 OK\r\n\(json)Transfer-Encoding: chunked\r\n\r\nzz\r\n[]\r\n",
    "HTTP/1.1 200 OK\r\n\(json)Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n[]",
    "HTTP/1.1 200 OK\r\n\(json)Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n[]",
    "HTTP/1.1 200 OK\r\n\(json)Content-Encoding: br\r\nContent-Length: 2\r\n\r\n[]",
    "HTTP/1.1 200 OK\r\nX: \(String(repeating: "a", count: 300_000))\r\n\r\n[]",
    "HTTP/1.1 200 OK\r\n\(String(repeating: "X: a\r\n", count: 10_000))\r\n[]",
    "HTTP/1.1 302 Found\r\nLocation:\r\n\r\n", "HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n",
    "HTTP/1.1 302 Found\r\nLocation: ?%zz#%\r\n\r\n", "HTTP/1.1 302 Found\r\nLocation: //\r\n\r\n",
    "HTTP/1.1 302 Found\r\nLocation: mailto:x\r\n\r\n", "HTTP/1.1 302 Found\r\nLocation: /\u{e9} b|\r\n\r\n",
    "HTTP/1.1 307 X\r\nLocation: file:///etc/passwd\r\nContent-Length: 4\r\n\r\nbody",
    "HTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 401 X\r\nWWW-Authenticate: Digest nonce=\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 401 X\r\nWWW-Authenticate:\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 407 X\r\nProxy-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 417 X\r\nContent-Length: 0\r\n\r\n", "HTTP/2 200\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP/1.1 200 OK\r\nSet-Cookie: \r\nSet-Cookie: =;=;\r\n\(json)\r\n[]",
]
