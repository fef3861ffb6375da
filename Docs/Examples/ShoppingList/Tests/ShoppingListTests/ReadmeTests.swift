import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private let text: String

    init() throws {
        text = try String(contentsOf: Self.package.appending(path: "README.md"), encoding: .utf8)
    }

    /// The lines between the mark of a kind of block and the end of the block.
    private func block(_ kind: String) throws -> [String] {
        let lines = text.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: "```" + kind)) + 1
        return Array(lines[start...].prefix { $0 != "```" })
    }

    @Test("shows a session as it is: two devices, a server, and what they print", .timeLimit(.minutes(2)))
    func session() async throws {
        let expected = try block("console").joined(separator: "\n")
        let commands = expected.components(separatedBy: "\n").filter { $0.hasPrefix("$ ") }.map { $0.dropFirst(2) }
        let script = commands.map { "printf '%s\\n' '$ \($0)'\n\($0)" }.joined(separator: "\n")
        let folder = try TestFolder()
        let server = try await ServerProcess(data: folder.url.appending(path: "lists"))
        let path = Programs.folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let output = try await Programs.run(
            URL(filePath: "/bin/sh"), ["-c", script], in: folder.url,
            environment: ["PATH": path, "SHOPPING_SERVER": server.address, "SHOPPING_PASSWORD": "correct horse"])
        #expect(output == expected + "\n")
    }

    @Test("counts the lines of every file as they are")
    func lineCounts() throws {
        var counted: [String: Int] = [:]
        for line in text.components(separatedBy: "\n") where line.hasPrefix("| `Sources/") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            counted[cells[0].trimmingCharacters(in: ["`"])] = Int(cells[1])
        }
        var actual: [String: Int] = [:]
        let sources = Self.package.appending(path: "Sources")
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where path.hasSuffix(".swift") {
            let source = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            actual["Sources/" + path] = source.components(separatedBy: "\n").count { line in
                let code = line.trimmingCharacters(in: .whitespaces)
                return !code.isEmpty && !code.hasPrefix("//")
            }
        }
        #expect(counted == actual)
        let total = actual.values.reduce(0, +)
        #expect(text.contains("| all of it | \(total) |"))
    }
}
