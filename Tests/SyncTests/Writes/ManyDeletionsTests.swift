import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Deleting many records at once")
struct ManyDeletionsTests {
    let devices = TwoDevices()
    var device: Device { devices.a }

    @Test("deletes each as alone: what was synced, edited and never sent")
    func many() async throws {
        var events: [Event] = []
        for _ in 0..<5 { events.append(try await devices.shareEvent()) }
        try await device.edit(events[1].id) { $0.notes = "edited" }
        events.append(try await device.logCoffee(notes: "unsent"))
        let before = devices.server.sent.count
        let ids = events.map(\.id)
        let deleted = try await device.engine.perform { writes -> [String] in
            try writes.delete(Event.self, ids: ids)
            return writes.changes.compactMap { if case .deleted(let record) = $0 { record.id } else { nil } }
        }
        #expect(Set(deleted) == Set(ids) && deleted.count == ids.count)
        #expect(try device.all(Event.self).isEmpty)
        #expect(try device.open().map(\.operation) == Array(repeating: .delete, count: 5))
        await devices.syncUntilQuiet()
        #expect(devices.server.sent.dropFirst(before).map(\.operation) == Array(repeating: .delete, count: 5))
        #expect(devices.server.records(of: .event).isEmpty)
        #expect(try devices.b.all(Event.self).isEmpty && device.open().isEmpty)
    }

    @Test("deletes nothing where one of them is not here")
    func missing() async throws {
        let event = try await devices.shareEvent()
        let stranger = makeEvent(eventTypeId: device.coffee.id)
        await #expect(throws: SyncEngineError.notFound(entityType: .event, id: stranger.id)) {
            try await device.engine.perform { try $0.delete(Event.self, ids: [event.id, stranger.id]) }
        }
        #expect(try device.event(event.id) != nil && device.open().isEmpty)
    }

    @Test("takes types with their events along")
    func types() async throws {
        let event = try await devices.shareEvent()
        try await device.engine.perform { [id = device.coffee.id] in try $0.delete(EventType.self, ids: [id]) }
        #expect(try device.event(event.id) == nil)
        await devices.syncUntilQuiet()
        #expect(try devices.b.all(EventType.self).isEmpty && devices.b.all(Event.self).isEmpty)
    }
}
