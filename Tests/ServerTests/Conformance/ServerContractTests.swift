import Foundation
import Synchronization
import Testing
import TrendyConformance
import TrendyDomain
import TrendyTestSupport

@Suite("Our server and the rules of the protocol", .timeLimit(.minutes(5)))
struct ServerContractTests {
    @Test("it keeps each of them", arguments: ServerContract.rules)
    func keeps(rule: ConformanceRule) async throws {
        try await ConformanceBench().run { target in
            try await ServerContract { target }.run(rule)
        }
    }

    @Test("it keeps all of them in one run, which leaves nothing behind")
    func wholeRun() async throws {
        try await ConformanceBench().run { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.all)
            let races = Set(ConformanceRule.all.filter(\.isRace).map(\.name))
            for result in report.results where result.verdict != (races.contains(result.rule) ? .notSeen : .pass) {
                Issue.record("\(result.rule): \(result.reason ?? "") \(result.deviations)")
            }
            #expect(report.results.count == ConformanceRule.all.count)
            #expect(report.leftBehind == [])
            #expect(report.score == 100)
        }
    }

    @Test("a rule that was not checked is a violation, unless that is allowed")
    func unchecked() async throws {
        let rule = try #require(ConformanceRule.all.first { $0.name == "feed.empty" })
        try await ConformanceBench().run { given in
            let login = ConformanceTarget.Login(email: "ann@example.org", password: "correct horse")
            let credentials: JSONValue = ["email": .string(login.email), "password": .string(login.password)]
            _ = try await given.send(
                WireRequest(.post, "/api/v1/auth/signup", body: WireCoding.encode(credentials)))
            var target = given
            target.login = login
            target.maySignUp = false
            let alone = target
            let violation = await #expect(throws: ContractViolation.self) {
                try await ServerContract { alone }.run(rule)
            }
            #expect(violation?.description.hasPrefix("feed.empty was not checked: it needs a second account") == true)
            try await ServerContract(allowingUnchecked: true) { alone }.run(rule)
        }
    }

    @Test("a run that ends before the rule is a violation")
    func ended() async throws {
        let rule = try #require(ConformanceRule.all.first)
        try await ConformanceBench().run { target in
            await #expect(throws: ContractViolation.self) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.cancelAll()
                    group.addTask { try await ServerContract { target }.run(rule) }
                    try await group.waitForAll()
                }
            }
        }
    }
}
