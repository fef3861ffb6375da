import Testing
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("What is said of changes that crossed those of another device")
struct CrossedChangesTests {
    private let shell: TestShell
    private let network = MockNetworkClient()
    private let engine: SyncEngine

    init() throws {
        shell = try TestShell()
        engine = SyncEngine(networkClient: network, dataStoreFactory: shell.stores, wallClock: shell.clock)
    }

    @Test("the same type made on both sides: what lost is said to be from here, and restoring takes that")
    func twins() async throws {
        try await network.put(makeEventType(name: "run", icon: "circle.fill"))
        _ = try await shell.json("type", "add", "run", "--icon", "leaf")
        _ = await engine.performSync()
        let listed = try await shell.run("conflicts").output
        #expect(listed.contains("icon is 'circle.fill', here it was 'leaf'"))
        let id = try #require(
            try await shell.json("conflicts").array.first { $0["field"] == "icon" }?["id"]?.stringValue)
        let shown = try await shell.run("conflicts", "show", id).output
        #expect(shown.contains("takes the value from here"))
    }

    @Test("an event that was never sent, and whose type was deleted elsewhere: what is said and advised is so")
    func deletedType() async throws {
        let type = try await network.put(makeEventType(name: "run"))
        let other = try await network.put(makeEventType(name: "walk"))
        _ = await engine.performSync()
        _ = try await shell.json("log", "run")
        try await network.remove(EventType.self, id: type.id)
        _ = await engine.performSync()
        let listed = try await shell.run("conflicts").output
        #expect(listed.contains("its event type was deleted elsewhere") && !listed.contains("edited here"))
        let conflict = try #require(try await shell.json("conflicts").array.first?["id"]?.stringValue)
        #expect(try await shell.run("conflicts", "show", conflict).output.contains("event_type_id="))
        let change = try #require(try await shell.json("queue").array.first?["id"])
        let number = "\(WireNumber.text(change))"
        let advice = try await shell.run("queue", "show", number).output
        #expect(advice.contains("its event type was deleted"))
        #expect(advice.contains("trendy queue edit \(number) event_type_id="))
        #expect(try await shell.run("queue", "retry", number).status == 65)
        let edited = try await shell.run("queue", "edit", number, "event_type_id=\(other.id)")
        #expect(edited.status == 0 && edited.output.contains("puts the record back"))
        #expect(try await shell.run("queue", "retry", number).status == 0)
        _ = await engine.performSync()
        #expect(try await network.records(Event.self).map(\.entity.eventTypeId) == [other.id])
    }
}

private enum WireNumber {
    static func text(_ value: JSONValue) -> String {
        if case .integer(let whole) = value { "\(whole)" } else { "" }
    }
}
