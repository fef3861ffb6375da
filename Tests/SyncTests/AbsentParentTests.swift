import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Children of a parent that is not here")
struct AbsentParentTests {
    let network = MockNetworkClient(capabilities: [
        .event: RouteCapabilities(listing: .paged(limit: 10), batchLimit: 500)
    ])
    let coffee = makeEventType(name: "coffee")
    let tea = makeEventType(name: "tea")
    private let lost = MockAnswer.fail(APIError.connection("reset"))

    /// Puts a type and an event of it on the server when the events are listed, which is after the types are.
    private func makeTeaDuringListing() async throws -> Event {
        try await network.put(coffee)
        let (network, tea, drunk) = (network, tea, makeEvent(eventTypeId: tea.id))
        await network.beforeEachCall { call in
            guard call.operation == .list, call.entityType == .event else { return }
            await network.beforeEachCall(nil)
            _ = try? await network.put(tea)
            _ = try? await network.put(drunk)
        }
        return drunk
    }

    @Test("come with it, though it was made after its kind was listed")
    func madeMeanwhile() async throws {
        let drunk = try await makeTeaDuringListing()
        await network.enqueue(lost, for: .getChanges)
        let device = Device(network)
        #expect(await device.engine.performSync().failure == .unreachable)
        #expect(try device.event(drunk.id)?.entity == drunk)
        #expect(try device.store().findEventType(id: tea.id) == tea)
    }

    @Test("do not come where it was deleted before it could be fetched")
    func deletedMeanwhile() async throws {
        let drunk = try await makeTeaDuringListing()
        await network.enqueue(lost, for: .getChanges)
        await network.always(.respond(.null), for: .get, .eventType)
        let device = Device(network)
        #expect(await device.engine.performSync().failure == .unreachable)
        #expect(try device.event(drunk.id) == nil)
        #expect(try device.store().findAllTypes() == [coffee])
    }

    @Test("stay where they are when an answer says that another device has moved them to it, until the pull")
    func movedElsewhere() async throws {
        try await network.put(coffee)
        let event = makeEvent(eventTypeId: coffee.id)
        try await network.put(event)
        let device = Device(network)
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.notes = "mine" }
        try await move(event)
        await network.enqueue(lost, for: .getChanges)
        #expect(await device.engine.performSync().failure == .unreachable)
        let before = try #require(try device.event(event.id))
        #expect(before.entity.notes == "mine" && before.entity.eventTypeId == coffee.id)
        #expect(before.syncStatus == .synced)
        #expect(await device.engine.performSync().failure == nil)
        let after = try #require(try device.event(event.id)?.entity)
        #expect(after.notes == "mine" && after.eventTypeId == tea.id)
        #expect(try device.store().findEventType(id: tea.id) == tea)
        #expect(try await device.engine.conflicts().isEmpty)
    }

    @Test("come with it where a bootstrap that was cut off had listed them before they were moved to it")
    func movedDuringBootstrap() async throws {
        try await network.put(coffee)
        let events = (0..<15).map { number in
            makeEvent(
                eventTypeId: coffee.id, timestamp: ManualWallClock.defaultStart.advanced(bySeconds: Double(-number)))
        }
        for event in events { try await network.put(event) }
        let device = Device(network)
        _ = await device.engine.performSync()
        await network.enqueue(.serve, for: .list, .event)
        await network.enqueue(lost, for: .list, .event)
        #expect(await device.engine.forceFullResync().failure == .unreachable)
        try await device.edit(events[0].id) { $0.notes = "mine" }
        try await move(events[0])
        // The feed is looked through before the bootstrap goes on, and not read after it.
        await network.enqueue(.serve, for: .getChanges)
        await network.enqueue(lost, for: .getChanges)
        let report = await device.engine.performSync()
        #expect(report.failure == .unreachable && report.pending == 0)
        let moved = try #require(try device.event(events[0].id)?.entity)
        #expect(moved.notes == "mine" && moved.eventTypeId == tea.id)
        #expect(try device.store().findEventType(id: tea.id) == tea)
    }

    @Test("are gone where the deletion of it stands before them in the feed, and the feed does not name them")
    func behindDeletion() async throws {
        // Found by the simulator, seed 210089: a deletion gets its place before it is committed.
        try await network.put(coffee)
        try await network.put(tea)
        let moved = makeEvent(eventTypeId: coffee.id)
        try await network.put(moved)
        let device = Device(network)
        _ = await device.engine.performSync()
        let place = await network.skipChangeIds()
        let new = makeEvent(eventTypeId: tea.id)
        try await network.put(new)
        try await network.edit(Event.self, id: moved.id) { [tea] in $0.eventTypeId = tea.id }
        await network.appendChange(id: place, entityType: .eventType, operation: .delete, entityId: tea.id)
        await network.always(.respond(.null), for: .get, .event)
        #expect(await device.engine.performSync().failure == nil)
        #expect(try device.event(new.id) == nil && device.event(moved.id) == nil)
        #expect(try device.store().findAllTypes() == [coffee])
    }

    @Test("come where only its creation cannot be read, with one question to the server")
    func parentAside() async throws {
        try await network.put(coffee)
        let device = Device(network)
        _ = await device.engine.performSync()
        let place = await network.skipChangeIds()
        try await network.put(tea)
        await network.forgetChanges(of: tea.id)
        await network.appendChange(
            id: place, entityType: .eventType, operation: .create, entityId: tea.id, data: .string("odd"))
        #expect(await device.engine.performSync().quarantined == 1)
        let drunk = [makeEvent(eventTypeId: tea.id), makeEvent(eventTypeId: tea.id)]
        for event in drunk { try await network.put(event) }
        #expect(await device.engine.performSync().failure == nil)
        for event in drunk { #expect(try device.event(event.id)?.entity == event) }
        #expect(await network.calls.filter { $0.operation == .get }.map(\.entityIds) == [[tea.id]])
    }

    private func move(_ event: Event) async throws {
        try await network.put(tea)
        try await network.edit(Event.self, id: event.id) { [tea] in $0.eventTypeId = tea.id }
    }
}

extension DataStoreProtocol {
    fileprivate func findAllTypes() throws -> [EventType] { try fetch(EventType.self, where: nil).map(\.entity) }
}
