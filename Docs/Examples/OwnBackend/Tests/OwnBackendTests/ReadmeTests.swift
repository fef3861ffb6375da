import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    @Test("counts the lines of every file as they are")
    func lineCounts() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
        var counted: [String: Int] = [:]
        for line in text.components(separatedBy: "\n") where line.hasPrefix("| `Sources/") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            counted[cells[0].trimmingCharacters(in: ["`"])] = Int(cells[1])
        }
        var actual: [String: Int] = [:]
        let sources = package.appending(path: "Sources")
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where path.hasSuffix(".swift") {
            let source = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            actual["Sources/" + path] = source.components(separatedBy: "\n").count { line in
                let code = line.trimmingCharacters(in: .whitespaces)
                return !code.isEmpty && !code.hasPrefix("//")
            }
        }
        #expect(counted == actual)
        #expect(text.contains("| all of it | \(actual.values.reduce(0, +)) |"))
    }
}
