import Foundation
import Synchronization
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("tokens")
struct TokenTests {
    private static let renewedTokens = #"{"access_token":"token-2","refresh_token":"refresh-2","user":{"id":"u1"}}"#

    /// Takes token-2 only; renews with refresh-1.
    private static let strict: LoopbackServer.Handler = { request in
        if request.target == "/api/v1/auth/refresh" {
            return request.text == #"{"refresh_token":"refresh-1"}"#
                ? .json(renewedTokens) : .reply(401, #"{"error":"unknown refresh token"}"#)
        }
        return request.headers["authorization"] == "Bearer token-2"
            ? .json("[]") : .reply(401, #"{"error":"token expired"}"#)
    }

    @Test("a refused token is renewed once, the request repeated once, and the new tokens kept")
    func renewal() async throws {
        try await withHarness(refreshToken: "refresh-1", handler: Self.strict) { harness async throws in
            #expect(try await harness.client.getEventTypes().isEmpty)
            #expect(
                harness.server.requests.map(\.target) == [
                    "/api/v1/event-types", "/api/v1/auth/refresh", "/api/v1/event-types",
                ])
            #expect(harness.server.requests[1].headers["authorization"] == nil)
            let kept = try #require(try harness.credentials.load())
            #expect(kept.accessToken == Secret("token-2") && kept.refreshToken == Secret("refresh-2"))
            #expect(kept.email == "ada@example.org" && kept.userId == "u1")
        }
    }

    @Test("twenty requests that are refused at once share one renewal")
    func singleFlight() async throws {
        let gate = Gate()
        let refused = Mutex(0)
        try await withHarness(refreshToken: "refresh-1", transport: TransportConfiguration(connectionsPerHost: 30)) {
            request in
            guard request.headers["authorization"] == "Bearer token-1" else { return Self.strict(request) }
            // Every one of them is refused only when all have come.
            if refused.withLock({
                $0 += 1; return $0
            }) == 20 {
                gate.open()
            }
            return [.wait(gate)] + .reply(401, #"{"error":"token expired"}"#)
        } _: { harness async throws in
            let client = harness.client
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await client.getEventTypes() } }
                try await group.waitForAll()
            }
            #expect(harness.server.requests("/api/v1/auth/refresh").count == 1)
            #expect(harness.server.requests("/api/v1/event-types").count == 40)
        }
    }

    @Test("tokens that another process renewed are used without asking the server for more")
    func renewedElsewhere() async throws {
        let stores = Mutex<InMemoryCredentialStore?>(nil)
        try await withHarness(refreshToken: "refresh-1") { request in
            if request.headers["authorization"] == "Bearer token-1", let store = stores.withLock({ $0 }) {
                var other = try! store.load()!
                other.accessToken = Secret("token-2")
                try! store.save(other)
            }
            return Self.strict(request)
        } _: { harness async throws in
            stores.withLock { $0 = harness.credentials }
            #expect(try await harness.client.getEventTypes().isEmpty)
            #expect(harness.server.requests("/api/v1/auth/refresh").isEmpty)
        }
    }

    @Test(
        "a renewal that the server refuses or fails on means signed out, and the credentials stay as they are",
        arguments: [400, 401, 403, 404, 500, 503])
    func refusedRenewal(_ status: Int) async throws {
        try await withHarness(refreshToken: "refresh-1") { request in
            .reply(request.target.hasSuffix("refresh") ? status : 401, #"{"error":"no"}"#)
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            guard case .unauthorized(_, let mayPass) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            // A route that is not there, and a refusal that is not the protocol's, say nothing of the sign-in.
            #expect(mayPass)
            #expect(error?.description.contains("its sign-in service failed (\(status))") == (status >= 500))
            #expect(harness.server.requests.count == 2)
            #expect(try harness.credentials.load()?.accessToken == Secret("token-1"))
        }
    }

    @Test("a sign-in service that fails and asks for time gets it", arguments: [502, 503])
    func renewalAsksForTime(_ status: Int) async throws {
        try await withHarness(refreshToken: "refresh-1") { request in
            request.target.hasSuffix("refresh")
                ? .reply(status, "{}", headers: ["Retry-After": "40"]) : .reply(401, #"{"error":"no"}"#)
        } _: { harness async throws in
            #expect(await apiError { _ = try await harness.client.getEventTypes() } == .rateLimited(retryAfter: 40))
            #expect(harness.server.requests.count == 2)
        }
    }

    @Test(
        "a web page in place of the route for renewals is an outage, and sends nobody to sign in",
        arguments: [404, 405])
    func pageInPlaceOfRenewal(_ status: Int) async throws {
        try await withHarness(token: Self.token(until: Self.now), refreshToken: "refresh-1") { request in
            request.target.hasSuffix("refresh")
                ? .reply(status, "<html></html>", type: "text/html") : .reply(401, #"{"error":"no"}"#)
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            guard case .unauthorized(let reason, mayPass: true) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.hasPrefix(APIError.signInServiceFailure), "\(reason)")
        }
    }

    @Test(
        "a sign-in has ended where the refusal of the renewal is the protocol's own, or that of OAuth",
        arguments: [
            (401, #"{"type":"urn:trendy:error:unauthorized","title":"Unauthorized","status":401}"#),
            (400, #"{"error":"invalid_grant","error_description":"Invalid Refresh Token"}"#),
            (401, #"{"error":"invalid_grant"}"#),
        ])
    func ended(status: Int, refusal: String) async throws {
        try await withHarness(refreshToken: "refresh-1") { request in
            request.target.hasSuffix("refresh") ? .problem(status, refusal) : .reply(401, #"{"error":"no"}"#)
        } _: { harness async throws in
            #expect(await apiError { _ = try await harness.client.getEventTypes() } == .unauthorized("no"))
        }
    }

    @Test("a server without renewals leaves open whether a sign-in has ended, or its sign-in service is down")
    func withoutRenewal() async throws {
        try await withHarness { _ in
            .problem(401, #"{"type":"urn:trendy:error:unauthorized","detail":"no","status":401}"#)
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(error == .unauthorized("no" + APIError.withoutRenewal, mayPass: true))
        }
    }

    /// A token that says itself when its time is over, in seconds since 1970.
    private static func token(until end: Int) -> String {
        let claims = Data(#"{"sub":"u1?>","exp":\#(end)}"#.utf8).base64EncodedString()
        let parts = ["e30", claims.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""), "x"]
        return parts.joined(separator: ".")
    }

    private static let now = Int(ManualWallClock.defaultStart.milliseconds / 1_000)

    /// How a request ends whose token a server without renewals refuses.
    private func refusal(
        tokenUntil end: Int, refreshToken: String? = "refresh-1", renewal status: Int = 404, date: String? = nil
    ) async throws -> APIError? {
        var error: APIError?
        try await withHarness(token: Self.token(until: end), refreshToken: refreshToken) { request in
            request.target.hasSuffix("refresh")
                ? .reply(status, #"{"error":"none"}"#)
                : .reply(401, #"{"error":"expired"}"#, headers: date.map { ["Date": $0] } ?? [:])
        } _: { harness async throws in
            error = await apiError { _ = try await harness.client.getEventTypes() }
        }
        return error
    }

    @Test("a token that says itself that its time is over ends the sign-in, where it cannot be renewed")
    func overdue() async throws {
        let ended = APIError.unauthorized("expired")
        let open = APIError.unauthorized("expired" + APIError.withoutRenewal, mayPass: true)
        #expect(try await refusal(tokenUntil: Self.now) == ended)
        #expect(try await refusal(tokenUntil: Self.now, refreshToken: nil) == ended)
        #expect(try await refusal(tokenUntil: Self.now + 1) == open)
        // A renewal that fails tells of an outage, in which another sign-in fails as well.
        #expect(try await refusal(tokenUntil: Self.now, renewal: 401) == .unauthorized("expired", mayPass: true))
        // By the server's clock.
        let later = "Thu, 01 Jan 2026 01:00:00 GMT"
        #expect(try await refusal(tokenUntil: Self.now + 1_800, date: later) == ended)
        #expect(try await refusal(tokenUntil: Self.now, date: "Wed, 31 Dec 2025 23:00:00 GMT") == open)
    }

    @Test(
        "a renewal that gives no usable token, or somebody else's, means signed out, and the credentials stay",
        arguments: [
            #"{"access_token":""}"#, #"{"access_token":" "}"#, #"{"access_token":"x\r\nEvil: 1"}"#,
            #"{"access_token":"ü€"}"#, "{}", "[", #"{"access_token":"token-2","user":{"id":"u2"}}"#,
        ])
    func uselessRenewal(_ answer: String) async throws {
        try await withHarness(refreshToken: "refresh-1") { request in
            request.target.hasSuffix("refresh") ? .json(answer) : .reply(401, #"{"error":"no"}"#)
        } _: { harness async throws in
            var mine = try #require(try harness.credentials.load())
            mine.userId = "u1"
            try harness.credentials.save(mine)
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(error?.isUnauthorized == true, "\(String(describing: error))")
            #expect(error?.description.contains("its sign-in service ") == true, "\(String(describing: error))")
            #expect(harness.server.requests.count == 2)
            #expect(try harness.credentials.load() == mine)
        }
    }

    @Test("an empty refresh token does not take the place of the one that works")
    func emptyRefreshToken() async throws {
        try await withHarness(refreshToken: "refresh-1") { request in
            guard request.target.hasSuffix("refresh") else { return Self.strict(request) }
            return .json(#"{"access_token":"token-2","refresh_token":""}"#)
        } _: { harness async throws in
            #expect(try await harness.client.getEventTypes().isEmpty)
            #expect(try harness.credentials.load()?.refreshToken == Secret("refresh-1"))
        }
    }

    @Test("a renewal that fails on the way is that failure, not signed out")
    func brokenRenewal() async throws {
        try await withHarness(refreshToken: "refresh-1") { request in
            request.target.hasSuffix("refresh") ? [.reset] : .reply(401, "{}")
        } _: { harness async throws in
            #expect(await apiError { _ = try await harness.client.getEventTypes() }?.isConnection == true)
        }
    }

    @Test("a renewal without an answer says nothing of the request, which had one")
    func silentRenewal() async throws {
        try await withHarness(
            refreshToken: "refresh-1",
            transport: TransportConfiguration(idleTimeout: .milliseconds(300), totalTimeout: .seconds(60))
        ) { request in
            request.target.hasSuffix("refresh") ? [.hang] : .reply(401, "{}")
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            #expect(error?.isConnection == true, "\(error as Any)")
        }
    }

    @Test("a request that was refused does not go again where the renewal has taken too long, and nothing has arrived")
    func slowRenewal() async throws {
        let stopwatch = ManualClock()
        try await withHarness(refreshToken: "refresh-1", stopwatch: stopwatch) { request in
            if request.target.hasSuffix("refresh") { stopwatch.advance(by: .seconds(90)) }
            return Self.strict(request)
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getEventTypes() }
            guard case .notSent? = error else {
                Issue.record("\(error as Any)")
                return
            }
            #expect(harness.server.requests("/api/v1/event-types").count == 1)
            // The renewed token is not lost.
            #expect(try await harness.client.getEventTypes().isEmpty)
            #expect(harness.server.requests("/api/v1/auth/refresh").count == 1)
        }
    }

    @Test("a request that was refused has what is left of its time when it goes again")
    func timeLeft() async throws {
        let stopwatch = ManualClock()
        let limits = Mutex<[Duration?]>([])
        let server = try LoopbackServer { request in
            stopwatch.advance(by: .seconds(2_000))
            return Self.strict(request)
        }
        defer { server.stop() }
        let address = try ServerAddress(parse: server.url)
        let credentials = InMemoryCredentialStore(
            Credentials(
                server: address, accessToken: Secret("token-1"), refreshToken: Secret("refresh-1"),
                obtainedAt: ManualWallClock.defaultStart))
        let transport = LimitedTransport(transport: standardTransport(configuration: .patient)) { limit in
            limits.withLock { $0.append(limit) }
        }
        let client = APIClient(
            server: address, credentials: credentials, transport: transport, timeLimit: .seconds(7_000),
            stopwatch: stopwatch)
        _ = try await client.getEventTypes()
        // The renewal carries no changes, and has the time of any request.
        #expect(limits.withLock { $0 } == [.seconds(7_000), nil, .seconds(3_000)])
    }

    @Test("a sign-in service that refuses everything is asked twice, not for ever")
    func outage() async throws {
        try await withHarness(refreshToken: "refresh-1") { request in
            request.target.hasSuffix("refresh") ? .json(Self.renewedTokens) : .reply(401, #"{"error":"down"}"#)
        } _: { harness async throws in
            #expect(
                await apiError { _ = try await harness.client.getEventTypes() } == .unauthorized("down", mayPass: true))
            #expect(harness.server.requests.count == 3)
        }
    }

    @Test("nobody signed in sends nothing")
    func signedOut() async throws {
        try await withHarness(token: nil) { _ in
            .json("[]")
        } _: { harness async throws in
            #expect(
                await apiError { _ = try await harness.client.getEventTypes() } == .unauthorized("nobody is signed in"))
            #expect(harness.server.requests.isEmpty)
        }
    }

    @Test("a token is never sent to another server than the one that gave it")
    func otherServer() async throws {
        try await withHarness { _ in
            .json("[]")
        } _: { harness async throws in
            var foreign = try #require(try harness.credentials.load())
            foreign.server = try ServerAddress(parse: "https://other.example.org")
            try harness.credentials.save(foreign)
            #expect(await apiError { _ = try await harness.client.getEventTypes() }?.isUnauthorized == true)
            #expect(harness.server.requests.isEmpty)
        }
    }

    @Test("one who waits for a renewal can be cancelled, and the renewal goes on")
    func cancelledWaiter() async throws {
        let gate = Gate()
        let asked = AsyncStream.makeStream(of: Void.self)
        try await withHarness(refreshToken: "refresh-1") { request in
            guard request.target.hasSuffix("refresh") else { return Self.strict(request) }
            asked.continuation.yield()
            return [.wait(gate)] + Self.strict(request)
        } _: { harness async throws in
            let client = harness.client
            let task = Task { await apiError { _ = try await client.getEventTypes() } }
            for await _ in asked.stream { break }
            task.cancel()
            #expect(await task.value == .cancelled)
            gate.open()
            #expect(try await client.getEventTypes().isEmpty)
            #expect(harness.server.requests("/api/v1/auth/refresh").count == 1)
        }
    }
}

@Suite("accounts")
struct AccountTests {
    private static let answer =
        #"{"access_token":"a","refresh_token":"r","user":{"id":"u9","email":"ada@example.org","created_at":"2026-01-01T00:00:00.123456Z"}}"#

    @Test("signing up and in keeps what the server gives")
    func signIn() async throws {
        try await withHarness(token: nil) { request in
            .reply(request.target.hasSuffix("signup") ? 201 : 200, Self.answer)
        } _: { harness async throws in
            try await harness.client.signup(email: "ada@example.org", password: "pass word")
            try await harness.client.login(email: "ada@example.org", password: "pass word")
            #expect(harness.server.requests.map(\.target) == ["/api/v1/auth/signup", "/api/v1/auth/login"])
            #expect(harness.server.requests[0].text == #"{"email":"ada@example.org","password":"pass word"}"#)
            let kept = try #require(try harness.credentials.load())
            #expect(kept.accessToken.value == "a" && kept.refreshToken?.value == "r")
            #expect(kept.userId == "u9" && kept.server == harness.client.server)
            #expect(kept.obtainedAt == harness.clock.now())
        }
    }

    @Test(
        "a wrong password is unauthorized with the server's words, for certain where the refusal is the protocol's",
        arguments: [true, false])
    func wrongPassword(isOurs: Bool) async throws {
        let type = isOurs ? #""type":"urn:trendy:error:unauthorized","# : ""
        try await withHarness(token: nil) { _ in
            .problem(401, "{\(type)\"detail\":\"wrong e-mail or password\"}")
        } _: { harness async throws in
            let error = await apiError { try await harness.client.login(email: "a@b", password: "x") }
            #expect(error == .unauthorized("wrong e-mail or password", mayPass: !isOurs))
            #expect(try harness.credentials.load() == nil)
        }
    }

    @Test("a bare 401 to what needs no sign-in says nothing of a sign-in")
    func bareRefusal() async throws {
        try await withHarness { _ in
            .reply(401, "")
        } _: { harness async throws in
            let error = await apiError { try await harness.client.checkIdentity() }
            #expect(error == .unauthorized("it gives no reason", mayPass: true))
        }
        try await withHarness { request in
            request.target == "/health" ? .json(#"{"status":"ok"}"#) : .reply(401, "")
        } _: { harness async throws in
            let error = await apiError { try await harness.client.checkIdentity() }
            #expect(error?.isNotAServer == true && error?.description.contains("may be out of order") == true)
        }
    }

    @Test(
        "signing out tells the server and forgets, also where the server cannot be told",
        arguments: [200, 204, 401, 500])
    func logout(_ status: Int) async throws {
        try await withHarness { _ in
            .reply(status, status == 204 ? "" : "{}")
        } _: { harness async throws in
            let error = await apiError { try await harness.client.logout() }
            #expect(error?.status == (status == 500 ? 500 : nil))
            #expect(try harness.credentials.load() == nil)
            #expect(harness.server.requests.first?.headers["authorization"] == "Bearer token-1")
        }
    }

    @Test(
        "an account is deleted where the protocol's own answer says so, and only then the sign-in is taken away",
        arguments: [200, 202, 204])
    func deletion(_ status: Int) async throws {
        try await withHarness { _ in
            .reply(status, status == 204 ? "" : #"{"status":"ok"}"#)
        } _: { harness async throws in
            let error = await apiError { try await harness.client.deleteAccount(email: "a@b", password: "x") }
            #expect(status == 204 ? error == nil : error?.isNotAServer == true, "\(error as Any)")
            #expect(try (harness.credentials.load() == nil) == (status == 204))
        }
    }

    @Test(
        "the account is read, wrapped or not",
        arguments: ["{\"id\":\"u1\",\"email\":\"e\"}", "{\"user\":{\"id\":\"u1\",\"email\":\"e\"}}"])
    func me(_ body: String) async throws {
        try await withHarness { _ in
            .json(body)
        } _: { harness async throws in
            #expect(try await harness.client.me() == AccountInfo(id: "u1", email: "e"))
        }
    }

    @Test("no description or dump of anything shows a secret")
    func redaction() throws {
        let credentials = Credentials(
            server: try ServerAddress(parse: "http://h"), accessToken: Secret("hunter2"),
            refreshToken: Secret("hunter2"), obtainedAt: Timestamp(milliseconds: 0))
        let request = TransportRequest(
            method: .post, url: credentials.server.url, headers: ["Authorization": "Bearer hunter2"],
            body: Data("hunter2".utf8))
        let response = TransportResponse(status: 200, headers: ["x": "hunter2"], body: Data("hunter2".utf8))
        for value in [credentials, request, response] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [dumped, "\(value)", String(reflecting: value), String(describing: Optional(value))] {
                #expect(!text.contains("hunter2"), "\(text)")
            }
        }
    }
}

/// Tells within which time requests have to end.
private struct LimitedTransport: HTTPTransport {
    let transport: any HTTPTransport
    let tell: @Sendable (Duration?) -> Void

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        tell(request.timeLimit)
        return try await transport.send(request)
    }
}
