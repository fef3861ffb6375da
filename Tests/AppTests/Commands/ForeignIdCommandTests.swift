import Testing
import TrendyData
import TrendyDomain
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

/// Ids as servers of other people give them.
private let foreignIds = [
    "1b4e28ba-2fa1-41d2-883f-0016d3cca427", "1B4E28BA-2FA1-41D2-883F-0016D3CCA427", "ev_1/2 ?&%é", "42",
]

@MainActor
@Suite("Commands on records under ids of another form")
struct ForeignIdCommandTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    /// A type and an event of it, under the same id, that a server has sent.
    private func receive(_ id: String) throws {
        try shell.change { store in
            try store.upsert(LocalRecord(makeEventType(id: id, name: "tea"), syncStatus: .synced))
            try store.upsert(LocalRecord(makeEvent(id: id, eventTypeId: id, notes: "first"), syncStatus: .synced))
        }
    }

    private func notes() async throws -> [JSONValue?] { try await shell.json("list").array.map { $0["notes"] } }

    @Test("an event is edited, deleted and brought back", arguments: foreignIds)
    func event(id: String) async throws {
        try receive(id)
        let edited = try await shell.run("edit", id, "--note", "second")
        #expect(edited.status == 0, "\(edited.errors)")
        #expect(try await notes() == ["second"])
        let deleted = try await shell.run("rm", id, "--yes")
        #expect(deleted.status == 0, "\(deleted.errors)")
        #expect(try await notes() == [])
        let undone = try await shell.run("undo")
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(try await notes() == ["second"])
    }

    @Test("an event is named by what is shown of its id", arguments: foreignIds.filter { $0.count > ShortId.length })
    func shown(id: String) async throws {
        try receive(id)
        let edited = try await shell.run("edit", ShortId.of(id), "--note", "second")
        #expect(edited.status == 0, "\(edited.errors)")
        #expect(try await notes() == ["second"])
    }

    @Test("a type is edited, and has events logged and timed", arguments: foreignIds)
    func type(id: String) async throws {
        try receive(id)
        for words in [
            ["type", "edit", "tea", "--color", "#112233"], ["type", "edit", id, "--icon", "leaf"],
            ["prop", "add", "tea", "cups", "--kind", "number"], ["log", id, "--note", "third"], ["start", "tea"],
            ["stop", "tea"], ["place", "add", "pub", "--lat", "1", "--lon", "2"],
        ] {
            let answer = try await shell.run(words)
            #expect(answer.status == 0, "\(words): \(answer.errors)")
        }
        let events = try await shell.json("list").array
        #expect(events.map { $0["event_type_id"] } == [.string(id), .string(id), .string(id)])
    }

    @Test("a file's rows go to such a type, and an export goes in again", arguments: foreignIds)
    func imported(id: String) async throws {
        try receive(id)
        let file = try shell.home.write("time,type,note\n2026-03-09 10:00,tea,from a file\n", to: "a.csv")
        let rows = try await shell.run("import", "csv", file)
        #expect(rows.status == 0, "\(rows.errors)")
        #expect(Set(try await notes()) == ["first", "from a file"])
        let export = shell.home.path + "/all.json"
        _ = try await shell.run("export", "json", "--output", export)
        let again = try await shell.run("import", "json", export)
        #expect(again.status == 0 && again.output.contains("imported 0 events, 2 already there"), "\(again)")
    }

    @Test("what is neither an id nor a filter says what is wrong with it", arguments: ["x", "no id", "ev_2"])
    func noId(text: String) async throws {
        try receive("ev_1/2 ?&%é")
        let answer = try await shell.run("edit", text, "--note", "x")
        #expect(answer.status == 65 && answer.errors.contains("there is no type"), "\(answer)")
    }
}
