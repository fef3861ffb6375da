import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("A type that was made here, and that another device had made too")
struct JoinedTypeTests {
    private let shell: TestShell
    private let server = ExchangeServer()
    private let network: MockNetworkClient
    private let other = makeEventType(name: "coffee")
    private let kept = "kept: another device had made it too\n"

    init() throws {
        shell = try TestShell()
        network = MockNetworkClient(exchange: server)
    }

    private func sync() async {
        for _ in 0..<2 { #expect(await shell.sync(with: network).failure == nil) }
    }

    private func types() async throws -> [JSONValue?] {
        try await shell.json("type", "list").array.filter { $0["name"] == "coffee" }.map { $0["id"] }
    }

    /// Syncs with a server that has the other type by now.
    private func meet() async throws {
        try server.create(other)
        await sync()
        #expect(try await types() == [.string(other.id)])
    }

    @Test("has the timer that ran here: it is stopped, logged and taken back")
    func timer() async throws {
        _ = try await shell.json("start", "coffee", "--create-type", "--note", "first")
        try await meet()
        let again = try await shell.run("start", "coffee")
        #expect(again.status == 65 && again.errors.contains("a timer of coffee is running since"), "\(again.errors)")
        shell.clock.advance(bySeconds: 60)
        let stopped = try await shell.json("stop")
        #expect(stopped["event_type_id"] == .string(other.id) && stopped["notes"] == "first")
        #expect(try await shell.output("undo").hasSuffix("; its timer runs again\n"))
        let undone = try await shell.output("undo")
        #expect(undone.hasPrefix("undid the start of coffee, ") && undone.hasSuffix(kept), "\(undone)")
        #expect(try await shell.json("status")["running"]?.array.isEmpty == true)
        #expect(try await types() == [.string(other.id)])
    }

    @Test("can have two timers then: that which was started first is stopped first, and none is lost")
    func twoTimers() async throws {
        var named = other
        named.name = "kaffee"
        try server.create(named)
        await sync()
        _ = try await shell.json("start", "kaffee", "--note", "first")
        shell.clock.advance(bySeconds: 60)
        _ = try await shell.json("start", "coffee", "--create-type", "--note", "second")
        try server.change(.eventType, other.id, ["name": "coffee"])
        await sync()
        #expect(try await types() == [.string(other.id)])
        let first = try await shell.json("stop", "coffee")
        let second = try await shell.json("stop")
        #expect(first["notes"] == "first" && second["notes"] == "second")
        #expect([first, second].allSatisfy { $0["event_type_id"] == .string(other.id) })
    }

    @Test("has the aliases that were given here, and undo takes each back")
    func alias() async throws {
        _ = try await shell.json("type", "add", "coffee")
        _ = try await shell.json("type", "edit", "coffee", "--alias", "cup")
        try await meet()
        #expect(try await shell.json("log", "cup")["event_type_id"] == .string(other.id))
        _ = try await shell.json("type", "edit", "coffee", "--alias", "mug")
        #expect(try await shell.output("undo") == "undid the creation of the alias mug of coffee\n")
        #expect(try await shell.output("undo").hasPrefix("undid the creation of coffee, "))
        #expect(try await shell.output("undo") == "undid the creation of the alias cup of coffee\n")
        #expect(try await shell.run("log", "cup").status == 65)
        let undone = try await shell.output("undo")
        #expect(undone.hasPrefix("undid nothing; the event type coffee (") && undone.hasSuffix(kept), "\(undone)")
        #expect(try await types() == [.string(other.id)])
    }

    @Test("gets an event that was deleted before, when its deletion is undone")
    func deletedEvent() async throws {
        let event = try await shell.json("log", "coffee", "--create-type", "--note", "kept")
        let id = try #require(event["id"]?.stringValue)
        _ = try await shell.json("rm", id)
        try await meet()
        _ = try await shell.output("undo")
        #expect(try await shell.json("show", id)["event_type_id"] == .string(other.id))
        await sync()
        #expect(server.document(.event, id)?["event_type_id"] == .string(other.id))
        let undone = try await shell.output("undo")
        #expect(undone.hasPrefix("undid the creation of coffee, ") && undone.hasSuffix(kept), "\(undone)")
        await sync()
        #expect(server.records(of: .event).isEmpty && server.records(of: .eventType).count == 1)
    }

    @Test("gives an event back to its former type, when the edit that moved it here is undone")
    func movedEvent() async throws {
        let event = try await shell.json("log", "tea", "--create-type")
        let id = try #require(event["id"]?.stringValue)
        _ = try await shell.json("type", "add", "coffee")
        _ = try await shell.json("edit", id, "--type", "coffee")
        try await meet()
        #expect(try await shell.json("show", id)["event_type_id"] == .string(other.id))
        #expect(try await shell.output("undo").hasPrefix("undid the change of "))
        #expect(try await shell.json("show", id)["event_type_id"] == event["event_type_id"])
    }
}
