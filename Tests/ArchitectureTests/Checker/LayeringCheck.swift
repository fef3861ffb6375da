import Foundation

/// Compares a package with a table of layers.
struct LayeringCheck {
    let layers: [Layer]
    /// The root of the package.
    let root: URL

    /// Everything that breaks the table, manifest first.
    func violations() throws -> [Violation] {
        try manifestViolations(PackageGraph.read(root: root)) + importViolations()
    }

    /// Where the manifest and the table differ, in either direction.
    func manifestViolations(_ graph: PackageGraph) -> [Violation] {
        let targets = graph.targets.filter { $0.type != "test" }
        let known = Set(layers.map(\.name))
        let strangers = targets.filter { !known.contains($0.name) }.map {
            manifest("the target \($0.name) is not in the table of allowed edges")
        }
        return strangers
            + layers.flatMap { layer in
                guard let target = targets.first(where: { $0.name == layer.name }) else {
                    return [manifest("the table of allowed edges has a target \(layer.name), the package has none")]
                }
                return differences(layer, target)
            }
    }

    /// The imports that the table does not allow.
    func importViolations() throws -> [Violation] {
        try layers.flatMap { layer in
            try SwiftSource.all(in: layer.folder, of: root).flatMap { source in
                try source.imports().filter { !layer.mayImport($0.module) }.map {
                    Violation(
                        file: source.path, line: $0.line,
                        message: "\(layer.name) must not import \($0.module)")
                }
            }
        } + strayFolders()
    }

    private func differences(_ layer: Layer, _ target: PackageGraph.Target) -> [Violation] {
        let allowed = Set(layer.uses + layer.packages)
        let real = Set(target.dependencies)
        var found = real.subtracting(allowed).sorted().map {
            manifest("\(layer.name) must not depend on \($0)")
        }
        found += allowed.subtracting(real).sorted().map {
            manifest("\(layer.name) no longer depends on \($0): take the edge out of the table")
        }
        if target.path != layer.folder {
            found.append(manifest("\(layer.name) is not in \(layer.folder), where the table looks for it"))
        }
        return found
    }

    /// Folders of modules that no layer covers: their imports would go unchecked.
    private func strayFolders() throws -> [Violation] {
        let modules = root.appending(path: "Modules")
        let folders = try FileManager.default.contentsOfDirectory(atPath: modules.path).sorted()
        let covered = Set(layers.map(\.folder))
        return folders.filter { !$0.hasPrefix(".") && !covered.contains("Modules/\($0)") }.map {
            Violation(file: "Modules/\($0)", line: nil, message: "is not in the table of allowed edges")
        }
    }

    private func manifest(_ message: String) -> Violation {
        Violation(file: "Package.swift", line: nil, message: message)
    }
}
