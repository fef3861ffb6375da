import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Taking back an edit that won a conflict")
struct UndoConflictTests {
    private let shell: TestShell
    private let network = MockNetworkClient()
    private let id: String

    /// A note that was 'base', and that both sides have changed: to 'mine' here, which won, and to 'theirs' elsewhere.
    init() async throws {
        shell = try TestShell()
        let event = try await shell.json("log", "coffee", "--create-type", "--note", "base")
        id = try #require(event["id"]?.stringValue)
        try await sync()
        _ = try await network.edit(Event.self, id: id) { @Sendable event in event.notes = "theirs" }
        _ = try await shell.json("edit", id, "--note", "mine", "--location", "here")
        try await sync()
    }

    private func sync() async throws {
        let engine = SyncEngine(networkClient: network, dataStoreFactory: shell.stores, wallClock: shell.clock)
        #expect(await engine.performSync().failure == nil)
    }

    private func notes() async throws -> [String?] {
        try await sync()
        return [
            try await shell.json("show", id)["notes"]?.stringValue,
            try await network.record(Event.self, id: id)?.entity.notes,
        ]
    }

    @Test("brings the value of the other device back, and settles the conflict")
    func lost() async throws {
        #expect(try await notes() == ["mine", "mine"])
        #expect(try await shell.json("conflicts").array.count == 1)
        let undone = try await shell.output("undo")
        #expect(undone.hasPrefix("took back: the change of coffee"), "\(undone)")
        #expect(undone.hasSuffix("; notes is 'theirs', as it was elsewhere\n"), "\(undone)")
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
        let lost = try LostValues(shell.stores.makeDataStore())
        let text = #"{"operation":"update","entity_type":"event","id":"\#(id)"}"#
        var step = try WireCoding.decode(UndoStep.self, from: Data(text.utf8))
        #expect(step.at == nil && lost.against("mine", in: "notes", of: step).count == 1)
        step.at = shell.clock.now()
        #expect(lost.against("mine", in: "notes", of: step).count == 1)
        step.at = shell.clock.now().advanced(bySeconds: 1)
        #expect(lost.against("mine", in: "notes", of: step).isEmpty)
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
}
