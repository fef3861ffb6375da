import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Pull")
struct PullTests {
    @Test("brings creations, edits, clearings and deletions")
    func everything() async throws {
        let devices = TwoDevices()
        let event = try await devices.shareEvent(notes: "first")
        #expect(try devices.b.event(event.id)?.entity == event)
        try await devices.a.edit(event.id) { $0.notes = nil }
        await devices.syncUntilQuiet()
        #expect(try devices.b.event(event.id)?.entity.notes == .some(nil))
        try await devices.b.engine.delete(Event.self, id: event.id)
        await devices.syncUntilQuiet()
        #expect(try devices.a.event(event.id) == nil)
    }

    @Test("never overwrites a field with a pending edit, and takes all others")
    func rebase() async throws {
        let devices = TwoDevices()
        let event = try await devices.shareEvent()
        try await devices.a.edit(event.id) { $0.notes = "mine" }
        try await devices.b.edit(event.id) { $0.locationName = "home" }
        _ = await devices.b.engine.performSync()
        await devices.network.always(
            .fail(APIError.http(status: 500, problem: ProblemDetails())), for: .update)
        _ = await devices.a.engine.performSync()
        let here = try #require(try devices.a.event(event.id))
        #expect(here.entity.notes == "mine" && here.entity.locationName == "home")
        #expect(here.syncStatus == .pending)
        await devices.network.always(nil, for: .update)
        await devices.syncUntilQuiet()
        #expect(try devices.b.event(event.id)?.entity == here.entity)
    }

    @Test("lists the value that loses when both sides changed a field")
    func conflict() async throws {
        let devices = TwoDevices()
        let event = try await devices.shareEvent(notes: "first")
        try await devices.b.edit(event.id) { $0.notes = "theirs" }
        _ = await devices.b.engine.performSync()
        devices.tick()
        try await devices.a.edit(event.id) { $0.notes = "mine" }
        await devices.syncUntilQuiet()
        #expect(try devices.a.event(event.id)?.entity.notes == "mine")
        #expect(try devices.b.event(event.id)?.entity.notes == "mine")
        let conflicts = try await devices.a.engine.conflicts()
        #expect(conflicts.map(\.field) == ["notes"])
        #expect(conflicts.map(\.remoteValue) == ["theirs"])
        #expect(conflicts.map(\.localValue) == ["mine"])
        #expect(try await devices.b.engine.conflicts().isEmpty)
    }

    @Test("does not bring back what was deleted here")
    func noResurrection() async throws {
        let devices = TwoDevices()
        let event = try await devices.shareEvent()
        try await devices.a.engine.delete(Event.self, id: event.id)
        try await devices.b.edit(event.id) { $0.notes = "still here" }
        _ = await devices.b.engine.performSync()
        devices.tick()
        await devices.network.always(
            .fail(APIError.http(status: 500, problem: ProblemDetails())), for: .delete)
        _ = await devices.a.engine.performSync()
        #expect(try devices.a.event(event.id) == nil)
        let conflicts = try await devices.a.engine.conflicts()
        #expect(conflicts.map(\.kind) == [.deletedHereEditedElsewhere])
        #expect(conflicts.first?.remoteValue.objectValue?["notes"] == "still here")
        await devices.network.always(nil, for: .delete)
        await devices.syncUntilQuiet()
        #expect(try devices.a.event(event.id) == nil && devices.b.event(event.id) == nil)
    }

    @Test("does not let a stale edit bring back what was deleted elsewhere, and keeps the edit")
    func editOfDeleted() async throws {
        let devices = TwoDevices()
        let event = try await devices.shareEvent()
        try await devices.b.engine.delete(Event.self, id: event.id)
        _ = await devices.b.engine.performSync()
        try await devices.a.edit(event.id) { $0.notes = "precious" }
        await devices.syncUntilQuiet()
        #expect(try await devices.network.record(Event.self, id: event.id) == nil)
        #expect(try devices.a.parkReason(of: event.id)?.code == .deletedElsewhere)
        let conflicts = try await devices.a.engine.conflicts()
        #expect(conflicts.map(\.kind) == [.editedHereDeletedElsewhere])
        #expect(conflicts.first?.localValue.objectValue?["notes"] == "precious")
    }

    @Test("removes the children of a parent that was deleted, though the feed names only the parent")
    func cascadeWithoutEntries() async throws {
        let devices = TwoDevices()
        let event = try await devices.shareEvent()
        await devices.network.appendChange(
            id: nil, entityType: .eventType, operation: .delete, entityId: event.eventTypeId, data: nil)
        _ = await devices.b.engine.performSync()
        #expect(try devices.b.event(event.id) == nil)
        #expect(try devices.b.store().findEventType(id: event.eventTypeId) == nil)
    }

    @Test("reads the youngest stretch again, so that a late entry is not missed")
    func lateEntry() async throws {
        let devices = TwoDevices()
        let event = try await devices.shareEvent()
        let late = await devices.network.skipChangeIds()
        let next = try await devices.a.logCoffee()
        _ = await devices.a.engine.performSync()
        _ = await devices.b.engine.performSync()
        #expect(try devices.b.event(next.id) != nil)
        var edited = event
        edited.id = freshId()
        edited.notes = "slow transaction"
        await devices.network.appendChange(
            id: late, entityType: .event, operation: .create, entityId: edited.id,
            data: .object(try WireCoding.fields(of: APIEvent(edited))))
        let before = await devices.b.engine.performSync().cursor
        #expect(try devices.b.event(edited.id)?.entity.notes == "slow transaction")
        #expect(before >= late)
    }

    @Test("does not let a late entry undo a later change of the same record")
    func lateAndOutdated() async throws {
        let devices = TwoDevices()
        let event = try await devices.shareEvent(notes: "old")
        let late = await devices.network.skipChangeIds()
        try await devices.a.edit(event.id) { $0.notes = "new" }
        _ = await devices.a.engine.performSync()
        _ = await devices.b.engine.performSync()
        await devices.network.appendChange(
            id: late, entityType: .event, operation: .update, entityId: event.id,
            data: .object(try WireCoding.fields(of: APIEvent(event))))
        _ = await devices.b.engine.performSync()
        #expect(try devices.b.event(event.id)?.entity.notes == "new")
    }

    @Test("puts aside what it cannot understand, counts it, and goes on")
    func quarantine() async throws {
        let devices = TwoDevices()
        _ = try await devices.shareEvent()
        await devices.network.appendChange(
            id: nil, entityType: "planet", operation: .create, entityId: "p", data: ["id": "p"])
        await devices.network.appendChange(
            id: nil, entityType: .event, operation: .update, entityId: freshId(), data: ["timestamp": 12])
        let next = try await devices.a.logCoffee()
        _ = await devices.a.engine.performSync()
        let report = await devices.b.engine.performSync()
        #expect(report.failure == nil && report.quarantined == 2)
        #expect(try devices.b.event(next.id) != nil)
    }

    @Test("applies what was put aside once the kind is known")
    func quarantineApplied() async throws {
        let network = MockNetworkClient()
        let stores = InMemoryDataStoreFactory(schema: try EntitySchema(EntitySchema.trendy.types + [Note.self]))
        let before = Device(network, stores: stores)
        _ = await before.engine.performSync()
        let id = freshId()
        await network.appendChange(
            id: nil, entityType: Note.entityType, operation: .create, entityId: id,
            data: ["id": .string(id), "text": "hi"])
        #expect(await before.engine.performSync().quarantined == 1)
        let after = Device(network, schema: stores.schema, stores: stores)
        #expect(await after.engine.performSync().quarantined == 0)
        #expect(try after.store().find(Note.self, id: id)?.entity.text == "hi")
    }

    @Test(
        "does not believe a feed that goes back, or promises more for ever",
        arguments: [
            JSONValue.object(["changes": [], "next_cursor": -1, "has_more": false]),
            .object(["changes": [], "next_cursor": 0, "has_more": false]),
        ])
    func brokenFeed(answer: JSONValue) async throws {
        let device = Device()
        try await device.logCoffee()
        device.wallClock.advance(bySeconds: 1)
        _ = await device.engine.performSync()
        device.wallClock.advance(bySeconds: 120)
        let good = await device.engine.performSync()
        await device.network.enqueue(.respond(answer), for: .getChanges)
        let report = await device.engine.performSync()
        #expect(report.failure == .protocol)
        #expect(report.cursor == good.cursor)
    }

    @Test("ends on a feed that has more and never gives it")
    func endlessFeed() async throws {
        let device = Device()
        _ = await device.engine.performSync()
        await device.network.always(
            .respond(["changes": [], "next_cursor": 0, "has_more": true]), for: .getChanges)
        let report = await device.engine.performSync()
        #expect(report.failure == .protocol)
        #expect(report.error?.contains("when asked for the changes after 0") == true)
    }
}

/// A kind of record that only these tests know.
struct Note: SyncEntity {
    static let entityType: EntityType = "note"
    static let fields = ["id", "text"]
    var id: String
    var text: String
}

@Suite("A kind of record that the engine has never heard of")
struct ForeignKindTests {
    @Test("is created, edited, deleted and received like any other")
    func roundTrip() async throws {
        let schema = try EntitySchema([Note.self])
        let network = MockNetworkClient(schema: schema)
        let a = Device(network, schema: schema, seed: 1)
        let b = Device(network, schema: schema, seed: 2)
        var note = Note(id: freshId(), text: "one")
        try await a.engine.create(note)
        _ = await a.engine.performSync()
        _ = await b.engine.performSync()
        #expect(try b.store().find(Note.self, id: note.id)?.entity == note)
        note.text = "two"
        try await b.engine.update(note)
        _ = await b.engine.performSync()
        _ = await a.engine.performSync()
        #expect(try a.store().find(Note.self, id: note.id)?.entity == note)
        try await a.engine.delete(Note.self, id: note.id)
        _ = await a.engine.performSync()
        _ = await b.engine.performSync()
        #expect(try b.store().find(Note.self, id: note.id) == nil)
    }
}
