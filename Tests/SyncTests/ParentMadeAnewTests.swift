import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("A type that is deleted and brought back while one of its events is under way")
struct ParentMadeAnewTests {
    private let devices = TwoDevices()
    private var a: Device { devices.a }

    /// Deletes the type with its events and makes all of them anew under their ids, as undo does, in one write.
    private func deleteAndBringBack(_ type: EventType, _ events: [Event]) async throws {
        try await a.engine.delete(EventType.self, id: type.id)
        try await a.engine.perform { writes in
            try writes.create(type)
            for event in events { try writes.create(event) }
        }
    }

    @Test("keeps all of them: none is sent before the type is there again")
    func keepsEvents() async throws {
        let shared = [try await a.logCoffee(notes: "one"), try await a.logCoffee(notes: "two")]
        await devices.syncUntilQuiet()
        let type = try #require(try a.store().findEventType(id: a.coffee.id))
        let events = [try await a.logCoffee(notes: "under way")] + shared
        let isFirst = OneTime()
        await devices.network.beforeEachCall { call in
            guard call.operation == .createBatch, await isFirst.take() else { return }
            try await deleteAndBringBack(type, events)
        }
        await devices.syncUntilQuiet()
        #expect(await isFirst.take() == false)
        for event in events {
            #expect(try a.event(event.id)?.entity == event)
            #expect(try devices.b.event(event.id)?.entity == event)
            #expect(try await devices.network.record(Event.self, id: event.id)?.entity == event)
        }
        #expect(try a.mutations([.queued, .sending, .parked]) == [])
        #expect(try await a.engine.conflicts() == [])
    }
}

/// Says yes once.
private actor OneTime {
    private var isLeft = true

    func take() -> Bool {
        defer { isLeft = false }
        return isLeft
    }
}
