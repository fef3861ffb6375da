import Testing
import TrendySimulator

/// The simulator has teeth: it finds mistakes that are planted on purpose, and names the promise that they break.
@Suite("Planted bugs")
struct PlantedBugTests {
    @Test("the history of its seed finds a planted bug, and names the promise", arguments: PlantedBug.all)
    func isFound(_ bug: PlantedBug) {
        let history = BugHunt.request(bug).run(bug.knownSeed)
        #expect(
            history.violations.contains(where: bug.isNamed),
            "trendy-sim --bugs --bug '\(bug.name)' looks for a seed that does")
    }

    @Test("that history is sound without the bug", arguments: PlantedBug.all)
    func isSoundWithout(_ bug: PlantedBug) {
        #expect(BugHunt.request(bug, isPlanted: false).run(bug.knownSeed).violations.isEmpty)
    }

    @Test("every promise has at least two planted bugs that break it", arguments: Promise.allCases)
    func isTried(_ promise: Promise) {
        #expect(PlantedBug.all.count { $0.promise == promise } >= 2)
    }

    @Test("there are at least 30 planted bugs, each with a name of its own")
    func thereAreMany() {
        let names = Set(PlantedBug.all.map(\.name))
        #expect(names.count == PlantedBug.all.count)
        #expect(names.count >= 30)
    }

    @Test("a bug is found by its name")
    func isFoundByName() throws {
        let bug = try #require(PlantedBug.named("rebase is skipped"))
        #expect(bug.promise == .rebase)
        #expect(PlantedBug.named("no such bug") == nil)
    }
}
