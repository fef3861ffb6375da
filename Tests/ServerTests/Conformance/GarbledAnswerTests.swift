import Foundation
import Synchronization
import Testing
import TrendyConformance
import TrendyDomain

@Suite("An answer that is no JSON", .timeLimit(.minutes(5)))
struct GarbledAnswerTests {
    /// Cuts the bodies of some answers off.
    private static func garbling(
        where applies: @escaping @Sendable (WireRequest) -> Bool
    ) -> @Sendable (@escaping ConformanceTarget.Send) -> ConformanceTarget.Send {
        { inner in
            { request in
                var answer = try await inner(request)
                if applies(request), answer.status != 204 { answer.body = Data(#"{"oops":"#.utf8) }
                return answer
            }
        }
    }

    @Test(
        "is what the rule says, and no accusation of anything else",
        arguments: ["records.event-fields", "isolation.writing", "isolation.ids-are-not-taken", "patch.value-sets"])
    func oneRecord(rule: String) async throws {
        let layer = Self.garbling { $0.method == .get && $0.resource.hasPrefix("/event") }
        try await ConformanceBench().run(through: layer) { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.named([rule]))
            let result = try #require(report.results.first)
            #expect(result.verdict == .fail && result.deviations.isEmpty)
            #expect(result.reason?.hasSuffix("is no JSON") == true, "\(result.reason ?? "")")
        }
    }

    @Test("now and then makes rules fail for it, none of them deviate", arguments: [9, 7])
    func everyNinth(step: Int) async throws {
        let count = Mutex(0)
        let layer = Self.garbling { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number.isMultiple(of: step) && !request.resource.hasPrefix("/auth")
        }
        try await ConformanceBench().run(through: layer) { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.named([]))
            #expect(report.count(.fail) > 10 && report.deviations == [])
            for result in report.results where result.verdict == .fail {
                #expect(result.reason?.contains("no JSON") == true, "\(result.rule): \(result.reason ?? "")")
            }
        }
    }

    @Test("that has another record instead is no event whose place was dropped")
    func otherRecord() async throws {
        let layer: @Sendable (@escaping ConformanceTarget.Send) -> ConformanceTarget.Send = { inner in
            { request in
                let answer = try await inner(request)
                let isEvent = request.method == .get && request.resource.hasPrefix("/events/")
                return isEvent ? answer.with(["id": "something else"]) : answer
            }
        }
        try await ConformanceBench().run(through: layer) { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.named(["records.event-fields"]))
            #expect(report.count(.fail) == 1 && report.deviations == [])
        }
    }

    @Test("shows no token that it has the half of")
    func noSecrets() async throws {
        let token = Mutex("")
        let layer: @Sendable (@escaping ConformanceTarget.Send) -> ConformanceTarget.Send = { inner in
            { request in
                var answer = try await inner(request)
                guard request.resource == "/auth/refresh", answer.status == 200 else { return answer }
                token.withLock { $0 = DeployedServer.json(answer.body)["access_token"].stringValue ?? "" }
                answer.body.removeLast(3)
                return answer
            }
        }
        try await ConformanceBench().run(through: layer) { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.named(["auth.refresh"]))
            let body = try #require(report.results.first?.exchanges.first?.answerBody)
            let given = token.withLock { $0 }
            #expect(!given.isEmpty && !body.contains(given) && body.contains(#""access_token":"…"#))
        }
    }

    @Test("is not needed to see requests and answers: a rule that passes has them too, without passwords and tokens")
    func passing() async throws {
        try await ConformanceBench().run { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.named(["auth.refresh", "patch"]))
            #expect(report.score == 100)
            for result in report.results { #expect(result.exchanges.count >= 2, "\(result.rule)") }
            let refresh = try #require(report.results.first { $0.rule == "auth.refresh" })
            #expect(refresh.exchanges.map(\.request).contains("POST /api/v1/auth/refresh"))
            #expect(refresh.exchanges.allSatisfy { !($0.requestBody ?? "").contains("pass ") })
            #expect(refresh.exchanges.contains { $0.answerBody?.contains(#""access_token":"…""#) == true })
        }
    }
}
