import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// The server takes no name twice.
@Suite("Names that change hands on a device that is cut off")
struct SwappedNamesTests {
    private let device = Device()
    private let tea = makeEventType(name: "tea")

    /// Both types are on the server.
    private func shareBoth() async throws {
        try await device.engine.create(device.coffee)
        try await device.engine.create(tea)
        _ = await device.engine.performSync()
    }

    private func rename(_ type: EventType, _ name: String) async throws {
        guard var found = try device.store().findEventType(id: type.id) else { return }
        found.name = name
        try await device.engine.update(found)
    }

    private func expectNames(_ names: [String: String]) async throws {
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        let there = try await device.network.records(EventType.self).map { ($0.id, $0.entity.name) }
        #expect(Dictionary(there) { $1 } == names)
        let here = try device.store().fetchAllEventTypes().map { ($0.id, $0.name) }
        #expect(Dictionary(here) { $1 } == names)
    }

    @Test("two are swapped by way of a third, in the order in which that was done")
    func swapped() async throws {
        try await shareBoth()
        try await rename(device.coffee, "x")
        try await rename(tea, "coffee")
        try await rename(device.coffee, "tea")
        try await expectNames([device.coffee.id: "tea", tea.id: "coffee"])
    }

    @Test("and what else is edited in between goes with them")
    func otherEdits() async throws {
        try await shareBoth()
        try await rename(device.coffee, "x")
        try await rename(tea, "coffee")
        var changed = try #require(try device.store().findEventType(id: device.coffee.id))
        changed.icon = "leaf"
        try await device.engine.update(changed)
        try await rename(device.coffee, "tea")
        try await expectNames([device.coffee.id: "tea", tea.id: "coffee"])
        #expect(try await device.network.record(EventType.self, id: device.coffee.id)?.entity.icon == "leaf")
    }

    @Test("one of a record that is deleted is taken by another")
    func freedByDeletion() async throws {
        try await shareBoth()
        try await device.engine.delete(EventType.self, id: tea.id)
        try await rename(device.coffee, "tea")
        try await expectNames([device.coffee.id: "tea"])
    }

    @Test("each passes to the next, and the last of them was deleted")
    func passedOn() async throws {
        try await shareBoth()
        let milk = makeEventType(name: "milk")
        try await device.engine.create(milk)
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: milk.id)
        try await rename(tea, "milk")
        try await rename(device.coffee, "tea")
        try await expectNames([tea.id: "milk", device.coffee.id: "tea"])
    }

    @Test("one that somebody else has taken waits for the person, and stands in nobody's way")
    func takenElsewhere() async throws {
        try await shareBoth()
        try await device.network.put(makeEventType(name: "milk"))
        try await device.network.put(makeEventType(name: "water"))
        try await rename(tea, "milk")
        try await rename(device.coffee, "water")
        try await device.logCoffee()
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 2)
        #expect(try device.parkReason(of: tea.id)?.code == .duplicate)
        #expect(try await device.network.records(Event.self).count == 1)
    }
}
