import Foundation
import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// The server takes no name twice.
@Suite("Names that change hands on a device that is cut off")
struct SwappedNamesTests {
    private let device = Device()
    private let tea = makeEventType(name: "tea")

    /// Both types are on the server.
    private func shareBoth() async throws {
        try await device.engine.create(device.coffee)
        try await device.engine.create(tea)
        await device.sync()
    }

    private func rename(_ type: EventType, _ name: String) async throws {
        try await device.edit(EventType.self, type.id) { $0.name = name }
    }

    private func expectNames(_ names: [String: String]) async throws {
        let report = await device.sync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        for types in [try device.server.all(EventType.self), try device.all(EventType.self)] {
            #expect(Dictionary(types.map { ($0.id, $0.name) }) { $1 } == names)
        }
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
        try await device.edit(EventType.self, device.coffee.id) { $0.icon = "leaf" }
        try await rename(device.coffee, "tea")
        try await expectNames([device.coffee.id: "tea", tea.id: "coffee"])
        #expect(try device.server.find(EventType.self, device.coffee.id)?.icon == "leaf")
    }

    @Test("one is free for the next type, also where the first turns out to be another device's")
    func freedByTwin() async throws {
        await device.sync()
        let theirs = makeEventType(name: "coffee")
        try device.server.create(theirs)
        try await device.engine.create(device.coffee)
        await device.loseNext(.loseRequest(.connection("reset")))
        await device.sync()
        try await rename(device.coffee, "espresso")
        let second = try await device.engine.create(makeEventType(name: "coffee"))
        await device.sync()
        try await expectNames([theirs.id: "espresso", second.id: "coffee"])
    }

    /// The server refuses to give coffee the name of another type.
    private func refuseRename(to other: EventType) async throws {
        try await shareBoth()
        try device.server.create(other)
        try await rename(device.coffee, other.name)
        #expect(await device.sync().parked == 1)
    }

    @Test("one that was refused is taken as soon as another device has given it up", arguments: [false, true])
    func givenUpElsewhere(isDeleted: Bool) async throws {
        let milk = makeEventType(name: "Milk")
        try await refuseRename(to: milk)
        if isDeleted {
            try device.server.delete(.eventType, milk.id)
            try await expectNames([device.coffee.id: "Milk", tea.id: "tea"])
        } else {
            try device.server.change(.eventType, milk.id, ["name": "oat milk"])
            try await expectNames([device.coffee.id: "Milk", tea.id: "tea", milk.id: "oat milk"])
        }
    }

    @Test("one that was refused is taken though the sync that hears of it ends before it has heard everything")
    func givenUpOnEarlierPage() async throws {
        let milk = makeEventType(name: "milk")
        try await refuseRename(to: milk)
        try device.server.change(.eventType, milk.id, ["name": "oat milk"])
        try device.server.create(makeEvent(eventTypeId: tea.id))
        let hasty = device.restarted { ($0.requestsPerCycle, $0.changesPerPage) = (1, 1) }
        #expect(await hasty.sync().hasMore)
        try await expectNames([device.coffee.id: "milk", tea.id: "tea", milk.id: "oat milk"])
        #expect(try device.server.all(Event.self).count == 1)
    }

    @Test("one that was refused is taken after a full fetch that tells of it on an earlier page")
    func givenUpBeforeFullFetch() async throws {
        let milk = makeEventType(name: "milk")
        try await refuseRename(to: milk)
        try device.server.create(makeEvent(eventTypeId: tea.id))
        try device.server.change(.eventType, milk.id, ["name": "oat milk"])
        await device.restarted { $0.changesPerPage = 1 }.engine.forceFullResync()
        try await expectNames([device.coffee.id: "milk", tea.id: "tea", milk.id: "oat milk"])
    }

    @Test("one that was refused is taken as soon as this device has given it up", arguments: [false, true])
    func givenUpHere(isDeleted: Bool) async throws {
        let milk = makeEventType(name: "milk")
        try await refuseRename(to: milk)
        if isDeleted {
            try await device.engine.delete(EventType.self, id: milk.id)
            try await expectNames([device.coffee.id: "milk", tea.id: "tea"])
        } else {
            try await rename(milk, "oat milk")
            try await expectNames([device.coffee.id: "milk", tea.id: "tea", milk.id: "oat milk"])
        }
    }

    @Test("one that was refused is not asked for again while another type has it")
    func stillTaken() async throws {
        let milk = makeEventType(name: "milk")
        try await refuseRename(to: milk)
        try device.server.change(.eventType, milk.id, ["icon": "leaf"])
        let before = device.server.sent.count
        #expect(await device.sync().parked == 1)
        #expect(device.server.sent.count == before)
    }

    @Test("one that waits for the person is not replaced by that of a type which turns out to be the same")
    func twinOfParked() async throws {
        try await shareBoth()
        try device.server.create(makeEventType(name: "milk"))
        try await rename(device.coffee, "milk")
        await device.sync()
        let second = try await device.engine.create(makeEventType(name: "coffee"))
        await device.loseNext(.loseRequest(.connection("reset")))
        await device.sync()
        try await rename(second, "mocha")
        await device.sync()
        let open = try device.open().map { try WireCoding.decode([String: String].self, from: $0.payload ?? Data()) }
        #expect(open == [["name": "milk"], ["name": "mocha"]])
        #expect(try device.open().allSatisfy { $0.entityId == device.coffee.id && $0.state.name == .parked })
    }

    @Test("one that somebody else has taken waits for the person, and stands in nobody's way")
    func takenElsewhere() async throws {
        try await shareBoth()
        try device.server.create(makeEventType(name: "milk"))
        try device.server.create(makeEventType(name: "water"))
        try await rename(tea, "milk")
        try await rename(device.coffee, "water")
        try await device.logCoffee()
        let report = await device.sync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 2)
        #expect(try device.parkReason(of: tea.id)?.fields.map(\.field) == ["name"])
        #expect(device.server.records(of: .event).count == 1)
    }
}
