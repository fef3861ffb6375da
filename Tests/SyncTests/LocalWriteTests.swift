import Foundation
import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Local writes")
struct LocalWriteTests {
    let device = Device()

    @Test("put the record and its mutation into one save")
    func recordAndMutationTogether() async throws {
        let event = try await device.logCoffee(notes: "hot")
        #expect(try device.event(event.id)?.syncStatus == .pending)
        let queued = try device.mutations([.queued])
        #expect(queued.map(\.entityType) == [.eventType, .event])
        #expect(try WireCoding.decode(Event.self, from: #require(queued[1].payload)) == event)
    }

    @Test("that are invalid leave nothing behind")
    func invalid() async throws {
        let bad = makeEvent(eventTypeId: "nonsense")
        await #expect(throws: ValidationError.self) { try await device.engine.create(bad) }
        #expect(try device.mutations().isEmpty)
        #expect(try device.event(bad.id) == nil)
    }

    @Test("of many records go in together or not at all")
    func allOrNone() async throws {
        try await device.engine.create(device.coffee)
        let good = (0..<10).map { _ in makeEvent(eventTypeId: device.coffee.id) }
        #expect(try await device.engine.create(contentsOf: good) == 10)
        let mixed = [makeEvent(eventTypeId: device.coffee.id), makeEvent(eventTypeId: "nonsense")]
        await #expect(throws: ValidationError.self) { try await device.engine.create(contentsOf: mixed) }
        #expect(try device.store().count(Event.self) == 10)
        #expect(try device.mutations([.queued]).count == 11)
    }

    @Test("of a record that is there already are refused")
    func duplicate() async throws {
        let event = try await device.logCoffee()
        await #expect(throws: SyncEngineError.alreadyExists(entityType: .event, id: event.id)) {
            try await device.engine.create(event)
        }
    }

    @Test("to a record that is not there are refused")
    func missing() async throws {
        let stranger = makeEvent(eventTypeId: device.coffee.id)
        await #expect(throws: SyncEngineError.notFound(entityType: .event, id: stranger.id)) {
            try await device.engine.update(stranger)
        }
        await #expect(throws: SyncEngineError.notFound(entityType: .event, id: stranger.id)) {
            try await device.engine.delete(Event.self, id: stranger.id)
        }
    }

    @Test("by payload change the record too")
    func payload() async throws {
        let event = try await device.logCoffee(notes: "hot")
        _ = await device.engine.performSync()
        let patch = Data(#"{"notes":null,"is_all_day":true}"#.utf8)
        let id = try await device.engine.queueMutation(
            entityType: .event, operation: .update, entityId: event.id, payload: patch)
        #expect(id != nil)
        let changed = try #require(try device.event(event.id)?.entity)
        #expect(changed.notes == nil && changed.isAllDay)
        await #expect(throws: SyncEngineError.self) {
            try await device.engine.queueMutation(
                entityType: .event, operation: .update, entityId: event.id, payload: Data("{".utf8))
        }
        await #expect(throws: SyncEngineError.unknownEntityType("planet")) {
            try await device.engine.queueMutation(
                entityType: "planet", operation: .create, entityId: event.id, payload: patch)
        }
    }

    @Test("refuse a kind that the engine was not told of, because nothing of it would ever be sent")
    func untoldKind() async throws {
        let stores = InMemoryDataStoreFactory(schema: try EntitySchema(EntitySchema.trendy.types + [ContractItem.self]))
        let engine = SyncEngine(networkClient: MockNetworkClient(), dataStoreFactory: stores)
        let item = ContractItem(id: "a", name: "n")
        await #expect(throws: SyncEngineError.unknownEntityType(ContractItem.entityType)) {
            try await engine.create(item)
        }
        let store = try stores.makeDataStore()
        #expect(try store.find(ContractItem.self, id: "a") == nil)
        #expect(try store.countMutations(MutationQuery()) == 0)
    }

    @Test("report how much waits")
    func pendingCount() async throws {
        try await device.logCoffee()
        #expect(try await device.engine.getPendingCount() == 2)
        _ = await device.engine.performSync()
        #expect(await device.engine.pendingCount == 0)
        #expect(await device.engine.lastSyncTime != nil)
    }
}

@Suite("Deleting a parent here")
struct LocalCascadeTests {
    let device = Device()

    @Test("deletes its unsent children with it and tells the server nothing")
    func unsentChildren() async throws {
        let event = try await device.logCoffee()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        #expect(try device.event(event.id) == nil)
        #expect(try device.mutations([.queued, .sending, .parked]).isEmpty)
        _ = await device.engine.performSync()
        #expect(await device.network.callCount(.delete) == 0)
    }

    @Test("deletes children that the server has, with one deletion of the parent")
    func syncedChildren() async throws {
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        #expect(try device.event(event.id) == nil)
        let report = await device.engine.performSync()
        #expect(report.failure == nil)
        #expect(await device.network.callCount(.delete) == 1)
        #expect(try await device.network.records(Event.self).isEmpty)
        #expect(try device.event(event.id) == nil)
    }

    @Test("clears references that need not cascade")
    func cleared() async throws {
        try await device.engine.create(device.coffee)
        let place = makeGeofence(eventTypeEntryId: device.coffee.id)
        try await device.engine.create(place)
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        #expect(try device.store().findGeofence(id: place.id)?.eventTypeEntryId == nil)
        let report = await device.engine.performSync()
        #expect(report.parked == 0 && report.pending == 0)
        #expect(try await device.network.record(Geofence.self, id: place.id)?.entity.eventTypeEntryId == nil)
    }
}

@Suite("Several writes at once")
struct PerformTests {
    let device = Device()

    @Test("go in together")
    func together() async throws {
        let type = device.coffee
        let event = makeEvent(eventTypeId: type.id)
        try await device.engine.perform { writes in
            try writes.create(type)
            try writes.create(event)
            #expect(try writes.find(Event.self, id: event.id) == event)
        }
        #expect(try device.mutations([.queued]).count == 2)
    }

    @Test("leave nothing behind where one of them fails")
    func rollsBack() async throws {
        let type = device.coffee
        await #expect(throws: ValidationError.self) {
            try await device.engine.perform { writes in
                try writes.create(type)
                try writes.create(makeEvent(eventTypeId: "nonsense"))
            }
        }
        #expect(try device.mutations().isEmpty)
        #expect(try device.store().fetchAllEventTypes().isEmpty)
        #expect(!device.stores.isWriteLocked)
    }
}
