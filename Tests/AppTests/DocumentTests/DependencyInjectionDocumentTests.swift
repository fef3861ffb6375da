import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyApp

/// Docs/DependencyInjection.md, held against the graph and against code that is compiled.
@MainActor
@Suite("What DependencyInjection.md says")
struct DependencyInjectionDocumentTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private let lines: [String]

    init() throws {
        let root = Self.folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "Docs/DependencyInjection.md"), encoding: .utf8)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }

    @Test("of the program's graph is what is registered: type, and what it is made from")
    func graph() throws {
        let start = try #require(lines.firstIndex(of: "| type | made from |"))
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
        let configuration = TrendyConfiguration(folders: Folders(data: "/nowhere", config: "/nowhere"))
        let graph = DependencyRegistrations.production(configuration: configuration, process: .current())
        let registered = graph.byType.values.map { registration in
            let needs = registration.needs.map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(registration.type)` | \(needs.isEmpty ? "–" : needs) |"
        }
        // As the language writes it, not its runtime.
        let named = registered.map {
            $0.replacing("any Clock<Self.Clock.Duration == Duration>", with: "Clock<Duration>")
        }
        #expect(Array(rows).sorted() == named.sorted())
    }

    @Test("as Swift is compiled: each example stands in the file of examples, line by line")
    func examples() throws {
        let file = Self.folder.appending(path: "DependencyInjectionExamples.swift")
        let compiled = Self.trimmed(try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n"))
        var examples: [[String]] = []
        var open: [String]?
        for line in Self.trimmed(lines) {
            if line == "```swift" {
                open = []
            } else if line == "```", let example = open {
                examples.append(example)
                open = nil
            } else {
                open?.append(line)
            }
        }
        #expect(examples.count == 4)
        for example in examples {
            let places = compiled.indices.filter { compiled[$0...].starts(with: example) }
            #expect(!places.isEmpty, "\(example.joined(separator: "\n")) is not in \(file.lastPathComponent)")
        }
    }

    private static func trimmed(_ lines: [String]) -> [String] {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
