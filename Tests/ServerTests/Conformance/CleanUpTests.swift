import Foundation
import Synchronization
import Testing
import TrendyConformance
import TrendyDomain
import TrendyTestSupport

@Suite("A run of the rules", .timeLimit(.minutes(5)))
struct CleanUpTests {
    /// What a test watches go by.
    private final class Traffic: Sendable {
        let requests = Mutex<[WireRequest]>([])

        func note(_ request: WireRequest) -> Int {
            requests.withLock { requests in
                requests.append(request)
                return requests.count
            }
        }
    }

    /// A person's account with a record of each kind, and what is in it.
    private static func furnished(_ target: ConformanceTarget) async throws -> (ConformanceTarget, String) {
        let login = ConformanceTarget.Login(email: "ann@example.org", password: "correct horse")
        let credentials: JSONValue = ["email": .string(login.email), "password": .string(login.password)]
        let signup = try await target.send(
            WireRequest(.post, "/api/v1/auth/signup", body: WireCoding.encode(credentials)))
        let token = DeployedServer.json(signup.body)["access_token"].stringValue ?? ""
        let type = makeEventType(id: id(1), name: "coffee")
        for (list, body) in [
            ("event-types", try WireCoding.encode(type)),
            ("events", try WireCoding.encode(makeEvent(id: id(2), eventTypeId: type.id))),
            ("geofences", try WireCoding.encode(makeGeofence(id: id(3)))),
        ] {
            let request = WireRequest(
                .post, "/api/v1/\(list)", headers: ["Authorization": "Bearer \(token)"], body: body)
            try #require(try await target.send(request).status == 201)
        }
        var target = target
        target.login = login
        return (target, token)
    }

    private static func contents(_ target: ConformanceTarget, _ token: String) async throws -> [JSONValue] {
        var all: [JSONValue] = []
        // A new minute: the run may have used up what this one allows.
        try await target.wait(.seconds(61))
        for list in ["event-types", "events?limit=1000", "geofences", "event-types/\(id(1))/properties"] {
            let request = WireRequest(.get, "/api/v1/\(list)", headers: ["Authorization": "Bearer \(token)"])
            all += DeployedServer.json(try await target.send(request).body).elements
        }
        return all
    }

    @Test("leaves an account as it was, and changes or deletes nothing that it has not made")
    func leavesNothing() async throws {
        let traffic = Traffic()
        try await ConformanceBench().run(through: { inner in
            { request in
                _ = traffic.note(request)
                return try await inner(request)
            }
        }) { given in
            let (target, token) = try await Self.furnished(given)
            let before = try await Self.contents(target, token)
            let report = try await ConformanceRun(target).check(ConformanceRule.all)
            #expect(report.leftBehind == [] && report.count(.fail) == 0)
            #expect(report.accountsMade.count == 1)
            #expect(try await Self.contents(target, token) == before)
            let writes = traffic.requests.withLock { $0 }.filter { $0.method == .put || $0.method == .delete }
            #expect(!writes.contains { request in (1...3).contains { request.path.contains(id($0)) } })
        }
    }

    @Test("deletes what it made where it is cancelled at any request", arguments: [12, 40, 90, 150, 230, 300])
    func cancelled(after count: Int) async throws {
        let traffic = Traffic()
        let box = StopBox()
        try await ConformanceBench().run(through: { inner in
            { request in
                if traffic.note(request) == count { box.stop() }
                return try await inner(request)
            }
        }) { given in
            let (target, token) = try await Self.furnished(given)
            let before = try await Self.contents(target, token)
            let work = Task { try await ConformanceRun(target).check(ConformanceRule.named([])) }
            box.arm { work.cancel() }
            let report = try? await work.value
            if let report {
                #expect(report.wasInterrupted && report.leftBehind == [])
                #expect(report.results.count < ConformanceRule.all.count)
            }
            #expect(try await Self.contents(target, token) == before)
        }
    }

    @Test("deletes what it made where answers are lost after the write", arguments: [3, 7])
    func lostAnswers(every: Int) async throws {
        struct Lost: Error {}
        let traffic = Traffic()
        try await ConformanceBench().run(through: { inner in
            { request in
                let answer = try await inner(request)
                let isRecord = request.method == .post && !request.path.contains("/auth/")
                guard isRecord, request.headers["Authorization"] != nil, request.headers["Accept"] != nil else {
                    return answer
                }
                if traffic.note(request).isMultiple(of: every) { throw Lost() }
                return answer
            }
        }) { given in
            let (target, token) = try await Self.furnished(given)
            let before = try await Self.contents(target, token)
            let report = try await ConformanceRun(target).check(ConformanceRule.named([]))
            #expect(report.count(.fail) > 5 && report.leftBehind == [])
            #expect(try await Self.contents(target, token) == before)
        }
    }

    @Test("signs up for a second account only where a rule is about two users")
    func secondAccount() async throws {
        try await ConformanceBench().run { target in
            let one = try await ConformanceRun(target).check(ConformanceRule.named(["patch", "feed.since"]))
            #expect(one.accountsMade.count == 1 && one.score == 100)
            let two = try await ConformanceRun(target).check(ConformanceRule.named(["isolation.keys", "feed.empty"]))
            #expect(two.accountsMade.count == 2 && two.score == 100)
        }
    }

    @Test("says what a server would not delete")
    func leftBehind() async throws {
        try await ConformanceBench().run(through: { inner in
            { request in
                request.method == .delete
                    ? WireAnswer(status: 500, headers: ["Content-Type": "application/json"]) : try await inner(request)
            }
        }) { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.named(["patch.null-of-required"]))
            #expect(report.leftBehind.count == 1 && report.leftBehind[0].hasPrefix("/event-types/"))
        }
    }

    @Test("shows neither passwords nor tokens")
    func noSecrets() async throws {
        let layer: @Sendable (@escaping ConformanceTarget.Send) -> ConformanceTarget.Send = { inner in
            { request in
                var answer = try await inner(request)
                if request.resource == "/auth/refresh" { answer.status = 202 }
                return answer
            }
        }
        try await ConformanceBench().run(through: layer) { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.named(["auth.refresh"]))
            let exchange = try #require(report.results.first?.exchanges.first)
            #expect(exchange.request.contains("/auth/refresh") && exchange.status == 202)
            #expect(exchange.requestBody == #"{"refresh_token":"…"}"#)
            #expect(exchange.answerBody?.contains(#""access_token":"…""#) == true)
        }
    }

    @Test("ends where the server has stopped answering, and says so")
    func lostServer() async throws {
        struct Down: Error {}
        let traffic = Traffic()
        try await ConformanceBench().run(through: { inner in
            { request in
                if traffic.note(request) > 60 { throw Down() }
                return try await inner(request)
            }
        }) { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.named([]))
            #expect(report.lostServer != nil && report.results.last?.verdict == .fail)
            #expect(report.results.count < 20)
        }
    }
}

/// Does something once, at the moment that is armed for it.
private final class StopBox: Sendable {
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    func arm(_ body: @escaping @Sendable () -> Void) { action.withLock { $0 = body } }
    func stop() { action.withLock { $0 }?() }
}
