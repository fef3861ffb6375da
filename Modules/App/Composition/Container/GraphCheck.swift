/// Looks for what is wrong with a graph of registrations.
struct GraphCheck {
    let registrations: [ObjectIdentifier: DependencyRegistration]

    /// In an order that the types' names decide, so that the same graph is always told in the same way.
    ///
    /// A sound graph is told from another without any name: that is looked at whenever the program starts.
    func problems() -> [DependencyError] {
        var visited: [ObjectIdentifier: Visit] = [:]
        if registrations.keys.allSatisfy({ isSound($0, &visited) }) { return [] }
        let byName = registrations.values.sorted { "\($0.key)" < "\($1.key)" }
        return missing(byName) + CycleSearch(registrations: byName).cycles() + byName.flatMap(captives)
    }

    private enum Visit { case underWay, sound }

    private func isSound(_ id: ObjectIdentifier, _ visited: inout [ObjectIdentifier: Visit]) -> Bool {
        if let visit = visited[id] { return visit == .sound }
        guard let registration = registrations[id] else { return false }
        visited[id] = .underWay
        for need in registration.needs where !isSound(need.id, &visited) { return false }
        visited[id] = .sound
        return captives(of: registration).isEmpty
    }

    // MARK: Missing

    /// Each type that is not registered, once for each type that needs it.
    private func missing(_ byName: [DependencyRegistration]) -> [DependencyError] {
        let ways = ways(byName)
        return byName.flatMap { registration in
            registration.needs.filter { registrations[$0.id] == nil }.map { need in
                .missing(path: (ways[registration.key.id, default: [registration.key]] + [need]).map { "\($0)" })
            }
        }
    }

    /// For each type a shortest way to it from what nothing else needs.
    private func ways(_ byName: [DependencyRegistration]) -> [ObjectIdentifier: [DependencyKey]] {
        let needed = Set(byName.flatMap { registration in registration.needs.filter { $0 != registration.key } })
        var waiting = byName.map(\.key).filter { !needed.contains($0) }.map { [$0] }
        var ways: [ObjectIdentifier: [DependencyKey]] = [:]
        var next = 0
        while next < waiting.count {
            let way = waiting[next]
            next += 1
            guard let last = way.last, ways[last.id] == nil, let registration = registrations[last.id] else { continue }
            ways[last.id] = way
            waiting += registration.needs.map { way + [$0] }
        }
        return ways
    }

    // MARK: Captives

    /// What only a scope has, and a singleton would keep beyond it; through transients too, which it makes.
    private func captives(of registration: DependencyRegistration) -> [DependencyError] {
        guard registration.lifetime == .singleton else { return [] }
        var found: [DependencyError] = []
        var waiting = registration.needs.map { [registration.key, $0] }
        var seen: Set<ObjectIdentifier> = []
        while let path = waiting.popLast(), let last = path.last {
            guard seen.insert(last.id).inserted, let need = registrations[last.id] else { continue }
            switch need.lifetime {
            case .scoped: found.append(.outsideScope(path: path.map { "\($0)" }))
            case .transient: waiting += need.needs.map { path + [$0] }
            case .singleton: break
            }
        }
        return found
    }
}

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
