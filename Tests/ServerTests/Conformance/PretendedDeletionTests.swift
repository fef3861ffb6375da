import Foundation
import Synchronization
import Testing
import TrendyConformance
import TrendyDomain

@Suite("What a server will not delete", .timeLimit(.minutes(5)))
struct PretendedDeletionTests {
    /// Answers 204 to some deletions, and does nothing.
    private static func pretending(
        where applies: @escaping @Sendable (WireRequest) -> Bool
    ) -> @Sendable (@escaping ConformanceTarget.Send) -> ConformanceTarget.Send {
        { inner in
            { request in
                request.method == .delete && applies(request)
                    ? WireAnswer(status: 204) : try await inner(request)
            }
        }
    }

    private func kinds(_ report: ConformanceReport) -> [String: Int] {
        Dictionary(report.leftBehind.map { ($0.split(separator: "/").first.map(String.init) ?? "", 1) }) { $0 + $1 }
    }

    @Test("is listed where every deletion is said to be done and none is")
    func everything() async throws {
        try await ConformanceBench().run(through: Self.pretending { _ in true }) { target in
            let rules = try ConformanceRule.named(["records.same-moment", "records.other-fields", "routes.geofences"])
            let report = try await ConformanceRun(target).check(rules)
            #expect(report.results.map(\.verdict) == [.fail, .pass, .pass])
            #expect(
                kinds(report) == ["event-types": 2, "events": 2, "property-definitions": 1, "geofences": 2],
                "\(report.leftBehind)")
        }
    }

    @Test("is listed where the deletion of one kind is only said to be done")
    func oneKind() async throws {
        let layer = Self.pretending { $0.resource.hasPrefix("/geofences/") }
        try await ConformanceBench().run(through: layer) { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.named(["records.other-fields"]))
            #expect(kinds(report) == ["geofences": 1])
        }
    }

    @Test("does not hold up a run: after a few of many the others are not tried")
    func many() async throws {
        let deletions = Mutex(0)
        let layer = Self.pretending { _ in
            deletions.withLock { $0 += 1 }
            return true
        }
        try await ConformanceBench().run(through: layer) { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.named(["limits.list-page"]))
            #expect(kinds(report)["events"] ?? 0 > 1000)
            #expect(deletions.withLock { $0 } < 30)
        }
    }

    @Test("does not name what went with its type where the server has stopped answering since")
    func deadServer() async throws {
        struct Down: Error {}
        let isDown = Mutex(false)
        let layer: @Sendable (@escaping ConformanceTarget.Send) -> ConformanceTarget.Send = { inner in
            { request in
                if isDown.withLock({ $0 }) { throw Down() }
                let answer = try await inner(request)
                if request.method == .delete { isDown.withLock { $0 = true } }
                return answer
            }
        }
        try await ConformanceBench().run(through: layer) { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.named(["records.same-moment"]))
            #expect(report.count(.pass) == 1 && report.leftBehind == [])
        }
    }
}
