import Foundation
import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// README.md, held against code that is compiled and run.
@Suite("What the README shows")
struct ReadmeTests {
    @Test("as Swift is compiled: it is ReadmeExample.swift, beside the manifest that the examples build")
    func compiled() throws {
        let readme = try String(contentsOf: Document.root.appending(path: "README.md"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        let examples = blocks.filter { !$0.hasPrefix("// swift-tools-version") }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ReadmeExample.swift")
        #expect(examples == [try String(contentsOf: file, encoding: .utf8)])
        #expect(blocks.count == 2)
    }

    @Test("sends what was bought")
    func runs() async throws {
        let (network, stores) = makeTestDependencies(schema: try EntitySchema([ShoppingItem.self]))
        try await buy("Milk", with: makeEngine(client: network, stores: stores))
        #expect(try await network.records(ShoppingItem.self).map(\.entity.name) == ["Milk"])
    }
}
