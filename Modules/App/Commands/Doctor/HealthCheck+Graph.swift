import TrendyTerminal

extension HealthCheck {
    /// Whether every part of the program can be made.
    static let graph = HealthCheck(name: "graph") { scene in
        let container = scene.context.root.container
        let problems = container.validate()
        if problems.isEmpty {
            return [.ok("all \(container.registeredTypes.count) parts of the program can be made")]
        }
        return problems.map {
            .problem($0.description, remedy: "this is a mistake in Trendy: please report it", .software)
        }
    }
}
