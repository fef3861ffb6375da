import Foundation
import Testing
import TrendySimulator

/// The simulator has teeth: it finds mistakes that are planted on purpose, and names the promise that they break.
@Suite("Planted bugs")
struct PlantedBugTests {
    /// How many seeds are tried where the remembered one does not find a bug any more.
    private static let limit =
        ProcessInfo.processInfo.environment["SIM_BUG_SEEDS"].flatMap { Int($0) } ?? 2_000

    @Test("a planted bug is found within 2,000 seeds, and named", arguments: PlantedBug.all)
    func isFound(_ bug: PlantedBug) throws {
        let hunt = BugHunt(bug, limit: Self.limit)
        // The seed that found it before spares the search, while the simulator stays as it is.
        let finding = hunt.finding(bug.knownSeed) ?? hunt.run()
        print(BugTableRow(bug, finding))
        let found = try #require(finding, "no history within 2,000 breaks promise \(bug.promise)")
        #expect(found.promises.contains(bug.promise))
    }

    @Test("every promise has a planted bug that breaks it")
    func everyPromiseIsTried() {
        let tried = Set(PlantedBug.all.map(\.promise))
        #expect(Promise.allCases.filter { !tried.contains($0) }.isEmpty)
    }

    @Test("there are at least 24 planted bugs, each with a name of its own")
    func thereAreMany() {
        let names = Set(PlantedBug.all.map(\.name))
        #expect(names.count == PlantedBug.all.count)
        #expect(names.count >= 24)
    }

    @Test("a bug is found by its name")
    func isFoundByName() throws {
        let bug = try #require(PlantedBug.named("rebase is skipped"))
        #expect(bug.promise == .rebase)
        #expect(PlantedBug.named("no such bug") == nil)
    }
}
