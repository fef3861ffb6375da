import Foundation
import Testing

/// Docs/Testing.md, held against code that is compiled and run.
@Suite("What Testing.md says")
struct TestingDocumentTests {
    @Test("as Swift is compiled: each example stands in the file of examples, line by line")
    func examples() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "TestingExamples.swift")
        let compiled = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").map {
            $0.trimmingCharacters(in: .whitespaces).replacing(/^private struct/, with: "struct")
        }
        let examples = try Document(named: "Testing.md").blocks("swift")
        #expect(examples.count == 9)
        for example in examples {
            let isThere = compiled.indices.contains { compiled[$0...].starts(with: example) }
            #expect(isThere, "\(example.joined(separator: "\n")) is not in \(file.lastPathComponent)")
        }
    }

    @Test("of the kit names what the kit has")
    func table() throws {
        let sources = Document.root.appending(path: "Modules/TestSupport")
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path(percentEncoded: false))
        let code = try files.filter { $0.hasSuffix(".swift") }.map {
            try String(contentsOf: sources.appending(path: $0), encoding: .utf8)
        }.joined()
        let named = try Document(named: "Testing.md").table("in the kit").flatMap { row in
            row[0].split(separator: ", ").map { $0.split(separator: ".").last ?? $0 }
        }
        #expect(named.count > 10)
        for name in named {
            let declaration = try Regex("public (static |final )?(class|struct|actor|func) \(name)\\b")
            #expect(code.contains(declaration), "the kit has no \(name)")
        }
    }
}
