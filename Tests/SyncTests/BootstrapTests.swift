import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Bootstrap")
struct BootstrapTests {
    let network = MockNetworkClient(capabilities: [
        .event: RouteCapabilities(listing: .paged(limit: 10), batchLimit: 500)
    ])
    let coffee = makeEventType(name: "coffee")

    /// Puts events on the server, the newest first in its listings.
    private func fill(_ count: Int) async throws -> [Event] {
        try await network.put(coffee)
        var events: [Event] = []
        for number in 0..<count {
            let moment = ManualWallClock.defaultStart.advanced(bySeconds: Double(-number))
            let event = makeEvent(eventTypeId: coffee.id, timestamp: moment)
            try await network.put(event)
            events.append(event)
        }
        return events
    }

    @Test("brings everything")
    func everything() async throws {
        let events = try await fill(35)
        let definition = makePropertyDefinition(eventTypeId: coffee.id)
        try await network.put(definition)
        let device = Device(network)
        let report = await device.engine.performSync()
        #expect(report.bootstrapped && report.failure == nil)
        #expect(report.placed == 37)
        #expect(Set(try device.store().fetchAllEvents()) == Set(events))
        #expect(try device.store().fetchAllPropertyDefinitions() == [definition])
        #expect(try device.event(events[0].id)?.syncStatus == .synced)
        #expect(await device.engine.performSync().bootstrapped == false)
    }

    @Test("shows readers nothing until it is whole")
    func atomic() async throws {
        _ = try await fill(35)
        let device = Device(network)
        await network.beforeEachCall { call async throws -> Void in
            guard call.operation == .list else { return }
            #expect(try device.store().count(Event.self) == 0)
            #expect(try device.store().count(EventType.self) == 0)
            #expect(!device.stores.isWriteLocked)
        }
        _ = await device.engine.performSync()
        #expect(try device.store().count(Event.self) == 35)
    }

    @Test("goes on where it was cut off")
    func resumes() async throws {
        _ = try await fill(35)
        let device = Device(network)
        await network.enqueue(.serve, times: 2, for: .list, .event)
        await network.enqueue(.fail(APIError.connection("reset")), for: .list, .event)
        #expect(await device.engine.performSync().failure == .unreachable)
        #expect(try device.store().count(Event.self) == 0)
        let listed = await network.callCount(.list)
        let report = await device.engine.performSync()
        #expect(report.bootstrapped)
        #expect(try device.store().count(Event.self) == 35)
        #expect(await network.callCount(.list, .eventType) == 1)
        #expect(await network.callCount(.list) - listed <= 4)
        #expect(await network.callCount(.getLatestCursor) == 1)
    }

    @Test("misses nothing where rows move up behind its back")
    func shifting() async throws {
        let events = try await fill(35)
        let device = Device(network)
        let network = network
        await network.beforeEachCall { call in
            guard call.operation == .list, call.entityType == .event, call.list?.offset == 9 else { return }
            for event in events.prefix(5) { try? await network.remove(Event.self, id: event.id) }
        }
        _ = await device.engine.performSync()
        #expect(Set(try device.store().fetchAllEvents().map(\.id)) == Set(events.dropFirst(5).map(\.id)))
    }

    @Test("misses nothing where what was sent meanwhile stands behind the rows that moved up")
    func shiftingBeforeSent() async throws {
        let events = try await fill(35)
        let device = Device(network) { $0.feedOverlap = 0 }
        await network.enqueue(.serve, times: 2, for: .list, .event)
        await network.enqueue(.fail(APIError.connection("reset")), for: .list, .event)
        #expect(await device.engine.performSync().failure == .unreachable)
        let oldest = ManualWallClock.defaultStart.advanced(bySeconds: -3_600)
        let own = try await device.engine.create(makeEvent(eventTypeId: coffee.id, timestamp: oldest))
        for event in events.prefix(10) { try await network.remove(Event.self, id: event.id) }
        #expect(await device.engine.performSync().bootstrapped)
        #expect(Set(try device.store().fetchAllEvents().map(\.id)) == Set(events.dropFirst(10).map(\.id) + [own.id]))
    }

    @Test("misses nothing where a record that it knows was moved behind the rows that moved up")
    func shiftingBeforeMoved() async throws {
        let events = try await fill(35)
        let device = Device(network) { $0.feedOverlap = 0 }
        let oldest = ManualWallClock.defaultStart.advanced(bySeconds: -3_600)
        let network = network
        await network.beforeEachCall { call in
            guard call.operation == .list, call.entityType == .event, call.list?.offset == 18 else { return }
            _ = try? await network.edit(Event.self, id: events[0].id) { $0.timestamp = oldest }
            for event in events[1...10] { try? await network.remove(Event.self, id: event.id) }
        }
        #expect(await device.engine.performSync().bootstrapped)
        let left = [events[0].id] + events[11...].map(\.id)
        #expect(Set(try device.store().fetchAllEvents().map(\.id)) == Set(left))
    }

    @Test("brings what changes while it runs")
    func changesMeanwhile() async throws {
        let events = try await fill(25)
        let device = Device(network)
        let extra = makeEvent(eventTypeId: coffee.id, timestamp: ManualWallClock.defaultStart.advanced(bySeconds: 60))
        let network = network
        await network.beforeEachCall { call in
            guard call.operation == .list, call.list?.offset == 18 else { return }
            _ = try? await network.put(extra)
            _ = try? await network.edit(Event.self, id: events[0].id) { $0.notes = "edited meanwhile" }
        }
        _ = await device.engine.performSync()
        #expect(try device.event(extra.id) != nil)
        #expect(try device.event(events[0].id)?.entity.notes == "edited meanwhile")
    }

    /// Simulator seed 400961.
    @Test("misses nothing of a feed that says everything twice")
    func repeatedFeed() async throws {
        let events = try await fill(3)
        var page = try await network.getChanges(since: 0, limit: 500)
        page.changes = page.changes.flatMap { [$0, $0] }
        // What was made after the listings had begun.
        await network.enqueue(.respond(.integer(0)), for: .getLatestCursor)
        await network.always(.respond(.array([])), for: .list)
        await network.enqueue(
            .respond(try WireCoding.decode(JSONValue.self, from: WireCoding.encode(page))), for: .getChanges)
        let device = Device(network)
        #expect(await device.engine.performSync().bootstrapped)
        #expect(Set(try device.store().fetchAllEvents()) == Set(events))
    }

    @Test("keeps unsent work, and does not bring back what was deleted here")
    func unsentWork() async throws {
        let events = try await fill(15)
        let device = Device(network)
        _ = await device.engine.performSync()
        try await device.edit(events[0].id) { $0.notes = "mine" }
        try await device.engine.delete(Event.self, id: events[1].id)
        let fresh = try await device.engine.create(makeEvent(eventTypeId: coffee.id))
        let down = MockAnswer.fail(APIError.http(status: 500, problem: ProblemDetails()))
        for operation in [MockOperation.update, .delete, .createBatch, .create] {
            await network.always(down, for: operation)
        }
        let report = await device.engine.forceFullResync()
        #expect(report.bootstrapped && report.pending == 3)
        #expect(try device.event(events[0].id)?.entity.notes == "mine")
        #expect(try device.event(events[1].id) == nil)
        #expect(try device.event(fresh.id) != nil)
        for operation in [MockOperation.update, .delete, .createBatch, .create] {
            await network.always(nil, for: operation)
        }
        #expect(await device.engine.performSync().pending == 0)
        let there = try await network.records(Event.self).map(\.entity)
        #expect(Set(try device.store().fetchAllEvents()) == Set(there))
    }

    @Test("removes what the server does not have any more")
    func removesStale() async throws {
        let events = try await fill(15)
        let device = Device(network)
        _ = await device.engine.performSync()
        try await network.remove(Event.self, id: events[3].id)
        await network.always(.respond(["changes": [], "next_cursor": 99, "has_more": false]), for: .getChanges)
        _ = await device.engine.forceFullResync()
        #expect(try device.event(events[3].id) == nil)
        #expect(try device.store().count(Event.self) == 14)
    }

    @Test("puts aside listed elements that are no records")
    func undecodable() async throws {
        _ = try await fill(3)
        await network.enqueue(.respond([["id": "x", "name": 5]]), for: .list, .eventType)
        let device = Device(network)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.quarantined == 1)
    }
}
