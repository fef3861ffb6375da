import Foundation
import Testing
import TrendyConformance

@Suite("Docs/Conformance.md")
struct ConformanceDocumentTests {
    /// The cells of the rows of the table with this header, without backticks.
    private func table(_ header: String) throws -> [[String]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "Docs/Conformance.md"), encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: header), "there is no table \(header)")
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.dropFirst().dropLast().components(separatedBy: "|")
                .map { $0.replacing("`", with: "").trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("lists every rule with what it demands and its section, in the order of the code")
    func rules() throws {
        let documented = try table("| rule | what it demands | section |")
        let rules = ConformanceRule.all.map {
            [$0.name, $0.demand.replacing("`", with: ""), $0.section.rawValue]
        }
        #expect(documented == rules)
        #expect(Set(rules.map { $0[0] }).count == rules.count)
    }

    @Test("lists every deviation")
    func deviations() throws {
        let documented = try table("| name | the way of deployed servers |")
        #expect(documented == KnownDeviation.allCases.map { [$0.rawValue, $0.summary.replacing("`", with: "")] })
    }
}
