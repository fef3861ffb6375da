import Testing
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("What is said of changes that crossed those of another device")
struct CrossedChangesTests {
    private let shell: TestShell
    private let server = ExchangeServer()
    private let network: MockNetworkClient

    init() throws {
        shell = try TestShell()
        network = MockNetworkClient(exchange: server)
    }

    @Test("the same type made on both sides: what lost is said to be from here, and restoring takes that")
    func twins() async throws {
        try server.create(makeEventType(name: "run", icon: "circle.fill"))
        _ = try await shell.json("type", "add", "run", "--icon", "leaf")
        await shell.sync(with: network)
        let listed = try await shell.run("conflicts").output
        #expect(listed.contains("icon is 'circle.fill', here it was 'leaf'"))
        let id = try #require(
            try await shell.json("conflicts").array.first { $0["field"] == "icon" }?["id"]?.stringValue)
        let shown = try await shell.run("conflicts", "show", id).output
        #expect(shown.contains("takes the value from here"))
    }

    @Test("an event that was never sent, and whose type was deleted elsewhere: what is said and advised is so")
    func deletedType() async throws {
        let (type, other) = (makeEventType(name: "run"), makeEventType(name: "walk"))
        for type in [type, other] { try server.create(type) }
        await shell.sync(with: network)
        _ = try await shell.json("log", "run")
        try server.delete(.eventType, type.id)
        await shell.sync(with: network)
        let change = try #require(try await shell.json("queue").array.first)
        #expect(change["state"] == "parked" && change["reason"]?["code"] == "blocked")
        let number = WireNumber.text(try #require(change["id"]))
        let listed = try await shell.output("queue")
        #expect(listed.contains("the server does not have its event type"), "\(listed)")
        let advice = try await shell.output("queue", "show", number)
        #expect(advice.contains("its event type was deleted"), "\(advice)")
        #expect(advice.contains("trendy queue edit \(number) event_type_id="))
        #expect(try await shell.run("queue", "retry", number).status == 65)
        let edited = try await shell.run("queue", "edit", number, "event_type_id=\(other.id)")
        #expect(edited.status == 0 && edited.output.contains("will be sent by the next sync"), "\(edited)")
        await shell.sync(with: network)
        #expect(server.records(of: .event).map { $0["event_type_id"] } == [.string(other.id)])
    }

    @Test("the deletion of a type waits for the refused change that moves an event away from it")
    func deletedAfterMove() async throws {
        let (type, other) = (makeEventType(name: "run"), makeEventType(name: "walk"))
        for type in [type, other] { try server.create(type) }
        let event = makeEvent(eventTypeId: type.id, timestamp: TestShell.noon)
        try server.create(event)
        await shell.sync(with: network)
        _ = try await shell.json("edit", event.id, "--type", "walk")
        server.reject([event.id])
        await shell.sync(with: network)
        try await shell.engine.delete(EventType.self, id: type.id)
        await shell.sync(with: network)
        let queue = try await shell.json("queue").array
        #expect(queue.map { $0["operation"] } == ["update", "delete"], "\(queue)")
        #expect(queue[0]["waits_for"] == .null && queue[1]["waits_for"] == queue[0]["id"])
        try await shell.engine.delete(Event.self, id: event.id)
        #expect(try await shell.json("queue").array.allSatisfy { $0["waits_for"] == .null })
    }

    @Test("an event whose type the server refuses waits for that one, and goes by itself once it is mended")
    func refusedType() async throws {
        await shell.sync(with: network)
        _ = try await shell.json("log", "run", "--create-type")
        try shell.change { store in
            guard var create = try store.findMutation(id: 1) else { return }
            create.state = .parked(ParkReason(code: .rejected, message: "the name is not liked"))
            try store.updateMutation(create)
        }
        await shell.sync(with: network)
        let queue = try await shell.json("queue").array
        #expect(queue.map { $0["state"] } == ["parked", "parked"] && queue[1]["reason"]?["code"] == "blocked")
        #expect(queue[1]["waits_for"] == 1)
        #expect(try await shell.output("queue").contains("waits for change 1, which cannot be sent yet"))
        #expect(try await shell.output("queue", "show", "2").contains("see 'trendy queue show 1'"))
        _ = try await shell.output("queue", "edit", "1", "name=jog")
        await shell.sync(with: network)
        #expect(try await shell.json("queue") == [])
        #expect(server.records(of: .event).count == 1)
    }

    @Test("edits of different properties of one event both stand; of the same, the other value can be restored alone")
    func properties() async throws {
        _ = try await shell.json("log", "run", "--create-type")
        for key in ["mood", "pace"] { _ = try await shell.json("prop", "add", "run", key, "--kind", "number") }
        let event = try await shell.json("log", "run", "--prop", "mood=1", "--prop", "pace=1")
        let id = try #require(event["id"]?.stringValue)
        await shell.sync(with: network)
        func elsewhere(_ key: String, _ value: JSONValue) throws {
            try server.change(.event, id, ["properties": [key: ["type": "number", "value": value]]])
        }
        func numbers() -> [JSONValue?] {
            ["mood", "pace"].map { server.document(.event, id)?["properties"]?[$0]?["value"] }
        }
        try elsewhere("pace", 2)
        _ = try await shell.json("edit", id, "--prop", "mood=3")
        await shell.sync(with: network)
        #expect(numbers() == [3, 2])
        #expect(try await shell.json("conflicts") == [])

        try elsewhere("mood", 4)
        _ = try await shell.json("edit", id, "--prop", "mood=5", "--prop", "pace=6")
        await shell.sync(with: network)
        #expect(numbers() == [5, 6])
        let conflict = try #require(try await shell.json("conflicts").array.first)
        #expect(
            conflict["field"] == "properties" && conflict["key"] == "mood" && conflict["losing_side"] == "elsewhere")
        let listed = try await shell.output("conflicts")
        #expect(listed.contains("property mood is '5', elsewhere it was '4'"), "\(listed)")
        let name = try #require(conflict["id"]?.stringValue)
        let shown = try await shell.output("conflicts", "show", name)
        #expect(shown.contains(/here +5\n/) && shown.contains(/elsewhere +4\n/), "\(shown)")
        let restored = try await shell.output("conflicts", "restore", name)
        #expect(restored.hasSuffix("property mood is '4' now, it was '5'\n"), "\(restored)")
        await shell.sync(with: network)
        #expect(numbers() == [4, 6])
    }
}

private enum WireNumber {
    static func text(_ value: JSONValue) -> String {
        if case .integer(let whole) = value { "\(whole)" } else { "" }
    }
}
