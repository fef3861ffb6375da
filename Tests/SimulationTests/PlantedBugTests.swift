import Testing
import TrendySimulator

/// The simulator has teeth: it finds mistakes that are planted on purpose, and names the promise that they break.
@Suite("Planted bugs")
struct PlantedBugTests {
    @Test("the short history of its seed finds a planted bug, and names the promise", arguments: PlantedBug.all)
    func isFound(_ bug: PlantedBug) {
        let history = BugHunt.request(bug).run(bug.knownSeed)
        #expect(
            history.violations.contains(where: bug.isNamed),
            "trendy-sim --bugs --bug '\(bug.name)' looks for a seed that does")
    }

    @Test("those histories are sound without the bugs", arguments: Gateway.allCases, ["", "follows", "copies"])
    func isSoundWithout(_ gateway: Gateway, _ mode: String) {
        let (follows, copies) = (mode == "follows", mode == "copies")
        let bugs = PlantedBug.all.filter {
            $0.gateway == gateway && $0.follows == follows && $0.copies == copies
        }
        let seeds = Set(bugs.map(\.knownSeed))
        for seed in seeds.sorted() {
            let history = BugHunt.request(gateway, follows: follows, copies: copies).run(seed)
            #expect(history.violations.isEmpty, "seed \(seed)")
        }
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
