import Testing
import TrendyDomain
import TrendySync
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Quarantine")
struct QuarantineCommandTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    private func setAside(_ ids: String...) throws {
        try shell.change { store in
            for (place, id) in ids.enumerated() {
                try store.putDocument(
                    QuarantinedChange(
                        id: id,
                        entry: ChangeEntry(
                            id: Int64(place), entityType: "mood", operation: .update, entityId: "m\(place)",
                            data: ["id": .string("m\(place)"), "note": "a\nb"]),
                        reason: "the kind 'mood' is not known here", receivedAt: TestShell.noon))
            }
        }
    }

    @Test("is listed with its reasons, and every key in JSON")
    func list() async throws {
        #expect(try await shell.run("quarantine").output == "the quarantine is empty\n")
        try setAside("mood-0000aaaa", "mood-0000bbbb")
        let listed = try await shell.json("quarantine", "list").array
        let keys: Set = [
            "id", "revision", "data", "reason", "entity_type", "entity_id", "received_at",
        ]
        #expect(listed.count == 2 && Set(listed[0].objectValue?.keys.map { $0 } ?? []) == keys)
        #expect(listed[1]["revision"] == 1)
        #expect(listed[1]["data"]?["note"] == "a\nb")
        let text = try await shell.run("quarantine").output
        #expect(text.contains("0000bbbb  mood") && text.contains("'mood' is not known"))
        #expect(try await shell.run("status").output.contains("trendy quarantine list"))
    }

    @Test("is let go by name, or all at once")
    func discard() async throws {
        try setAside("mood-0000aa10", "mood-0000aa11", "mood-0000aa12")
        let ambiguous = try await shell.run("quarantine", "discard", "mood-0000aa1")
        #expect(ambiguous.status == 65 && ambiguous.errors.contains("mood-0000aa12"))
        let unknown = try await shell.run("quarantine", "discard", "mood-0000aa10", "mood-99")
        #expect(unknown.status == 65 && unknown.errors.contains("trendy quarantine list"))
        #expect(try await shell.run("quarantine", "discard").status == 64)
        #expect(try await shell.run("quarantine", "discard", "mood-0000aa10", "--all").status == 64)
        #expect(try await shell.json("quarantine", "discard", "0000aa11").array.map { $0["id"] } == ["mood-0000aa11"])
        #expect(try await shell.json("quarantine").array.count == 2)
        #expect(try await shell.run("quarantine", "discard", "--all").output == "discarded 2 changes\n")
        #expect(try await shell.json("quarantine") == [])
    }
}
