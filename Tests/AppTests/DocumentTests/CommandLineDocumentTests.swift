import Foundation
import Testing
import TrendyData
import TrendyDomain

@testable import TrendyApp

@MainActor
@Suite("Docs/CLI.md")
struct CommandLineDocumentTests {
    private nonisolated static let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../Docs/CLI.md").standardizedFileURL

    /// With `UPDATE_DOCUMENTS=1` in the environment the document is written anew instead.
    @Test("every example writes what the document shows")
    func examples() async throws {
        let document = ConsoleDocument(try String(contentsOf: Self.file, encoding: .utf8))
        try await withServer { server in
            try ConsoleDocument.expect(try await Self.renewed(document, server), in: Self.file)
        }
    }

    private static func renewed(_ document: ConsoleDocument, _ server: ServerAddress) async throws -> [String] {
        let person = try ConsolePerson(server: server.description)
        return try await document.renewed(person.run)
    }

    @Test("every command is in it")
    func commands() throws {
        let lines = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        let text = lines.joined(separator: " ")
        for (path, _) in CommandTree.leaves() {
            let name = path.joined(separator: " ")
            let isThere = text.contains(name)
            #expect(isThere, "\(name) is not in it")
        }
    }
}
