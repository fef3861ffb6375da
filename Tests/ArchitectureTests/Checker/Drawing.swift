extension Array where Element == Layer {
    /// The graph as text: outermost module first, each with what it uses; an edge that another implies
    /// is drawn as well, because it is allowed as well.
    func drawing() -> String {
        let width = map(\.name.count).max() ?? 0
        return sortedOutermostFirst().map { layer in
            var line = layer.name.padded(to: width)
            if !layer.uses.isEmpty { line += "  ->  " + layer.uses.joined(separator: ", ") }
            if layer.uses.isEmpty { line += "  (depends on no other module)" }
            guard !layer.packages.isEmpty else { return line }
            let indent = String(repeating: " ", count: width + 6)
            return line + "\n" + indent + "packages: " + layer.packages.joined(separator: ", ")
        }.joined(separator: "\n")
    }

    /// How many edges lead from a layer to the innermost one, at most.
    private func depth(of name: String) -> Int {
        let uses = first { $0.name == name }?.uses ?? []
        return uses.map { depth(of: $0) + 1 }.max() ?? 0
    }

    private func sortedOutermostFirst() -> [Layer] {
        enumerated()
            .map { (depth: depth(of: $0.element.name), place: $0.offset, layer: $0.element) }
            .sorted { ($1.depth, $0.place) < ($0.depth, $1.place) }
            .map(\.layer)
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
