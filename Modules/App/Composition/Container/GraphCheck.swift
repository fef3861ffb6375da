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
