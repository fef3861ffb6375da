import Testing
import TrendyConformance
import TrendyTestSupport

@Suite("The ways of deployed servers", .serialized, .timeLimit(.minutes(10)))
struct DeviationTests {
    @Test("each is reported as a deviation, and nothing else is", arguments: KnownDeviation.allCases)
    func reported(way: KnownDeviation) async throws {
        let bench = try ConformanceBench()
        try await bench.run(through: { DeployedServer(way, clock: bench.server.clock, over: $0).send }) { target in
            let report = try await ConformanceRun(target).check(
                ConformanceRule.named([], patient: way == .refusalsRestartTheWindow))
            for result in report.results where result.verdict == .fail {
                Issue.record("\(result.rule): \(result.reason ?? "") \(result.exchanges)")
            }
            #expect(report.deviations == [way])
            #expect(report.leftBehind == [])
            #expect(report.score < 100 && report.count(.deviation) > 0)
            for result in report.results where result.verdict == .deviation {
                #expect(!result.exchanges.isEmpty, "\(result.rule) shows no request")
            }
        }
    }
}
