import Foundation
import Synchronization
import Testing
import TrendyConformance
import TrendyDomain

@Suite("The beginning of a run", .timeLimit(.minutes(5)))
struct BeginningTests {
    private typealias Layer = @Sendable (@escaping ConformanceTarget.Send) -> ConformanceTarget.Send

    /// Answers the requests to one resource with this.
    private static func answering(_ answers: [String: (status: Int, body: String)]) -> Layer {
        { inner in
            { request in
                guard let answer = answers[request.resource] else { return try await inner(request) }
                return WireAnswer(
                    status: answer.status, headers: ["Content-Type": "application/json"], body: Data(answer.body.utf8))
            }
        }
    }

    private static func signUp(_ target: ConformanceTarget, _ email: String) async throws -> String {
        let credentials: JSONValue = ["email": .string(email), "password": "correct horse"]
        let answer = try await target.send(
            WireRequest(.post, "/api/v1/auth/signup", body: WireCoding.encode(credentials)))
        return DeployedServer.json(answer.body)["access_token"].stringValue ?? ""
    }

    @Test("refuses two names of one account")
    func sameAccount() async throws {
        try await ConformanceBench().run { given in
            _ = try await Self.signUp(given, "ann@example.org")
            var target = given
            target.login = ConformanceTarget.Login(email: "ann@example.org", password: "correct horse")
            target.otherLogin = ConformanceTarget.Login(email: "Ann@Example.org", password: "correct horse")
            let run = ConformanceRun(target)
            await #expect(
                throws: ConformanceError.sameAccount(email: "ann@example.org", otherEmail: "Ann@Example.org")
            ) { _ = try await run.check(ConformanceRule.named(["isolation"])) }
        }
    }

    @Test("says that a server of another protocol is none")
    func otherProtocol() async throws {
        let layer = Self.answering([
            "/health": (401, #"{"error":{"message":"no token"}}"#), "/auth/signup": (400, #"{"error":"no apikey"}"#),
        ])
        try await ConformanceBench().run(through: layer) { target in
            let error = await #expect(throws: ConformanceError.self) {
                _ = try await ConformanceRun(target).check(ConformanceRule.named(["patch"]))
            }
            guard case .notAServer(let reason)? = error else { throw RunError(description: "\(error as Any)") }
            #expect(reason.contains("GET /health is answered 401") && reason.contains("no apikey"))
        }
    }

    @Test(
        "shows why a sign-up is refused",
        arguments: [
            #"{"detail":"sign-ups are closed","status":403}"#, #"{"error":{"message":"sign-ups are closed"}}"#,
            #"{"error":"sign-ups are closed"}"#, #"{"title":"sign-ups are closed"}"#,
        ])
    func refusedSignUp(body: String) async throws {
        try await ConformanceBench().run(through: Self.answering(["/auth/signup": (403, body)])) { target in
            let run = ConformanceRun(target)
            await #expect(
                throws: ConformanceError.noAccount("the server answers a sign-up with 403 (sign-ups are closed)")
            ) { _ = try await run.check(ConformanceRule.named(["patch"])) }
        }
    }

    @Test("does not check what needs a second account where the server forbids one, and fails where it cannot make it")
    func secondSignUp() async throws {
        for (status, verdict) in [(403, ConformanceVerdict.notChecked), (400, .fail), (503, .fail)] {
            let layer: Layer = { inner in
                { request in
                    let isSecond = String(decoding: request.body ?? Data(), as: UTF8.self).contains("-ben@")
                    guard request.resource == "/auth/signup", isSecond else { return try await inner(request) }
                    return DeployedServer.plain(status, "no more accounts")
                }
            }
            try await ConformanceBench().run(through: layer) { target in
                let report = try await ConformanceRun(target).check(ConformanceRule.named(["isolation"]))
                #expect(report.results.allSatisfy { $0.verdict == verdict && $0.deviations.isEmpty })
                if verdict == .notChecked { return }
                let result = try #require(report.results.first)
                #expect(result.reason?.hasSuffix("is answered \(status) (no more accounts)") == true)
                #expect(result.exchanges.count == 1)
            }
        }
    }

    @Test("gives a report where it is told to stop, with the account whose sign-up was under way", arguments: [1, 2])
    func interrupted(at count: Int) async throws {
        let requests = Mutex(0)
        let work = Mutex<Task<ConformanceReport, any Error>?>(nil)
        let layer: Layer = { inner in
            { request in
                let answer = try await inner(request)
                let number = requests.withLock { number in
                    number += 1
                    return number
                }
                if number == count {
                    work.withLock { $0 }?.cancel()
                    throw CancellationError()
                }
                return answer
            }
        }
        try await ConformanceBench().run(through: layer) { target in
            let (starts, start) = AsyncStream<Void>.makeStream()
            let task = Task {
                for await _ in starts { break }
                return try await ConformanceRun(target).check(ConformanceRule.named(["patch"]))
            }
            work.withLock { $0 = task }
            start.yield()
            let report = try await task.value
            #expect(report.wasInterrupted && report.results.isEmpty && report.leftBehind == [])
            #expect(report.accountsMade.count == count - 1)
        }
    }

    @Test("does not mind an account with more events than a page of the list has")
    func busyAccount() async throws {
        try await ConformanceBench().run { given in
            let token = try await Self.signUp(given, "ann@example.org")
            var target = given
            target.login = ConformanceTarget.Login(email: "ann@example.org", password: "correct horse")
            let type = target.identifiers.makeId()
            let now = target.wallClock.now()
            try await Self.post("event-types", ["id": .string(type), "name": "busy"], token, given)
            for part in 0..<3 {
                let events: [JSONValue] = (0..<440).map { number in
                    let time = now.advanced(bySeconds: -Double(part * 440 + number + 1))
                    return [
                        "id": .string(given.identifiers.makeId()), "event_type_id": .string(type),
                        "timestamp": .string(time.description),
                    ]
                }
                try await Self.post("events/batch", ["events": .array(events)], token, given)
            }
            let report = try await ConformanceRun(target).check(ConformanceRule.named(["routes"]))
            for result in report.results where result.verdict != .pass {
                Issue.record("\(result.rule): \(result.reason ?? "")")
            }
            #expect(report.score == 100 && report.leftBehind == [])
        }
    }

    private struct RunError: Error, CustomStringConvertible { var description: String }

    private static func post(
        _ list: String, _ body: JSONValue, _ token: String, _ target: ConformanceTarget
    ) async throws {
        let request = WireRequest(
            .post, "/api/v1/\(list)",
            headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"],
            body: try WireCoding.encode(body))
        let answer = try await target.send(request)
        try #require(answer.status == 201, "\(String(decoding: answer.body, as: UTF8.self))")
    }
}
