import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// Ids as servers of other people give them.
private let foreignIds = ["1b4e28ba-2fa1-41d2-883f-0016d3cca427", "ev_1/2 ?&%é", "42"]

@Suite("Records under ids of another form")
struct ForeignIdTests {
    private let device = Device()

    /// A type and an event of it, under the same id, that the server has sent.
    private func receive(_ id: String) throws -> Event {
        let store = try device.store()
        try store.upsert(LocalRecord(makeEventType(id: id, name: "tea"), syncStatus: .synced))
        let event = makeEvent(id: id, eventTypeId: id, notes: "first")
        try store.upsert(LocalRecord(event, syncStatus: .synced))
        try store.save()
        return event
    }

    private func refusedFields(_ body: () async throws -> Void) async -> [String] {
        do {
            try await body()
            return []
        } catch {
            return (error as? ValidationError)?.fields.map(\.field) ?? ["\(error)"]
        }
    }

    @Test("are edited like all others", arguments: foreignIds)
    func edited(id: String) async throws {
        _ = try receive(id)
        try await device.edit(id) { $0.notes = "second" }
        #expect(try device.event(id)?.entity.notes == "second")
        #expect(try device.mutations().map(\.entityId) == [id])
        let mutation = try #require(try device.mutations().first)
        try await device.engine.editMutation(id: mutation.id, changes: ["notes": "third"])
        #expect(try device.event(id)?.entity.notes == "third")
    }

    @Test("are checked for all but their ids when they are edited", arguments: foreignIds)
    func checked(id: String) async throws {
        _ = try receive(id)
        let wrong = await refusedFields { try await device.edit(id) { $0.locationLatitude = 99 } }
        #expect(Set(wrong) == ["location_latitude"])
        #expect(try device.mutations() == [])
    }

    @Test("can be what a new record belongs to, and what an old one is given", arguments: foreignIds)
    func referredTo(id: String) async throws {
        _ = try receive(id)
        let event = try await device.engine.create(makeEvent(eventTypeId: id))
        #expect(try device.event(event.id)?.entity.eventTypeId == id)
        let own = try await device.logCoffee()
        try await device.edit(own.id) { $0.eventTypeId = id }
        #expect(try device.event(own.id)?.entity.eventTypeId == id)
    }

    @Test("are refused as references where no such record is here", arguments: foreignIds)
    func absent(id: String) async throws {
        let own = try await device.logCoffee()
        #expect(await refusedFields { try await device.edit(own.id) { $0.geofenceId = id } } == ["geofence_id"])
        let fresh = makeEvent(eventTypeId: id)
        #expect(await refusedFields { try await device.engine.create(fresh) } == ["event_type_id"])
        let mutation = try #require(try device.mutations().last)
        let asked = await refusedFields {
            try await device.engine.editMutation(id: mutation.id, changes: ["event_type_id": .string(id)])
        }
        #expect(asked == ["event_type_id"])
    }

    @Test("keep a reference to what is not here", arguments: foreignIds)
    func kept(id: String) async throws {
        let store = try device.store()
        try store.upsert(LocalRecord(makeEvent(id: id, eventTypeId: "gone"), syncStatus: .synced))
        try store.save()
        try await device.edit(id) { $0.notes = "second" }
        #expect(try device.event(id)?.entity.notes == "second")
    }

    @Test("are given to no new record", arguments: foreignIds)
    func new(id: String) async throws {
        let type = makeEventType(id: id)
        #expect(await refusedFields { try await device.engine.create(type) } == ["id"])
    }

    @Test("come back where another device has edited what was deleted here", arguments: foreignIds)
    func restored(id: String) async throws {
        let event = try receive(id)
        try await device.engine.delete(Event.self, id: id)
        let store = try device.store()
        let version = try WireCoding.decode(JSONValue.self, from: WireCoding.encode(event))
        try store.putDocument(
            SyncConflict(
                id: "one", kind: .deletedHereEditedElsewhere, entityType: .event, entityId: id, localValue: .null,
                remoteValue: version, detectedAt: ManualWallClock.defaultStart))
        for mutation in try store.fetchMutations(MutationQuery()) {
            var settled = mutation
            settled.state = .accepted
            settled.settledAt = ManualWallClock.defaultStart
            try store.updateMutation(settled)
        }
        try store.save()
        try await device.engine.restoreConflict(id: "one")
        #expect(try device.event(id)?.entity == event)
    }
}
