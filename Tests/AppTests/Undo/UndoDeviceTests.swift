import Testing
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Taking back what is kept on this device alone")
struct UndoDeviceTests {
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        for type in ["run", "nap"] { _ = try await shell.json("type", "add", type) }
        _ = try await shell.json("log", "nap", "--at", "8:00")
    }

    private func running() async throws -> [JSONValue] {
        try #require(try await shell.json("status")["running"]).array
    }

    private func events() async throws -> Int { try await shell.json("list").array.count }

    private func short(_ value: JSONValue) throws -> String { ShortId.of(try #require(value["id"]?.stringValue)) }

    @Test("a start is taken back, and done again, before anything older")
    func start() async throws {
        let id = try short(try await shell.json("start", "run", "--note", "with Kim", "--at", "11:00"))
        let before = try await running()
        #expect(before.count == 1)
        #expect(try await shell.run("undo").output == "undid the start of run, 2026-03-10 11:00 (\(id))\n")
        #expect(try await running().isEmpty)
        #expect(try await events() == 1)
        #expect(try await shell.run("redo").output == "redid the start of run, 2026-03-10 11:00 (\(id))\n")
        #expect(try await running() == before)
        #expect(try await shell.json("stop")["notes"] == "with Kim")
    }

    @Test("a start that made its type is taken back with it, and named by it")
    func startOfNewType() async throws {
        let id = try short(try await shell.json("start", "swim", "--create-type", "--at", "11:00"))
        let type = ShortId.of(try await typeId("swim"))
        let text = "the start of swim, 2026-03-10 11:00 (\(id)), the creation of the event type swim (\(type))"
        #expect(try await shell.output("undo") == "undid \(text)\n")
        #expect(try await shell.output("redo") == "redid \(text)\n")
        #expect(try await running().count == 1)
    }

    @Test("a stop is taken back: the event goes, and the timer runs from its old start")
    func stop() async throws {
        _ = try await shell.json("start", "run", "--at", "11:00", "--note", "with Kim")
        let before = try await running()
        let stopped = try await shell.json("stop", "--note", "alone")
        let text = "the stop of run, 2026-03-10 11:00 to 2026-03-10 12:00 (\(try short(stopped)))"
        #expect(try await shell.run("undo").output == "undid \(text); its timer runs again\n")
        #expect(try await running() == before)
        #expect(try await events() == 1)
        #expect(try await shell.run("redo").output == "redid \(text)\n")
        #expect(try await running().isEmpty)
        let again = try await shell.json("show", try short(stopped))
        #expect(again == stopped && again["notes"] == "with Kim\nalone")
        for _ in 0..<2 { #expect(try await shell.run("undo").status == 0) }
        #expect(try await running().isEmpty)
        #expect(try await events() == 1)
        for _ in 0..<2 { #expect(try await shell.run("redo").status == 0) }
        #expect(try await running().isEmpty)
        #expect(try await events() == 2)
    }

    @Test(
        "what was changed in the event after the stop goes back into the timer, and with the next stop into the event")
    func changedSince() async throws {
        _ = try await shell.json("start", "run", "--at", "11:00", "--note", "with Kim")
        let id = try #require(try await shell.json("stop")["id"]?.stringValue)
        // As a sync brings it: undo knows nothing of it.
        var event = try #require(try shell.stores.makeReader().find(Event.self, id: id)?.entity)
        event.notes = "changed elsewhere"
        event.locationName = "park"
        try await shell.engine.update(event)
        #expect(try await shell.run("undo").output.contains("its timer runs again"))
        let stopped = try await shell.json("stop")
        #expect(stopped["notes"] == "changed elsewhere" && stopped["location_name"] == "park")
    }

    @Test("a timer that was discarded runs again")
    func discarded() async throws {
        _ = try await shell.json("start", "run")
        _ = try await shell.json("stop", "--discard")
        #expect(try await shell.run("undo").output.contains("the discard of the timer of run"))
        #expect(try await running().count == 1)
        _ = try await shell.json("redo")
        #expect(try await running().isEmpty)
    }

    @Test("a stop is not taken back while another timer of its type runs")
    func occupied() async throws {
        _ = try await shell.json("start", "run")
        _ = try await shell.json("stop")
        let other = makeEvent(eventTypeId: try await typeId("run"))
        try await shell.engine.perform { writes in
            var timers = try RunningTimers.load(writes)
            timers.add(other)
            try timers.save(in: writes)
        }
        let answer = try await shell.run("undo")
        #expect(answer.status == 65 && answer.errors.contains("'trendy stop run'"))
        #expect(try await events() == 2)
    }

    @Test("an alias is taken back and given again, and one that was taken away comes back")
    func alias() async throws {
        let id = ShortId.of(try await typeId("run"))
        _ = try await shell.json("type", "edit", "run", "--alias", "jogging", "--name", "jog")
        let text = "the creation of the alias jogging of"
        #expect(try await shell.output("undo") == "undid \(text) run, the change of the event type jog (\(id))\n")
        #expect(try await shell.run("log", "jogging").status == 65)
        #expect(try await shell.output("redo") == "redid the change of the event type run (\(id)), \(text) jog\n")
        #expect(try await shell.output("log", "jogging").hasPrefix("logged jog, "))
        _ = try await shell.json("undo")
        _ = try await shell.json("type", "edit", "jog", "--clear-alias", "jogging")
        #expect(try await shell.output("undo") == "undid the deletion of the alias jogging of jog\n")
        #expect(try await shell.output("log", "jogging").hasPrefix("logged jog, "))
        #expect(try await events() == 2)
    }

    @Test("what cannot be taken back does not hide what is: the line names the older change")
    func named() async throws {
        let id = try short(try await shell.json("log", "run", "--at", "9:15"))
        _ = try await shell.json("config", "set", "autosync", "false")
        let file = shell.home.path + "/copy"
        _ = try await shell.json("backup", file)
        _ = try await shell.json("restore", file, "--yes")
        #expect(try await shell.output("undo") == "undid the creation of run, 2026-03-10 09:15 (\(id))\n")
        #expect(try await shell.json("config", "get", "autosync")["value"] == "false")
    }

    @Test("what changes nothing but this device starts no sync")
    func unsynced() async throws {
        let before = try await shell.json("status")["pending"]
        _ = try await shell.json("start", "run")
        _ = try await shell.json("type", "edit", "run", "--alias", "r")
        for _ in 0..<2 { _ = try await shell.json("undo") }
        #expect(try await shell.json("status")["pending"] == before)
    }

    private func typeId(_ name: String) async throws -> String {
        let type = try await shell.json("type", "list").array.first { $0["name"]?.stringValue == name }
        return try #require(type?["id"]?.stringValue)
    }
}
