import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// Ids as servers of other people give them.
@Suite("Records under ids of another form")
struct ForeignIdTests {
    private let device = Device()
    private static let ids = ["1b4e28ba-2fa1-41d2-883f-0016d3cca427", "ev_1/2 ?&%é", "42"]

    /// A type and an event of it, under the same id, that the server has sent.
    private func receive(_ id: String) throws -> Event {
        let event = makeEvent(id: id, eventTypeId: id, notes: "first")
        try device.tamper { store in
            try store.upsert(LocalRecord(makeEventType(id: id, name: "tea"), syncStatus: .synced))
            try store.upsert(LocalRecord(event, syncStatus: .synced))
        }
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

    @Test("are edited like all others, and checked for all but their ids", arguments: ids)
    func edited(id: String) async throws {
        _ = try receive(id)
        let wrong = await refusedFields { try await device.edit(id) { $0.locationLatitude = 99 } }
        #expect(Set(wrong) == ["location_latitude"])
        try await device.edit(id) { $0.notes = "second" }
        let mutation = try #require(try device.mutations().first)
        #expect(try device.event(id)?.notes == "second" && mutation.entityId == id)
        try await device.engine.editMutation(id: mutation.id, changes: ["notes": "third"])
        #expect(try device.event(id)?.notes == "third")
    }

    @Test("are refused as references where no such record is here, and as ids of new records", arguments: ids)
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
        let type = makeEventType(id: id)
        #expect(await refusedFields { try await device.engine.create(type) } == ["id"])
    }
}
