import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Children that an unsent edit has moved")
struct MovedChildTests {
    let device = Device()
    let tea = makeEventType(name: "tea")

    /// An event that the server has beneath coffee, and that an unsent edit has moved to tea.
    private func moveToTea() async throws -> Event {
        let event = try await device.logCoffee(notes: "moved")
        _ = await device.engine.performSync()
        if try device.store().findEventType(id: tea.id) == nil { try await device.engine.create(tea) }
        try await device.edit(event.id) { [tea] in $0.eventTypeId = tea.id }
        return event
    }

    @Test("go on the server too when the parent that only this device knows of is deleted")
    func unsentParent() async throws {
        let event = try await moveToTea()
        try await device.engine.delete(EventType.self, id: tea.id)
        #expect(try device.event(event.id) == nil)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await device.network.record(Event.self, id: event.id) == nil)
        #expect(try await device.network.eventTypes.map(\.id) == [device.coffee.id])
    }

    @Test("go on the server too when the parent that the server has is deleted")
    func sentParent() async throws {
        try await device.engine.create(tea)
        let event = try await moveToTea()
        try await device.engine.delete(EventType.self, id: tea.id)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await device.network.record(Event.self, id: event.id) == nil)
        #expect(try device.event(event.id) == nil)
    }

    @Test("come back with the parent whose deletion is dropped, where they were moved to")
    func droppedDeletion() async throws {
        try await device.engine.create(tea)
        let event = try await moveToTea()
        try await device.engine.delete(EventType.self, id: tea.id)
        let deletion = try #require(try device.mutations([.queued]).first { $0.entityId == tea.id })
        _ = try await device.engine.dropMutation(id: deletion.id)
        #expect(try device.event(event.id)?.entity.eventTypeId == tea.id)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await device.network.record(Event.self, id: event.id)?.entity.eventTypeId == tea.id)
        #expect(try device.event(event.id)?.entity.notes == "moved")
    }
}
