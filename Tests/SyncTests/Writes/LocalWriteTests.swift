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
        #expect(try device.status(event.id) == .pending)
        let queued = try device.mutations([.queued])
        #expect(queued.map(\.entityType) == [.eventType, .event])
        #expect(try WireCoding.decode(Event.self, from: #require(queued[1].payload)) == event)
    }

    @Test("of many records go in together or not at all")
    func allOrNone() async throws {
        try await device.engine.create(device.coffee)
        let good = (0..<10).map { _ in makeEvent(eventTypeId: device.coffee.id) }
        #expect(try await device.engine.create(contentsOf: good) == 10)
        let mixed = [makeEvent(eventTypeId: device.coffee.id), makeEvent(eventTypeId: "nonsense")]
        await #expect(throws: ValidationError.self) { try await device.engine.create(contentsOf: mixed) }
        #expect(try device.all(Event.self).count == 10)
        #expect(try device.mutations([.queued]).count == 11)
    }

    @Test("that make a record that is there are refused, and those to one that is not")
    func refused() async throws {
        let event = try await device.logCoffee()
        await #expect(throws: SyncEngineError.alreadyExists(entityType: .event, id: event.id)) {
            try await device.engine.create(event)
        }
        let stranger = makeEvent(eventTypeId: device.coffee.id)
        let missing = SyncEngineError.notFound(entityType: .event, id: stranger.id)
        await #expect(throws: missing) { try await device.engine.update(stranger) }
        await #expect(throws: missing) { try await device.engine.delete(Event.self, id: stranger.id) }
    }

    @Test("by payload change the record too")
    func payload() async throws {
        let event = try await device.syncedCoffee(notes: "hot")
        let patch = Data(#"{"notes":null,"is_all_day":true}"#.utf8)
        let id = try await device.engine.queueMutation(
            entityType: .event, operation: .update, entityId: event.id, payload: patch)
        #expect(id != nil)
        let changed = try #require(try device.event(event.id))
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
        let device = Device(schema: .trendy, stores: stores)
        let item = ContractItem(id: "a", name: "n")
        await #expect(throws: SyncEngineError.unknownEntityType(ContractItem.entityType)) {
            try await device.engine.create(item)
        }
        #expect(try device.find(ContractItem.self, "a") == nil && device.mutations().isEmpty)
    }

    @Test("report how much waits")
    func pendingCount() async throws {
        try await device.logCoffee()
        #expect(try await device.engine.getPendingCount() == 2)
        await device.sync()
        #expect(await device.engine.pendingCount == 0)
        #expect(await device.engine.lastSyncTime != nil)
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
}
