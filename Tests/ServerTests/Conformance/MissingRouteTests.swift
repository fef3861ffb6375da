import Foundation
import Testing
import TrendyConformance
import TrendyDomain

@Suite("A route that a server does not have", .timeLimit(.minutes(5)))
struct MissingRouteTests {
    private static let rules = ["routes.sync-summary", "auth.no-token", "auth.good-token"]

    /// Has no summary for these requests.
    private static func lacking(
        where applies: @escaping @Sendable (WireRequest) -> Bool
    ) -> @Sendable (@escaping ConformanceTarget.Send) -> ConformanceTarget.Send {
        { inner in
            { request in
                guard request.resource == "/me/sync", applies(request) else { return try await inner(request) }
                return WireAnswer(
                    status: 404, headers: ["Content-Type": "text/plain"], body: Data("404 page not found\n".utf8))
            }
        }
    }

    @Test("is one failure: of the rule about the route, and not of those about tokens")
    func summary() async throws {
        try await ConformanceBench().run(through: Self.lacking { _ in true }) { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.named(Self.rules))
            #expect(report.results.filter { $0.verdict == .fail }.map(\.rule) == ["routes.sync-summary"])
            #expect(report.count(.pass) == 2)
        }
    }

    @Test("is not taken for missing where it is there for who has a token")
    func hiddenSummary() async throws {
        let layer = Self.lacking { $0.headers["Authorization"] == nil }
        try await ConformanceBench().run(through: layer) { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.named(Self.rules))
            #expect(report.results.filter { $0.verdict == .fail }.map(\.rule) == ["auth.no-token"])
        }
    }
}
