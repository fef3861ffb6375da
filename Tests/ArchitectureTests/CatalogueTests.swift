import Foundation
import Testing

@Suite("The documentation catalogues of the modules")
struct CatalogueTests {
    /// Those that are products by themselves; what is only a part of the program has none.
    private static let modules = allowedEdges.map(\.name).filter { manifest.contains(".library(name: \"\($0)\"") }
    private static let manifest =
        (try? String(contentsOf: packageRoot.appending(path: "Package.swift"), encoding: .utf8)) ?? ""

    @Test("are asked of the libraries, of which there are several")
    func several() {
        #expect(Self.modules.count >= 6)
    }

    @Test("have a page about the module and an article that it leads to", arguments: modules)
    func complete(module: String) throws {
        let page = try Self.text("\(module).md", of: module)
        #expect(page.hasPrefix("# ``\(module)``\n"))
        #expect(page.contains("\n## Topics\n") && page.contains("- <doc:\(module)GettingStarted>\n"))
        #expect(try Self.text("\(module)GettingStarted.md", of: module).contains("```swift\n"))
    }

    @Test("link to what the module has, and is public", arguments: modules)
    func links(module: String) throws {
        let layer = try #require(allowedEdges.first { $0.name == module })
        let sources = try SwiftSource.all(in: layer.folder, of: packageRoot)
        let names = sources.flatMap { $0.publicDeclarations() }.map { String($0.name.drop { $0 != " " }.dropFirst()) }
        let known = Set(names).union([module])
        var links: [String] = []
        for file in ["\(module).md", "\(module)GettingStarted.md"] {
            let prose = try Self.text(file, of: module).split(separator: "\n").filter { !$0.hasPrefix("```") }
            links += prose.flatMap { $0.matches(of: /``([^`]+)``/).map { String($0.output.1) } }
        }
        let unknown = links.filter { link in
            !link.split(separator: "/").allSatisfy { known.contains(String($0.prefix { $0 != "(" })) }
        }
        #expect(unknown == [] && links.count > 5)
    }

    private static func text(_ file: String, of module: String) throws -> String {
        let layer = try #require(allowedEdges.first { $0.name == module })
        let path = "\(layer.folder)/\(module).docc/\(file)"
        return try String(contentsOf: packageRoot.appending(path: path), encoding: .utf8)
    }
}
