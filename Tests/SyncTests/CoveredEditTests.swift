import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// What others did at the same time is listed, also where no pull comes between the push and what hides it.
@Suite("What a full resync or a deletion covers")
struct CoveredEditTests {
    let devices = TwoDevices()

    private var a: Device { devices.a }
    private var b: Device { devices.b }

    /// A's note is on the server; B has not heard of it and changes the note too.
    private func bothEdit() async throws -> Event {
        let event = try await devices.shareEvent()
        try await a.edit(event.id) { $0.notes = "from A" }
        #expect(await a.engine.performSync().failure == nil)
        devices.tick()
        try await b.edit(event.id) { $0.notes = "from B" }
        return event
    }

    private func expectOnlyConflict(_ value: JSONValue) async throws {
        let conflict = try #require(try await b.engine.conflicts().first)
        #expect(try await b.engine.conflicts().count == 1)
        #expect(conflict.kind == .field && conflict.field == "notes" && conflict.remoteValue == value)
    }

    @Test("an edit of another device that a full resync with an edit from here covers is listed, once")
    func fullResync() async throws {
        let event = try await bothEdit()
        let report = await b.engine.forceFullResync()
        #expect(report.failure == nil && report.bootstrapped)
        try await expectOnlyConflict("from A")
        await devices.syncUntilQuiet()
        _ = await b.engine.forceFullResync()
        try await expectOnlyConflict("from A")
        #expect(try a.event(event.id)?.entity.notes == "from B")
        #expect(try await a.engine.conflicts().isEmpty)
    }

    @Test("so it is where the full resync was cut off before, and goes on")
    func resumed() async throws {
        let event = try await devices.shareEvent()
        await devices.network.enqueue(.fail(APIError.connection("cut off")), for: .list, .event)
        #expect(await b.engine.forceFullResync().failure != nil)
        try await a.edit(event.id) { $0.notes = "from A" }
        #expect(await a.engine.performSync().failure == nil)
        devices.tick()
        try await b.edit(event.id) { $0.notes = "from B" }
        #expect(await b.engine.performSync().bootstrapped)
        try await expectOnlyConflict("from A")
    }

    @Test("an edit of a record that was deleted here before a full resync is listed")
    func deletedHere() async throws {
        let event = try await devices.shareEvent()
        try await a.edit(event.id) { $0.notes = "from A" }
        #expect(await a.engine.performSync().failure == nil)
        devices.tick()
        try await b.engine.delete(Event.self, id: event.id)
        #expect(await b.engine.forceFullResync().failure == nil)
        let conflict = try #require(try await b.engine.conflicts().first)
        #expect(conflict.kind == .deletedHereEditedElsewhere && conflict.entityId == event.id)
    }

    @Test("a full resync lists nothing where nobody else did anything")
    func alone() async throws {
        let event = try await devices.shareEvent()
        try await b.edit(event.id) { $0.notes = "first again" }
        #expect(await b.engine.performSync().failure == nil)
        try await b.edit(event.id) { $0.notes = "second" }
        #expect(await b.engine.forceFullResync().failure == nil)
        #expect(try await b.engine.conflicts().isEmpty)
    }

    @Test("a feed that cannot be read does not stop a full resync")
    func brokenFeed() async throws {
        _ = try await bothEdit()
        await devices.network.enqueue(
            .fail(APIError.http(status: 500, problem: ProblemDetails())), for: .getChanges)
        let report = await b.engine.forceFullResync()
        #expect(report.bootstrapped)
    }

    @Test("what others changed or made beneath a type that is deleted here is listed")
    func cascade() async throws {
        let event = try await devices.shareEvent()
        try await b.edit(event.id) { $0.notes = "from B" }
        let made = try await b.engine.create(makeEvent(eventTypeId: a.coffee.id, notes: "new on B"))
        #expect(await b.engine.performSync().failure == nil)
        devices.tick()
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        await devices.syncUntilQuiet()
        let conflicts = try await a.engine.conflicts()
        #expect(Set(conflicts.map(\.entityId)) == [event.id, made.id])
        #expect(conflicts.allSatisfy { $0.kind == .deletedHereEditedElsewhere })
        #expect(
            Set(conflicts.compactMap { $0.remoteValue.objectValue?["notes"]?.stringValue }) == ["from B", "new on B"])
        #expect(try await b.engine.conflicts().isEmpty)
    }

    @Test("nothing is listed of a type's events that only this device has made or changed")
    func ownCascade() async throws {
        let event = try await devices.shareEvent()
        try await a.edit(event.id) { $0.notes = "again" }
        _ = try await a.logCoffee(notes: "more")
        #expect(await a.engine.performSync().failure == nil)
        try await a.engine.delete(EventType.self, id: a.coffee.id)
        await devices.syncUntilQuiet()
        #expect(try await a.engine.conflicts().isEmpty)
        #expect(try await b.engine.conflicts().isEmpty)
    }

    @Test("nothing is listed of the events of a type whose deletion is refused, when everything is fetched anew")
    func refusedCascade() async throws {
        let event = try await devices.shareEvent()
        await devices.network.enqueue(
            .fail(APIError.http(status: 403, problem: ProblemDetails(detail: "not yours"))), for: .delete)
        try await b.engine.delete(EventType.self, id: a.coffee.id)
        let report = await b.engine.forceFullResync()
        #expect(report.failure == nil && report.parked == 1)
        #expect(try b.event(event.id) == nil)
        #expect(try await b.engine.conflicts().isEmpty)
    }

    @Test("two versions of another device are listed once each, however often the full resync is taken up again")
    func twice() async throws {
        let event = try await devices.shareEvent()
        for notes in ["first of A", "second of A"] {
            try await a.edit(event.id) { $0.notes = notes }
            #expect(await a.engine.performSync().failure == nil)
            devices.tick()
        }
        try await b.edit(event.id) { $0.notes = "from B" }
        await devices.network.enqueue(.fail(APIError.connection("cut off")), for: .list, .event)
        #expect(await b.engine.forceFullResync().failure != nil)
        #expect(await b.engine.performSync().bootstrapped)
        #expect(try await b.engine.conflicts().map(\.remoteValue) == ["first of A", "second of A"])
    }

    @Test("the answer to an edit is how the server has the record, and no other side")
    func normalized() async throws {
        let event = try await devices.shareEvent()
        try await b.edit(event.id) { $0.notes = "  from B " }
        var kept = event
        kept.notes = "FROM B"
        let remote = Remote(kept, server: ServerFields(updatedAt: b.wallClock.now()))
        let answer = try WireCoding.decode(JSONValue.self, from: WireCoding.encode(remote))
        await devices.network.enqueue(.respond(answer), for: .update)
        #expect(await b.engine.performSync().failure == nil)
        #expect(try await b.engine.conflicts().isEmpty)
        #expect(try b.event(event.id)?.entity.notes == "FROM B")
    }

    @Test("what a server has made of an edit from here is no other side", arguments: [false, true])
    func ownForm(isEditedAgain: Bool) async throws {
        let event = try await devices.shareEvent()
        try await b.edit(event.id) { $0.notes = "from B " }
        var kept = try #require(try await devices.network.record(Event.self, id: event.id))
        kept.entity.notes = "from B"
        kept.server.updatedAt = b.wallClock.now()
        await devices.network.enqueue(.respond(.object(try WireCoding.fields(of: kept))), for: .update)
        await devices.network.beforeEachCall { [network = devices.network] call in
            guard call.operation == .update else { return }
            await network.beforeEachCall(nil)
            try await network.edit(Event.self, id: event.id) { $0.notes = "from B" }
        }
        if isEditedAgain {
            await devices.network.enqueue(.fail(APIError.timeout), for: .getChanges)
            #expect(await b.engine.performSync().pushed == 1)
            devices.tick()
            try await b.edit(event.id) { $0.notes = "again" }
        }
        #expect(await b.engine.forceFullResync().failure == nil)
        await devices.syncUntilQuiet()
        #expect(try await b.engine.conflicts().isEmpty)
        #expect(try b.event(event.id)?.entity.notes == (isEditedAgain ? "again" : "from B"))
    }
}
