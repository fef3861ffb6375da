import Testing
import TrendyConformance
import TrendyData

// What the article of TrendyConformance shows; ArticleTests compares them.

@Suite("The article of TrendyConformance")
struct ConformanceArticleTests {
    @Test("our server keeps the rules that it names", .timeLimit(.minutes(5)))
    func keeps() async throws {
        try await withServer { address in
            let target = makeTarget(address.description, wait: { _ in })
            let rules = try ConformanceRule.named(["patch", "idempotency.post-replay"])
            let report = try await ConformanceRun(target).check(rules)
            for result in report.results where result.verdict == .fail {
                print("\(result.rule): \(result.reason ?? result.demand)")
            }
            #expect(report.results.count == rules.count && rules.count > 2)
            #expect(report.score == 100 && report.leftBehind == [])
        }
    }
}
