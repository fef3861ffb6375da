import Foundation
import Testing

@Suite("A planted violation is reported with its file and line")
struct PlantedViolationTests {
    private let layers = [
        Layer("Inner", in: "Modules/Inner", platform: ["Foundation"]),
        Layer("Outer", in: "Modules/Outer", uses: ["Inner"], packages: ["Logging"], platform: ["Foundation"]),
    ]

    @Test(
        "a wrong import, in every form that Swift has for it",
        arguments: [
            "import Outer", "public import Outer", "internal import Outer", "@testable import Outer",
            "@_exported import Outer", "@preconcurrency public import Outer", "import struct Outer.Thing",
            "import Outer.Part", "import `Outer`", "import Foundation; import Outer", "  import  Outer // why",
            "/* so */ import Outer",
        ])
    func wrongImport(statement: String) throws {
        let files = ["Modules/Inner/Deep/File.swift": "import Foundation\n\n\(statement)\n"]
        try Fixture.with(files: files) { fixture in
            let found = try LayeringCheck(layers: layers, root: fixture.root).importViolations()
            #expect(found.map(\.description) == ["Modules/Inner/Deep/File.swift:3: Inner must not import Outer"])
        }
    }

    @Test("a wrong import under a condition")
    func conditionalImport() throws {
        let text = "#if canImport(Outer)\nimport Outer\n#elseif os(Linux)\nimport Glibc\n#endif\n"
        try Fixture.with(files: ["Modules/Inner/File.swift": text]) { fixture in
            let found = try LayeringCheck(layers: layers, root: fixture.root).importViolations()
            #expect(found.map(\.line) == [2, 4])
        }
    }

    @Test("what only looks like an import is none")
    func lookalikes() throws {
        let text = #"""
            // import Outer
            /* a /* nested */
            import Outer
            */
            let text = "import Outer"
            let lines = """
                import Outer
                \(text + ")")
                import Outer
                """
            let raw = #"\" import Outer"#
            let importOuter = 1
            import Foundation
            """#
        try Fixture.with(files: ["Modules/Inner/File.swift": text]) { fixture in
            #expect(try LayeringCheck(layers: layers, root: fixture.root).importViolations() == [])
            let sources = try SwiftSource.all(in: "Modules/Inner", of: fixture.root)
            let imports = try sources.flatMap { try $0.imports() }
            #expect(imports == [SwiftSource.Import(module: "Foundation", line: 13)])
        }
    }

    @Test("a folder of sources that the table does not know")
    func strayFolder() throws {
        try Fixture.with(files: ["Modules/Stray/File.swift": "import Outer\n"]) { fixture in
            let found = try LayeringCheck(layers: layers, root: fixture.root).importViolations()
            #expect(found.map(\.file) == ["Modules/Stray"])
        }
    }

    @Test("a wrong, a missing and an unknown target in the manifest")
    func wrongManifest() throws {
        let manifest = """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "planted",
                dependencies: [.package(url: "https://example.invalid/log", from: "1.0.0")],
                targets: [
                    .target(name: "Outer", dependencies: [.product(name: "Metrics", package: "log")],
                        path: "Modules/Outer"),
                    .target(name: "Inner", dependencies: ["Outer"], path: "Modules/Inner"),
                    .target(name: "Extra"),
                    .testTarget(name: "AnyTests", dependencies: ["Outer"]),
                ])
            """
        try Fixture.with(files: ["Package.swift": manifest]) { fixture in
            let graph = try PackageGraph.read(root: fixture.root)
            let found = LayeringCheck(layers: layers, root: fixture.root).manifestViolations(graph)
            #expect(
                Set(found.map(\.message)) == [
                    "the target Extra is not in the table of allowed edges",
                    "Inner must not depend on Outer",
                    "Outer must not depend on Metrics",
                    "Outer no longer depends on Inner: take the edge out of the table",
                    "Outer no longer depends on Logging: take the edge out of the table",
                ])
        }
    }
}
