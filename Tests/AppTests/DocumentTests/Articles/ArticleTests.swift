import Foundation
import Testing

/// The articles in the modules' documentation catalogues, held against code that is compiled and run.
@Suite("What the articles of the modules show")
struct ArticleTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let modules = folder.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Modules")

    /// The lines of a block of Swift, and the article that it is in.
    struct Example: CustomTestStringConvertible {
        let article: String
        let lines: [String]

        var testDescription: String { "\(article): \(lines.first ?? "nothing")" }
    }

    @Test(
        "is Swift that is compiled: each example stands in a file of this folder, line by line", arguments: examples())
    func compiled(_ example: Example) throws {
        let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        let sources = try files.filter { $0.pathExtension == "swift" && $0.lastPathComponent != "ArticleTests.swift" }
            .map { try String(contentsOf: $0, encoding: .utf8).components(separatedBy: "\n") }
        #expect(sources.contains { Self.contains($0, example.lines) }, "\(example.lines.joined(separator: "\n"))")
    }

    @Test("is there for each module that is a product")
    func complete() throws {
        let manifest = try String(contentsOf: Self.modules.appending(path: "../Package.swift"), encoding: .utf8)
        let modules = try FileManager.default.contentsOfDirectory(atPath: Self.modules.path)
            .map { "Trendy\($0)" }.filter { manifest.contains(".library(name: \"\($0)\"") }
        let shown = Set(Self.examples().map { String($0.article.prefix { $0 != "/" }) })
        #expect(shown == Set(modules) && modules.count >= 6)
    }

    @Test("may be indented in the code, all of it alike, and may not differ otherwise")
    func comparison() {
        let code = ["{", "    let a = 1", "", "    if a {", "        b()", "    }", "}"]
        #expect(Self.contains(code, ["let a = 1", "", "if a {", "    b()", "}"]))
        #expect(!Self.contains(code, ["let a = 1", "", "if a {", "b()", "}"]))
        #expect(!Self.contains(code, ["let a = 1", "if a {"]))
        #expect(!Self.contains(code, ["let a = 2"]))
        #expect(!Self.contains(code, []))
    }

    /// Every block of Swift in every catalogue.
    private static func examples() -> [Example] {
        let paths = FileManager.default.enumerator(atPath: modules.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted().flatMap { path in
            let text = (try? String(contentsOf: modules.appending(path: path), encoding: .utf8)) ?? ""
            let article = path.split(separator: "/").dropFirst().joined(separator: "/").replacing(".docc", with: "")
            return text.components(separatedBy: "```swift\n").dropFirst().map { rest in
                let block = rest.components(separatedBy: "\n```")[0]
                return Example(article: article, lines: block.components(separatedBy: "\n"))
            }
        }
    }

    private static func contains(_ code: [String], _ example: [String]) -> Bool {
        guard let first = example.first else { return false }
        return code.indices.contains { start in
            guard code[start].hasSuffix(first), start + example.count <= code.count else { return false }
            let margin = code[start].prefix { $0 == " " }
            return zip(code[start...], example).allSatisfy { $0 == ($1.isEmpty ? "" : margin + $1) }
        }
    }
}
