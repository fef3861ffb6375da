/// Lists the cycles of a graph, each once, from the one of its types that comes first.
struct CycleSearch {
    /// The registrations in the order in which their cycles are told.
    private let registrations: [DependencyRegistration]
    /// For each of them what it needs, by position.
    private let needs: [[Int]]
    /// For each of them what can be reached from it.
    private let reachable: [Set<Int>]
    private var found: [[Int]] = []
    private var steps = 0

    /// A graph with many cycles has more than anyone would read, and more than can be listed.
    private static let mostCycles = 100
    private static let mostSteps = 100_000

    init(registrations: [DependencyRegistration]) {
        self.registrations = registrations
        let positions = Dictionary(
            registrations.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        let needs = registrations.map { $0.needs.compactMap { positions[$0] } }
        self.needs = needs
        reachable = needs.indices.map { start in
            var seen: Set<Int> = []
            var waiting = needs[start]
            while let next = waiting.popLast() {
                if seen.insert(next).inserted { waiting += needs[next] }
            }
            return seen
        }
    }

    func cycles() -> [DependencyError] {
        var search = self
        for start in needs.indices where reachable[start].contains(start) { search.follow([start], from: start) }
        return search.found.map { .cycle(path: ($0 + $0.prefix(1)).map { "\(registrations[$0].key)" }) }
    }

    /// Goes on from the end of a path, through what comes after its start and leads back to it.
    private mutating func follow(_ path: [Int], from current: Int) {
        for next in Set(needs[current]).sorted() {
            steps += 1
            guard found.count < Self.mostCycles, steps < Self.mostSteps else { return }
            if next == path[0] {
                found.append(path)
            } else if next > path[0], reachable[next].contains(path[0]), !path.contains(next) {
                follow(path + [next], from: next)
            }
        }
    }
}
