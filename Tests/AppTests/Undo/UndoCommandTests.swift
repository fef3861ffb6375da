import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Taking changes back")
struct UndoCommandTests {
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        _ = try await shell.json("type", "add", "coffee")
    }

    private func events() async throws -> JSONValue { try await shell.json("list") }

    /// The events without what the sync says of them.
    private func contents() async throws -> [[String: JSONValue]] {
        try await events().array.compactMap(\.objectValue).map { $0.filter { $0.key != "sync_status" } }
    }

    private func id(_ value: JSONValue) throws -> String { try #require(value["id"]?.stringValue) }

    @Test("log, edit and rm are undone one after the other, and done again in the same order")
    func eachKind() async throws {
        let logged = try await shell.json("log", "coffee", "--note", "one")
        _ = try await shell.json("edit", try id(logged), "--note", "two")
        _ = try await shell.json("rm", try id(logged))
        #expect(try await contents().isEmpty)
        _ = try await shell.json("undo")
        #expect(try await contents().map { $0["notes"] } == ["two"])
        _ = try await shell.json("undo")
        #expect(try await contents().map { $0["notes"] } == ["one"])
        _ = try await shell.json("undo")
        #expect(try await contents().isEmpty)
        _ = try await shell.json("redo")
        #expect(try await contents().map { $0["notes"] } == ["one"])
        _ = try await shell.json("redo")
        _ = try await shell.json("redo")
        #expect(try await contents().isEmpty)
        #expect(try await shell.run("redo").status == 65)
    }

    @Test("says what it takes back, by the record")
    func text() async throws {
        let logged = try await shell.json("log", "coffee", "--at", "9:15")
        let short = ShortId.of(try id(logged))
        #expect(
            try await shell.run("undo").output == "undid the creation of coffee, 2026-03-10 09:15 (\(short))\n")
        #expect(
            try await shell.run("redo").output == "redid the creation of coffee, 2026-03-10 09:15 (\(short))\n")
    }

    @Test("a change that was synced is taken back by a new one")
    func synced() async throws {
        let network = MockNetworkClient()
        let engine = SyncEngine(networkClient: network, dataStoreFactory: shell.stores, wallClock: shell.clock)
        let logged = try await shell.json("log", "coffee")
        #expect(await engine.performSync().failure == nil)
        _ = try await shell.json("undo")
        #expect(await engine.performSync().pushed == 1)
        #expect(try await network.record(Event.self, id: try id(logged)) == nil)
        _ = try await shell.json("redo")
        #expect(await engine.performSync().failure == nil)
        #expect(try await network.record(Event.self, id: try id(logged)) != nil)
    }

    @Test("leaves a field alone that another device has changed since, and takes back the others")
    func changedSince() async throws {
        let logged = try await shell.json("log", "coffee", "--note", "one", "--location", "here")
        _ = try await shell.json("edit", try id(logged), "--note", "two", "--location", "there")
        let server = ExchangeServer()
        let network = MockNetworkClient(exchange: server)
        await shell.sync(with: network)
        try server.change(.event, try id(logged), ["notes": "theirs"])
        await shell.sync(with: network)
        _ = try await shell.json("undo")
        let event = try #require(try await contents().first)
        #expect(event["notes"] == "theirs" && event["location_name"] == "here")
    }

    @Test("what was left alone is named, with why")
    func left() async throws {
        let logged = try await shell.json("log", "coffee", "--note", "one", "--at", "9:15")
        _ = try await shell.json("edit", try id(logged), "--note", "two")
        try editElsewhere(logged, note: "theirs")
        let name = "coffee, 2026-03-10 09:15 (\(ShortId.of(try id(logged))))"
        #expect(try await shell.output("undo") == "undid nothing; \(name) kept: changed since then\n")
        _ = try await shell.json("rm", try id(logged))
        let event = try WireCoding.decode(Event.self, from: WireCoding.encode(logged))
        try shell.change { try $0.upsert(LocalRecord(event)) }
        #expect(try await shell.output("undo").hasSuffix(") exists already\n"))
    }

    /// Changes the note of an event as a pull from another device does.
    private func editElsewhere(_ event: JSONValue, note: String) throws {
        try shell.change { store in
            var record = try #require(try store.find(Event.self, id: try id(event)))
            record.entity.notes = note
            try store.upsert(record)
        }
    }

    @Test("a log that is taken back goes with what others have edited in it, and comes back with that")
    func editedLog() async throws {
        let logged = try await shell.json("log", "coffee", "--note", "mine")
        try editElsewhere(logged, note: "theirs")
        _ = try await shell.json("undo")
        #expect(try await contents().isEmpty)
        _ = try await shell.json("redo")
        #expect(try await contents().map { $0["notes"] } == ["theirs"])
        let help = try await shell.run("undo", "--help").output + shell.run("redo", "--help").output
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("deletes the events, even if they were edited since then"))
        #expect(words.contains("Redo of a log restores the event with all edits that it had"))
    }

    @Test("a deletion that is done again takes with it what was edited since")
    func editedDeletion() async throws {
        let logged = try await shell.json("log", "coffee", "--note", "mine")
        _ = try await shell.json("rm", try id(logged))
        _ = try await shell.json("undo")
        try editElsewhere(logged, note: "theirs")
        _ = try await shell.json("redo")
        #expect(try await contents().isEmpty)
        _ = try await shell.json("undo")
        #expect(try await contents().map { $0["notes"] } == ["theirs"])
    }

    @Test("a deleted type comes back with its events, properties and their contents")
    func type() async throws {
        _ = try await shell.json("prop", "add", "coffee", "size", "--kind", "select", "--options", "small,large")
        for size in ["small", "large"] { _ = try await shell.json("coffee", "size=\(size)") }
        let before = try await contents()
        _ = try await shell.json("type", "rm", "coffee", "--yes")
        #expect(try await contents().isEmpty)
        _ = try await shell.json("undo")
        #expect(try await contents() == before)
        #expect(try await shell.json("prop", "list", "coffee").array.count == 1)
    }

    @Test(
        "a deleted type comes back with what went with it, and goes again, wherever its deletion has got to",
        arguments: ["unsent", "unanswered", "synced"])
    func deletedType(stage: String) async throws {
        let server = ExchangeServer()
        let network = MockNetworkClient(exchange: server)
        _ = try await shell.json("prop", "add", "coffee", "size", "--kind", "number")
        for size in 1...2 { _ = try await shell.json("coffee", "size=\(size)") }
        await shell.sync(with: network)
        let before = try await contents()
        _ = try await shell.json("type", "rm", "coffee", "--yes")
        if stage == "unanswered" { server.script([.loseAnswer(.connection("gone"))]) }
        if stage != "unsent" { await shell.sync(with: network) }
        let undone = try await shell.output("undo")
        #expect(undone.hasPrefix("undid the deletion of 2 events") && !undone.contains(";"), "\(undone)")
        #expect(try await contents().map { $0["properties"] } == before.map { $0["properties"] })
        for _ in 0..<2 { #expect(await shell.sync(with: network).parked == 0) }
        #expect(try await contents().map { $0["properties"] } == before.map { $0["properties"] })
        #expect(server.records(of: .event).count == 2 && server.records(of: .propertyDefinition).count == 1)
        #expect(try await shell.json("conflicts") == [])
        let redone = try await shell.output("redo")
        #expect(redone.hasPrefix("redid the deletion of 2 events") && !redone.contains(";"), "\(redone)")
        #expect(try await contents().isEmpty)
        await shell.sync(with: network)
        #expect(server.records(of: .event).isEmpty && server.records(of: .eventType).isEmpty)
    }

    @Test("a deleted place comes back in the events that were there")
    func deletedPlace() async throws {
        let server = ExchangeServer()
        let network = MockNetworkClient(exchange: server)
        let place = makeGeofence(name: "home")
        let type = makeEventType(name: "tea")
        let event = makeEvent(eventTypeId: type.id, geofenceId: place.id)
        try server.create(type)
        try server.create(place)
        try server.create(event)
        await shell.sync(with: network)
        _ = try await shell.json("place", "rm", "home", "--yes")
        #expect(try await shell.json("show", event.id)["geofence_id"] ?? .null == .null)
        let undone = try await shell.output("undo")
        #expect(!undone.contains(";"), "\(undone)")
        #expect(try await shell.json("show", event.id)["geofence_id"] == .string(place.id))
        _ = try await shell.output("redo")
        await shell.sync(with: network)
        #expect(server.records(of: .geofence).isEmpty)
        _ = try await shell.output("undo")
        await shell.sync(with: network)
        #expect(server.document(.event, event.id)?["geofence_id"] == .string(place.id))
    }

    @Test("the making of a type is not taken back while others' events hang on it")
    func usedType() async throws {
        _ = try await shell.json("type", "add", "tea")
        let tea = try await shell.json("type", "list").array.first { $0["name"] == "tea" }
        let typeId = try id(try #require(tea))
        try shell.change { try $0.upsert(LocalRecord(makeEvent(eventTypeId: typeId))) }
        let answer = try await shell.run("undo")
        #expect(answer.status == 65 && answer.errors.contains("1 event"))
        #expect(try await shell.json("type", "list").array.count == 2)
    }

    @Test("several events that were deleted by one command come back by one undo")
    func together() async throws {
        let one = try await shell.json("log", "coffee")
        let two = try await shell.json("log", "coffee")
        let before = try await contents()
        _ = try await shell.json("rm", try id(one), try id(two))
        _ = try await shell.json("undo")
        #expect(try await contents() == before)
    }

    @Test("an import is taken back as a whole, whatever number of saves it took")
    func wholeImport() async throws {
        let rows = (0..<1_200).map { "2026-01-01T00:00:00Z,coffee,row \($0)" }
        let file = try shell.home.write((["time,type,note"] + rows).joined(separator: "\n"), to: "rows.csv")
        _ = try await shell.json("log", "coffee", "--note", "mine")
        _ = try await shell.json("import", "csv", file, "--time", "time", "--type", "type", "--note", "note")
        #expect(try await contents().count == 1_201)
        _ = try await shell.json("undo")
        #expect(try await contents().map { $0["notes"] } == ["mine"])
        _ = try await shell.json("redo")
        #expect(try await contents().count == 1_201)
    }

    @Test("an import that another command came into the midst of is taken back whole, and first")
    func splitImport() async throws {
        let clock = shell.clock
        let coffee = try #require(try await shell.json("type", "list").array.first?["id"]?.stringValue)
        for number in 1...3 {
            let event = Event(id: TestShell.eventId(number), eventTypeId: coffee, timestamp: TestShell.noon)
            try await shell.engine.perform { writes in
                let journal = try UndoJournal(watching: writes, clock: clock)
                try writes.create(event)
                try journal.note(group: "import")
            }
            if number == 2 { _ = try await shell.json("log", "coffee", "--note", "mine") }
        }
        #expect(try await shell.run("undo").output.hasPrefix("undid "))
        #expect(try await contents().map { $0["notes"] } == ["mine"])
        _ = try await shell.json("redo")
        #expect(try await contents().count == 4)
        _ = try await shell.json("undo")
        _ = try await shell.json("undo")
        #expect(try await contents().isEmpty)
    }

    @Test("with nothing to take back it says so")
    func nothing() async throws {
        _ = try await shell.json("undo")
        let answer = try await shell.run("undo")
        #expect(answer.status == 65 && answer.errors.contains("nothing to undo"))
    }

    @Test("queue edit is taken back and done again as any edit is")
    func queueEdit() async throws {
        _ = try await shell.json("log", "coffee", "--note", "one")
        try await shell.engine.clearPendingMutations()
        #expect(try await shell.run("queue", "edit", "2", "notes=two").status == 0)
        #expect(try await shell.run("undo").output.hasPrefix("undid the change of coffee"))
        #expect(try await contents().map { $0["notes"] } == ["one"])
        _ = try await shell.json("redo")
        #expect(try await contents().map { $0["notes"] } == ["two"])
    }

    @Test("what was restored of a conflict is taken back")
    func restored() async throws {
        let event = try await shell.json("log", "coffee", "--note", "here")
        let entityId = try id(event)
        try shell.change { store in
            try store.putDocument(
                SyncConflict(
                    id: "aa11", kind: .field, entityType: .event, entityId: entityId, field: "notes",
                    localValue: "here", remoteValue: "elsewhere", detectedAt: TestShell.noon))
        }
        #expect(try await shell.run("conflicts", "restore", "aa11").status == 0)
        #expect(try await contents().map { $0["notes"] } == ["elsewhere"])
        #expect(try await shell.run("undo").output.hasPrefix("undid the change of coffee"))
        #expect(try await contents().map { $0["notes"] } == ["here"])
    }

    @Test("a record that was put back goes again, and one that was made again too")
    func restoredRecords() async throws {
        let event = try await shell.json("log", "coffee", "--note", "kept")
        let entityId = try id(event)
        let network = MockNetworkClient()
        let engine = SyncEngine(networkClient: network, dataStoreFactory: shell.stores, wallClock: shell.clock)
        #expect(await engine.performSync().failure == nil)
        _ = try await shell.json("rm", entityId)
        let fields = event.objectValue?.filter { $0.key != "sync_status" } ?? [:]
        try shell.change { store in
            try store.putDocument(
                SyncConflict(
                    id: "bb22", kind: .deletedHereEditedElsewhere, entityType: .event, entityId: entityId,
                    localValue: .null, remoteValue: .object(fields), detectedAt: TestShell.noon))
        }
        #expect(try await shell.run("conflicts", "restore", "bb22").status == 0)
        #expect(try await contents().count == 1)
        #expect(try await shell.run("undo").output.hasPrefix("undid the creation of coffee"))
        #expect(try await contents().isEmpty)
    }

    @Test("after queue drop undo says once that it cannot take that back, and leaves what is older alone")
    func queueDrop() async throws {
        _ = try await shell.json("log", "coffee", "--note", "one")
        _ = try await shell.json("log", "coffee", "--note", "two")
        #expect(try await shell.run("queue", "drop", "2", "3", "--yes").status == 0)
        _ = try await shell.json("log", "coffee", "--note", "three")
        #expect(try await shell.run("queue", "drop", "4", "--yes").status == 0)
        let refused = try await shell.run("undo")
        #expect(refused.status == 65 && refused.errors.contains("'trendy queue drop'"), "\(refused.errors)")
        #expect(try await shell.run("redo").status == 65)
        // What was logged is gone already.
        let gone = try await shell.run("undo").output
        #expect(gone.contains(/^undid nothing; the event \([0-9a-f]{8}\) was deleted\n/), "\(gone)")
        #expect(try await shell.run("undo").status == 65)
        for _ in 0..<2 { _ = try await shell.json("undo") }
        #expect(try await shell.json("type", "list").array.count == 1)
        #expect(try await shell.run("undo").output.hasPrefix("undid the creation of the event type coffee"))
    }
}
