import Foundation
import Testing

/// A document of the project, as the tests read it.
struct Document {
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    var text: String

    init(text: String) { self.text = text }

    /// - Parameter name: The file's name in Docs.
    init(named name: String) throws {
        text = try String(contentsOf: Self.root.appending(path: "Docs/\(name)"), encoding: .utf8)
    }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The rows of the one table whose header begins with these cells; backticks are left out.
    func table(_ header: String...) throws -> [[String]] {
        let rows = lines.map(Self.cells)
        let starts = rows.indices.filter { rows[$0].starts(with: header) }
        try #require(starts.count == 1, "there must be one table with the columns \(header)")
        return Array(rows[(starts[0] + 2)...].prefix { !$0.isEmpty })
    }

    private static func cells(_ line: Substring) -> [String] {
        guard line.hasPrefix("|") else { return [] }
        return line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.replacing("`", with: "").trimmingCharacters(in: .whitespaces) }
    }

    /// The lines of every Mermaid diagram, trimmed.
    var diagrams: [[String]] { blocks("mermaid") }

    /// The lines of every block of code in a language, trimmed.
    func blocks(_ language: String) -> [[String]] {
        var found: [[String]] = []
        var open: [String]?
        for line in lines {
            if line == "```\(language)" {
                open = []
            } else if line == "```", let block = open {
                found.append(block)
                open = nil
            } else {
                open?.append(line.trimmingCharacters(in: .whitespaces))
            }
        }
        return found
    }

    /// An arrow of a state diagram.
    struct Edge: Hashable, CustomStringConvertible {
        var from: String
        var to: String
        var label: String
        var description: String { "\(from) --> \(to): \(label)" }
    }

    /// The arrows of the one state diagram that has this state. The one from `[*]` has `[*]` as its beginning.
    func edges(ofDiagramWith state: String) throws -> Set<Edge> {
        let drawn = diagrams.filter { $0.first == "stateDiagram-v2" }.map { $0.compactMap(Self.edge) }
        let candidates = drawn.filter { edges in edges.contains { $0.from == state || $0.to == state } }
        try #require(candidates.count == 1, "there must be one diagram with the state \(state)")
        return Set(candidates[0])
    }

    private static func edge(_ line: String) -> Edge? {
        guard let match = line.wholeMatch(of: /(\S+) --> ([^\s:]+)(?:: (.+))?/) else { return nil }
        return Edge(from: String(match.1), to: String(match.2), label: match.3.map { String($0) } ?? "")
    }
}

/// Records what one side has and the other has not.
func expectSame<Element: Hashable>(
    documented: Set<Element>, code: Set<Element>, sourceLocation: SourceLocation = #_sourceLocation
) {
    let missing = code.subtracting(documented)
    let invented = documented.subtracting(code)
    #expect(missing.isEmpty, "the document lacks what the code does: \(missing)", sourceLocation: sourceLocation)
    #expect(
        invented.isEmpty, "the code does not do what the document says: \(invented)", sourceLocation: sourceLocation)
}
