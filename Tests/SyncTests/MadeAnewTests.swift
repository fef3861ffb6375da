import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// The feed tells of deletions that came before: the record that is here by then is another one.
@Suite("A record that is made anew under its id")
struct MadeAnewTests {
    private let device = Device()

    private func bringBack(_ type: EventType, _ events: [Event]) async throws {
        try await device.engine.perform { writes in
            try writes.create(type)
            for event in events { try writes.create(event) }
        }
    }

    private func expectWhole(_ type: EventType, _ events: [Event]) async throws {
        #expect(try device.mutations([.queued, .sending, .parked]) == [])
        #expect(try await device.engine.conflicts() == [])
        #expect(try device.store().findEventType(id: type.id) == type)
        #expect(try await device.network.record(EventType.self, id: type.id)?.entity == type)
        for event in events {
            #expect(try device.event(event.id)?.entity == event)
            #expect(try await device.network.record(Event.self, id: event.id)?.entity == event)
        }
    }

    @Test("stays with all that belongs to it when the feed shows its own deletion, which was sent before")
    func ownDeletion() async throws {
        // Found by the simulator once people brought back what they had deleted, seed 25 of that time.
        let events = [try await device.logCoffee(notes: "one"), try await device.logCoffee(notes: "two")]
        let type = try #require(try device.store().findEventType(id: device.coffee.id))
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: type.id)
        let network = device.network
        await network.beforeEachCall { call in
            guard call.operation == .getChanges else { return }
            await network.beforeEachCall(nil)
            try await bringBack(type, events)
        }
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.parked == 0)
        _ = await device.engine.performSync()
        try await expectWhole(type, events)
    }

    @Test("stays with all that belongs to it where a full resync has begun after its own deletion was sent")
    func ownDeletionBeforeListing() async throws {
        // Found by the simulator, seed 800041: the events were parked.
        let events = [try await device.logCoffee(notes: "one"), try await device.logCoffee(notes: "two")]
        let type = try #require(try device.store().findEventType(id: device.coffee.id))
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: type.id)
        let network = device.network
        await network.beforeEachCall { call in
            guard call.operation == .getLatestCursor else { return }
            await network.beforeEachCall(nil)
            try await bringBack(type, events)
        }
        let report = await device.engine.forceFullResync()
        #expect(report.failure == nil && report.parked == 0)
        _ = await device.engine.performSync()
        try await expectWhole(type, events)
    }

    @Test("loses the children that went with its predecessor, and that nobody has made anew here")
    func otherChildren() async throws {
        let event = try await device.logCoffee(notes: "ours")
        let type = try #require(try device.store().findEventType(id: device.coffee.id))
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: type.id)
        let theirs = makeEvent(eventTypeId: type.id, notes: "theirs")
        try await device.network.put(theirs)
        let network = device.network
        await network.beforeEachCall { call in
            guard call.operation == .getChanges else { return }
            await network.beforeEachCall(nil)
            try await bringBack(type, [event])
        }
        for _ in 0..<3 { _ = await device.engine.performSync() }
        try await expectWhole(type, [event])
        #expect(try device.event(theirs.id) == nil)
        #expect(try await network.record(Event.self, id: theirs.id) == nil)
    }

    @Test("keeps its refused edit where a full resync reads its deletion of the same millisecond again")
    func fullResync() async throws {
        try await device.engine.create(device.coffee)
        try await device.network.put(makeEventType(name: "tea"))
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        _ = await device.engine.performSync()
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        var renamed = device.coffee
        renamed.name = "tea"
        try await device.engine.update(renamed)
        let report = await device.engine.forceFullResync()
        #expect(report.failure == nil && report.parked == 1)
        #expect(try device.parkReason(of: device.coffee.id)?.code == .duplicate)
        #expect(try await device.engine.conflicts() == [])
    }
}
