import Foundation
import Testing
import TrendySimulator

@Suite("What the documents say of planted bugs and campaigns")
struct BugDocumentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The rows of the table of promises: a promise's number, its name as the document writes it, and its last column.
    private static func rows() throws -> [(number: Int, bugs: Set<String>, checkers: Set<String>)] {
        try text("Docs/PromiseTests.md").split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, let word = cells[0].split(separator: " ").first, let number = Int(word) else {
                return nil
            }
            let bugs = cells[3].matches(of: /"([^"]+)"/).map { String($0.output.1) }
            let checkers = cells[1].matches(of: /`([^`]+)`/).map { String($0.output.1) }
            return (number, Set(bugs), Set(checkers))
        }
    }

    @Test("PromiseTests.md names the planted bugs that there are, each beside its promise", arguments: Promise.allCases)
    func bugs(of promise: Promise) throws {
        let row = try #require(try Self.rows().first { $0.number == promise.rawValue })
        #expect(row.bugs == Set(PlantedBug.all.filter { $0.promise == promise }.map(\.name)))
    }

    @Test("PromiseTests.md and Simulation.md name the checkers that there are")
    func checkers() throws {
        let folder = Self.root.appending(path: "Tests/Simulator/Promises").path(percentEncoded: false)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix("Checker.swift") }
        let there = Set(files.map { String($0.dropLast(".swift".count)) }).subtracting(["PromiseChecker"])
        #expect(try Self.rows().reduce(into: Set()) { $0.formUnion($1.checkers) } == there)
        let simulation = try Self.text("Docs/Simulation.md")
        #expect(there.filter { !simulation.contains("`\($0).swift`") } == [])
    }

    @Test("Simulation.md says how many histories a test run has")
    func histories() throws {
        let said =
            "`make test` runs \(CampaignTests.histories) histories of each gateway, and "
            + "\(CampaignTests.quietHistories) without faults"
        #expect(try Self.text("Docs/Simulation.md").replacing("\n", with: " ").contains(said))
    }
}
