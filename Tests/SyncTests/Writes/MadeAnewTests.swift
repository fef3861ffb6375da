import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// A record that is deleted and made again is another record under the old id.
@Suite("A record that is made anew under its id")
struct MadeAnewTests {
    private let devices = TwoDevices()
    private var device: Device { devices.a }

    private func bringBack(_ type: EventType, _ events: [Event]) async throws {
        try await device.engine.perform { writes in
            try writes.create(type)
            for event in events where try writes.find(Event.self, id: event.id) == nil { try writes.create(event) }
        }
    }

    /// Nothing is open, and everybody has the same of these ids.
    private func expectEverywhere(_ type: EventType?, _ events: [String: Event?]) async throws {
        await devices.syncUntilQuiet()
        #expect(try device.open() == [] && devices.b.open() == [])
        for one in [devices.a, devices.b] {
            #expect(try one.conflicts == [])
            #expect(try one.find(EventType.self, device.coffee.id) == type)
            for (id, event) in events { #expect(try one.event(id) == event) }
        }
        #expect(try devices.server.find(EventType.self, device.coffee.id) == type)
        for (id, event) in events { #expect(try devices.server.event(id) == event) }
    }

    @Test("is there with what was made anew beneath it, and nothing else")
    func afterItsDeletion() async throws {
        let events = [try await device.logCoffee(notes: "one"), try await device.logCoffee(notes: "two")]
        await device.sync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        await device.sync()
        try await bringBack(device.coffee, [events[0]])
        try await expectEverywhere(device.coffee, [events[0].id: events[0], events[1].id: nil])
    }

    @Test(
        "is there with all that belonged to it where its deletion was not answered yet",
        arguments: [nil, ExchangeServer.Step.loseAnswer(.connection("reset")), .loseRequest(.timeout)])
    func whileDeletionIsUnderWay(step: ExchangeServer.Step?) async throws {
        let event = try await device.syncedCoffee(notes: "one")
        let (coffee, engine) = (device.coffee, device.engine)
        try await engine.delete(EventType.self, id: coffee.id)
        if let step {
            await device.loseNext(step)
            await device.sync()
            try await engine.create(coffee)
        } else {
            await device.whileSending { try await engine.create(coffee) }
        }
        #expect(try await !engine.mutations().isEmpty)
        try await expectEverywhere(coffee, [event.id: event])
    }

    @Test("is not there where it was deleted once more, before or after the first deletion was sent", arguments: 0..<3)
    func deletedAgain(syncs: Int) async throws {
        let event = try await device.syncedCoffee()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        if syncs > 0 { await device.sync() }
        try await bringBack(device.coffee, [event])
        if syncs > 1 { await device.sync() }
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try await expectEverywhere(nil, [event.id: nil])
    }

    @Test("is without a child that was deleted by itself after it")
    func childDeletedAfterwards() async throws {
        let event = try await device.syncedCoffee()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try await bringBack(device.coffee, [event])
        try await device.engine.clearPendingMutations()
        try await device.engine.delete(Event.self, id: event.id)
        for parked in try device.mutations([.parked]) { try await device.engine.retryMutation(id: parked.id) }
        try await expectEverywhere(device.coffee, [event.id: nil])
    }

    @Test("by another device is there: that is not the record that was deleted here", arguments: [false, true])
    func elsewhere(isDeletionSent: Bool) async throws {
        let event = try await devices.shareEvent()
        try await device.engine.delete(Event.self, id: event.id)
        if isDeletionSent { await device.sync() } else { try devices.server.delete(.event, event.id) }
        try devices.server.create(event)
        await devices.syncUntilQuiet()
        #expect(try device.event(event.id) == event && devices.b.event(event.id) == event)
        #expect(try device.open() == [])
    }

    // MARK: Two creations

    @Test(
        "ends in what the second creation says where the first was not answered",
        arguments: [ExchangeServer.Step.loseAnswer(.timeout), .loseRequest(.timeout)], [false, true])
    func twoCreations(step: ExchangeServer.Step, dropsDeletion: Bool) async throws {
        await device.sync()
        try await device.engine.create(device.coffee)
        await device.loseNext(step)
        await device.sync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        var last = device.coffee
        last.icon = "leaf"
        try await device.engine.create(last)
        last.name = "green tea"
        try await device.engine.update(last)
        if dropsDeletion, let deletion = try device.mutations([.queued]).first(where: { $0.operation == .delete }) {
            try await device.engine.dropMutation(id: deletion.id)
        }
        try await expectEverywhere(last, [:])
    }

    @Test("shows and sends no edit of the record before")
    func editOfFormerLife() async throws {
        let event = try await device.syncedCoffee(notes: "first")
        try await device.edit(event.id) { $0.locationName = "here" }
        await device.loseNext(.loseRequest(.timeout))
        await device.sync()
        try await device.engine.delete(Event.self, id: event.id)
        try await device.engine.create(event)
        try await expectEverywhere(device.coffee, [event.id: event])
    }
}
