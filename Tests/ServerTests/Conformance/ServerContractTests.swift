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
            for result in report.results where result.verdict == .fail || result.verdict == .deviation {
                Issue.record("\(result.rule): \(result.reason ?? "") \(result.deviations)")
            }
            #expect(report.results.count == ConformanceRule.all.count)
            #expect(report.leftBehind == [])
            #expect(report.score == 100)
        }
    }
}
