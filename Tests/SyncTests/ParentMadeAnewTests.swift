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

    @Test("takes no event to another type of its name that the server has lost with it")
    func eventsOfTheFormerOne() async throws {
        // Found by the simulator, seed 2500270: the feed named the type alone, whose events had moved by then.
        _ = try await devices.shareEvent()
        try await deleteAndBringBack(a.coffee, [])
        let network = devices.network
        await network.enqueue(.fail(APIError.http(status: 500, problem: ProblemDetails(status: 500))), for: .delete)
        let event = try await devices.b.logCoffee(notes: "of b")
        _ = await devices.b.engine.performSync()
        _ = await a.engine.performSync()
        #expect(try a.event(event.id) != nil)
        let (name, isFirst) = (a.coffee.name, OneTime())
        await network.beforeEachCall { call in
            guard call.operation == .create, call.entityType == .eventType, await isFirst.take() else { return }
            await network.forgetChanges(of: event.id)
            _ = try await network.put(makeEventType(name: name))
        }
        await devices.syncUntilQuiet()
        #expect(await isFirst.take() == false)
        #expect(try await network.record(Event.self, id: event.id) == nil)
        #expect(try a.event(event.id) == nil)
        #expect(try a.mutations([.queued, .sending, .parked]) == [])
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
