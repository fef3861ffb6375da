import Foundation
import Testing

@Suite("The layering of this package")
struct LayeringTests {
    private let check = LayeringCheck(layers: allowedEdges, root: packageRoot)

    @Test("the targets in Package.swift depend on exactly what the table allows")
    func manifestAgrees() throws {
        let graph = try PackageGraph.read(root: packageRoot)
        #expect(graph.targets.contains { $0.name == "TrendyDomain" })
        #expect(check.manifestViolations(graph) == [])
    }

    @Test("every import in Modules is in the table")
    func importsAgree() throws {
        let scanned = try SwiftSource.all(in: "Modules", of: packageRoot).flatMap { try $0.imports() }
        #expect(scanned.contains { $0.module == "TrendyDomain" })
        #expect(try check.importViolations() == [])
    }

    @Test("dependencies point inward: no module is reachable from itself, and the domain uses none")
    func pointInward() {
        func reachable(from name: String) -> Set<String> {
            let uses = allowedEdges.first { $0.name == name }?.uses ?? []
            return uses.reduce(into: Set(uses)) { $0.formUnion(reachable(from: $1)) }
        }
        for layer in allowedEdges {
            #expect(!reachable(from: layer.name).contains(layer.name))
        }
        #expect(reachable(from: "TrendyDomain").isEmpty)
        #expect(reachable(from: "TrendySync") == ["TrendyDomain"])
        #expect(reachable(from: "TrendyData") == ["TrendyDomain"])
    }

    @Test("the drawing in Docs/Layering.md is that of the table")
    func documented() throws {
        let text = try String(contentsOf: packageRoot.appending(path: "Docs/Layering.md"), encoding: .utf8)
        let blocks = text.components(separatedBy: "\n```\n")
        #expect(blocks.contains(allowedEdges.drawing()), "make layers draws it anew")
    }

    @Test("domain and sync use no package of anyone else")
    func innerModulesAreFree() {
        for name in ["TrendyDomain", "TrendySync"] {
            #expect(allowedEdges.first { $0.name == name }?.packages == [])
        }
    }
}
