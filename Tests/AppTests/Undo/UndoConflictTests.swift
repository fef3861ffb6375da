import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Taking back an edit that won a conflict")
struct UndoConflictTests {
    private let shell: TestShell
    private let server = ExchangeServer()
    private let network: MockNetworkClient
    private let id: String

    /// A note that was 'base', and that both sides have changed: to 'mine' here, which won, and to 'theirs' elsewhere.
    init() async throws {
        shell = try TestShell()
        network = MockNetworkClient(exchange: server)
        let event = try await shell.json("log", "coffee", "--create-type", "--note", "base")
        id = try #require(event["id"]?.stringValue)
        await shell.sync(with: network)
        try server.change(.event, id, ["notes": "theirs"])
        _ = try await shell.json("edit", id, "--note", "mine", "--location", "here")
        await shell.sync(with: network)
    }

    private func notes() async throws -> [String?] {
        #expect(await shell.sync(with: network).failure == nil)
        return [
            try await shell.json("show", id)["notes"]?.stringValue, server.document(.event, id)?["notes"]?.stringValue,
        ]
    }

    @Test("brings the value of the other device back, and settles the conflict")
    func lost() async throws {
        #expect(try await notes() == ["mine", "mine"])
        #expect(try await shell.json("conflicts").array.count == 1)
        let undone = try await shell.output("undo")
        #expect(undone.hasPrefix("undid the change of coffee"), "\(undone)")
        #expect(undone.hasSuffix("; notes is 'theirs', as on the other device\n"), "\(undone)")
        #expect(try await shell.json("conflicts") == [])
        #expect(try await notes() == ["theirs", "theirs"])
        #expect(try await shell.json("show", id)["location_name"] == nil)
        _ = try await shell.json("redo")
        #expect(try await notes() == ["mine", "mine"])
    }

    @Test("that another edit of the same value had won is not: its own former value comes back")
    func otherEdit() async throws {
        shell.clock.advance(bySeconds: 60)
        _ = try await shell.json("edit", id, "--note", "later")
        _ = try await shell.json("edit", id, "--note", "mine")
        _ = try await shell.json("undo")
        #expect(try await notes() == ["later", "later"])
        #expect(try await shell.json("conflicts").array.count == 1)
    }

    @Test("is told by the time of the edit, where the journal has one")
    func timeOfEdit() throws {
        let lost = try OverruledValues(shell.stores.makeDataStore())
        let text = #"{"operation":"update","entity_type":"event","id":"\#(id)"}"#
        var step = try WireCoding.decode(UndoStep.self, from: Data(text.utf8))
        #expect(step.at == nil && lost.against("mine", at: FieldPath("notes"), of: step).count == 1)
        step.at = shell.clock.now()
        #expect(lost.against("mine", at: FieldPath("notes"), of: step).count == 1)
        step.at = shell.clock.now().advanced(bySeconds: 1)
        #expect(lost.against("mine", at: FieldPath("notes"), of: step).isEmpty)
    }

    @Test("of a later edit nothing but that edit is taken back: the conflict stands")
    func later() async throws {
        _ = try await shell.json("edit", id, "--note", "later")
        let listed = try await shell.output("conflicts")
        #expect(listed.contains("notes is 'later', elsewhere it was 'theirs'"), "\(listed)")
        let conflict = try #require(try await shell.json("conflicts").array.first?["id"]?.stringValue)
        let shown = try await shell.output("conflicts", "show", conflict)
        #expect(shown.contains(/now +later\n/) && shown.contains(/here +mine\n/), "\(shown)")
        _ = try await shell.json("undo")
        #expect(try await notes() == ["mine", "mine"])
        #expect(try await shell.json("conflicts").array.count == 1)
        _ = try await shell.json("edit", id, "--note", "latest")
        let restored = try await shell.output("conflicts", "restore", conflict)
        #expect(restored.hasSuffix("notes is 'theirs' now, it was 'latest'\n"), "\(restored)")
    }

    @Test("of a property takes that one back alone, with what it won against, and leaves what others set meanwhile")
    func property() async throws {
        for key in ["mood", "pace"] { _ = try await shell.json("prop", "add", "coffee", key, "--kind", "number") }
        _ = try await shell.json("edit", id, "--prop", "mood=1", "--prop", "pace=1")
        await shell.sync(with: network)
        try server.change(.event, id, ["properties": ["mood": ["type": "number", "value": 2]]])
        _ = try await shell.json("edit", id, "--prop", "mood=3")
        await shell.sync(with: network)
        try server.change(.event, id, ["properties": ["pace": ["type": "number", "value": 4]]])
        await shell.sync(with: network)
        let undone = try await shell.output("undo")
        #expect(undone.hasSuffix("; property mood is '2', as on the other device\n"), "\(undone)")
        await shell.sync(with: network)
        let properties = server.document(.event, id)?["properties"]
        #expect(properties?["mood"]?["value"] == 2 && properties?["pace"]?["value"] == 4)
    }
}
