import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// Two devices import the same rows under the same ids; one of them hears of the other's before it has sent its own.
@Suite("A create that never left, and whose record the server has from elsewhere")
struct ForeignCreateTests {
    private let device = Device()
    private var network: MockNetworkClient { device.network }
    private let failing = APIError.http(status: 500, problem: ProblemDetails(status: 500))

    /// The record comes here, by an import, while the server is being asked what is new there: so it waits when the same
    /// one of another device is heard of.
    private func importDuring<Entity: SyncEntity>(
        _ operation: MockOperation, _ imported: Entity,
        _ change: @Sendable (inout Entity) -> Void
    ) async throws {
        if try device.store().cursor() == nil {
            try await network.put(device.coffee)
            _ = await device.engine.performSync()
        }
        try await network.put(imported)
        try await network.edit(Entity.self, id: imported.id, change)
        let (network, engine) = (network, device.engine)
        await network.beforeEachCall { call in
            guard call.operation == operation else { return }
            await network.beforeEachCall(nil)
            try await engine.create(imported)
        }
        let report =
            operation == .list ? await device.engine.forceFullResync() : await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 1 && report.parked == 0)
        #expect(try device.mutations([.queued]).map(\.entityId) == [imported.id])
    }

    private func event() -> Event { makeEvent(eventTypeId: device.coffee.id, notes: "imported") }

    private func creates(_ type: EntityType) async -> Int {
        await network.callCount(.create, type) + network.callCount(.createBatch, type)
    }

    // MARK: A kind with batches

    @Test("undoes nothing that others have changed: that is listed", arguments: [MockOperation.getChanges, .list])
    func event(_ operation: MockOperation) async throws {
        let event = event()
        try await importDuring(operation, event) { $0.notes = "theirs" }
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await network.record(Event.self, id: event.id)?.entity.notes == "theirs")
        #expect(try device.event(event.id)?.entity.notes == "theirs")
        #expect(try device.event(event.id)?.syncStatus == .synced)
        let conflicts = try await device.engine.conflicts()
        #expect(conflicts.map(\.field) == ["notes"] && conflicts.map(\.remoteValue) == ["imported"])
        #expect(await creates(.event) == 0)
    }

    @Test("is deleted on the server where it is deleted here")
    func deletedEvent() async throws {
        let event = event()
        try await importDuring(.getChanges, event) { $0.notes = "theirs" }
        try await device.engine.delete(Event.self, id: event.id)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await network.record(Event.self, id: event.id) == nil)
        #expect(try device.event(event.id) == nil)
    }

    @Test("leaves the other device's record alone where it is given up")
    func droppedEvent() async throws {
        let event = event()
        try await importDuring(.getChanges, event) { $0.notes = "theirs" }
        let create = try #require(try device.mutations([.queued]).first)
        try await device.engine.dropMutation(id: create.id)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(await network.callCount(.delete) == 0)
        #expect(try device.event(event.id)?.entity.notes == "theirs")
    }

    @Test("takes an edit of it along")
    func editedEvent() async throws {
        let event = event()
        try await importDuring(.getChanges, event) { $0.locationName = "theirs" }
        try await device.edit(event.id) { $0.notes = "edited" }
        #expect(await device.engine.performSync().pending == 0)
        let kept = try #require(try await network.record(Event.self, id: event.id)?.entity)
        #expect(kept.notes == "edited" && kept.locationName == "theirs")
        #expect(try device.event(event.id)?.entity == kept)
    }

    @Test("lists nothing where both are the same")
    func sameEvent() async throws {
        let event = event()
        try await importDuring(.getChanges, event) { _ in }
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.conflicts == 0)
        #expect(await creates(.event) == 0)
    }

    // MARK: A kind without batches

    @Test(
        "of a kind without batches undoes nothing that others have changed either, whenever the look succeeds",
        arguments: [false, true])
    func eventType(looksTwice: Bool) async throws {
        let tea = makeEventType(name: "tea")
        try await importDuring(.getChanges, tea) { $0.icon = "leaf" }
        if looksTwice {
            await network.enqueue(.fail(failing), for: .get, .eventType)
            #expect(await device.engine.performSync().pending == 1)
        }
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await network.record(EventType.self, id: tea.id)?.entity.icon == "leaf")
        #expect(try device.store().findEventType(id: tea.id)?.icon == "leaf")
        let conflicts = try await device.engine.conflicts()
        #expect(conflicts.map(\.field) == ["icon"] && conflicts.map(\.remoteValue) == [.string(tea.icon)])
        #expect(await creates(.eventType) == 0)
    }

    @Test("of a kind without batches is deleted on the server where it is deleted here")
    func deletedEventType() async throws {
        let tea = makeEventType(name: "tea")
        try await importDuring(.getChanges, tea) { $0.icon = "leaf" }
        try await device.engine.delete(EventType.self, id: tea.id)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await network.record(EventType.self, id: tea.id) == nil)
        #expect(try device.store().findEventType(id: tea.id) == nil)
    }

    // MARK: Deleted elsewhere

    @Test("does not bring back what was deleted elsewhere, and keeps what it says aside")
    func deletedElsewhere() async throws {
        let event = event()
        try await importDuring(.getChanges, event) { $0.notes = "theirs" }
        try await network.remove(Event.self, id: event.id)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 1)
        #expect(await creates(.event) == 0)
        #expect(try device.parkReason(of: event.id)?.code == .deletedElsewhere)
        #expect(try device.event(event.id)?.entity == event)
    }

    @Test("of a kind without batches does not bring back what was deleted elsewhere either")
    func typeDeletedElsewhere() async throws {
        let tea = makeEventType(name: "tea")
        try await importDuring(.getChanges, tea) { $0.icon = "leaf" }
        try await network.remove(EventType.self, id: tea.id)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 1)
        #expect(await creates(.eventType) == 0)
        #expect(try device.parkReason(of: tea.id)?.code == .deletedElsewhere)
        #expect(try device.store().findEventType(id: tea.id) == tea)
    }

    // MARK: Before anything was heard of it

    /// Another device has made the same record, changed it since, and sent both.
    private func othersHave<Entity: SyncEntity>(_ entity: Entity, _ change: @Sendable (inout Entity) -> Void = { _ in })
        async throws
    {
        try await network.put(device.coffee)
        try await network.put(entity)
        try await network.edit(Entity.self, id: entity.id, change)
        device.wallClock.advance(bySeconds: 3_600)
    }

    @Test("undoes nothing where it was imported before the first sync, or since the last", arguments: [true, false])
    func unheard(isFirstSync: Bool) async throws {
        if !isFirstSync { _ = await device.engine.performSync() }
        let event = event()
        try await othersHave(event) { $0.locationName = "theirs" }
        try await device.engine.create(device.coffee)
        try await device.engine.create(event)
        let new = try await device.logCoffee(notes: "new")
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await network.record(Event.self, id: event.id)?.entity.locationName == "theirs")
        #expect(try device.event(event.id)?.entity.locationName == "theirs")
        #expect(try await network.record(Event.self, id: new.id)?.entity == new)
        #expect(try await device.engine.conflicts().map(\.field) == ["location_name"])
    }

    @Test("counts as sent where it says what the server has, without a look at each")
    func equal() async throws {
        let event = event()
        try await othersHave(event)
        try await device.engine.create(device.coffee)
        try await device.engine.create(event)
        #expect(await device.engine.performSync().pending == 0)
        #expect(await network.callCount(.get) == 0)
        #expect(await creates(.event) == 0)
        #expect(try device.event(event.id)?.syncStatus == .synced)
        #expect(try await device.engine.conflicts() == [])
    }

    @Test("undoes nothing that others have done to a record which they have put back, too")
    func putBackTwice() async throws {
        let clock = ManualWallClock()
        let network = MockNetworkClient(clock: clock)
        let device = Device(network, wallClock: clock)
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        try await device.engine.delete(Event.self, id: event.id)
        _ = await device.engine.performSync()
        device.wallClock.advance(bySeconds: 3_600)
        try await network.put(event)
        try await network.edit(Event.self, id: event.id) { $0.notes = "theirs" }
        try await device.engine.create(event)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await network.record(Event.self, id: event.id)?.entity.notes == "theirs")
        #expect(try device.event(event.id)?.entity.notes == "theirs")
        #expect(try await device.engine.conflicts().map(\.remoteValue) == ["first"])
    }

    @Test("is none of what goes with its type, whose deletion is still to be sent, and is made anew after it")
    func madeAnewWithItsType() async throws {
        // Found by the simulator, seed 3005659: it counted as sent, and went with the type.
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        device.wallClock.advance(bySeconds: 3_600)
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        await network.enqueue(.fail(APIError.timeout), for: .delete)
        _ = await device.engine.performSync()
        try await device.engine.create(device.coffee)
        try await device.engine.create(event)
        #expect(await device.engine.forceFullResync().pending == 0)
        #expect(try await network.record(Event.self, id: event.id)?.entity == event)
        #expect(try device.event(event.id)?.entity == event)
    }

    @Test("counts as sent, too, where the types of an import were made anew on each device")
    func otherType() async throws {
        let tea = makeEventType(name: "tea")
        let events = (0..<3).map { makeEvent(eventTypeId: tea.id, notes: "\($0)") }
        try await network.put(tea)
        for event in events { try await network.put(event) }
        device.wallClock.advance(bySeconds: 3_600)
        let own = try await device.engine.create(makeEventType(name: "tea"))
        for var event in events {
            event.eventTypeId = own.id
            try await device.engine.create(event)
        }
        #expect(await device.engine.performSync().pending == 0)
        #expect(await creates(.event) == 0)
        #expect(await network.callCount(.get, .event) == 0)
        #expect(try await device.engine.conflicts() == [])
        for event in events { #expect(try device.event(event.id)?.entity == event) }
    }

    @Test("undoes nothing either where it had been refused, and is tried again")
    func refusedBefore() async throws {
        let event = event()
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        device.wallClock.advance(bySeconds: 3_600)
        let refused = APIError.http(status: 422, problem: ProblemDetails(status: 422))
        await network.enqueue(.fail(refused), times: 2, for: .createBatch)
        await network.enqueue(.fail(refused), for: .create)
        try await device.engine.create(event)
        #expect(await device.engine.performSync().parked == 1)
        try await othersHave(event) { $0.locationName = "theirs" }
        let create = try #require(try device.mutations([.parked]).first)
        try await device.engine.retryMutation(id: create.id)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await network.record(Event.self, id: event.id)?.entity.locationName == "theirs")
        #expect(try await device.engine.conflicts().map(\.field) == ["location_name"])
    }

    @Test("is none where the server's version is this device's own of an earlier life, which it replaces")
    func ownEarlierLife() async throws {
        // Found by the simulator, seed 1308: what was cleared in it came back.
        let device = Device()
        var event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        device.wallClock.advance(bySeconds: 3_600)
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try await device.engine.clearPendingMutations()
        let deletion = try #require(try device.mutations([.parked]).first)
        try await device.engine.create(device.coffee)
        event.notes = nil
        try await device.engine.create(event)
        try await device.engine.dropMutation(id: deletion.id)
        #expect(await device.engine.forceFullResync().pending == 0)
        #expect(try await device.network.record(Event.self, id: event.id)?.entity == event)
        #expect(try device.event(event.id)?.entity == event)
        #expect(try await device.engine.conflicts() == [])
    }

    @Test("goes all the same where the feed is refused")
    func refusedFeed() async throws {
        _ = await device.engine.performSync()
        device.wallClock.advance(bySeconds: 3_600)
        try await device.engine.create(device.coffee)
        await network.always(.fail(APIError.http(status: 410, problem: ProblemDetails(status: 410))), for: .getChanges)
        #expect(await device.engine.performSync().pending == 0)
    }
}
