import Testing

@testable import TrendySimulator

@Suite("Shrinking")
struct ShrinkerTests {
    private static let profile = Profile(devices: 2, steps: 200)

    @Test("a failing history shrinks to a shorter one that breaks the same promise")
    func shrinks() throws {
        let bug = try #require(PlantedBug.named("refused mutation is deleted"))
        let request = HistoryRequest(profile: Self.profile, bug: bug)
        let failure = try #require((1...60).lazy.map { request.run($0) }.first { !$0.violations.isEmpty })
        var shrinker = Shrinker(failure, request, attempts: 160)
        let shortest = shrinker.shrink()
        let again = shortest.run(failure.seed)
        let steps = try #require(shortest.steps)
        #expect(steps.count < Self.profile.steps / 2)
        #expect(again.violations.map(\.promise).contains(failure.violations[0].promise))
    }

    @Test("the report of a failure ends with the command that shows it again")
    func reportSaysHowToRepeat() {
        let failure = History(
            seed: 4711, gateway: .exact, violations: [Violation(promise: .order, message: "child first")], trace: [],
            acts: 0, syncs: 0)
        let report = FailureReport(failure, HistoryRequest(without: [.slowCommit], steps: [1, 2, 9]), shrinks: false)
        #expect(report.text.contains("promise 4 (order): child first"))
        #expect(report.text.hasSuffix("make sim SEEDS=1 FROM=4711 STEPS=1-2,9 WITHOUT=slowCommit"))
    }
}
