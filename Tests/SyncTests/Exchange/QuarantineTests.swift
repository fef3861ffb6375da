import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// A record that has the right form and is none: a device could not name, show or place it.
struct UnusableRecord: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let entityType: EntityType
    let fields: [String: JSONValue]

    private static let parent = JSONValue.string(freshId())
    private static let noon: JSONValue = "2026-01-01T12:00:00Z"
    private static let table: [(String, EntityType, [String: JSONValue])] = [
        ("an event under another id", .event, ["id": "x", "event_type_id": parent, "timestamp": noon]),
        ("an event of no type", .event, ["event_type_id": " ", "timestamp": noon]),
        ("an event whose time is a number", .event, ["event_type_id": parent, "timestamp": 12]),
        ("a type without a name", .eventType, ["name": " ", "color": "#112233", "icon": "x"]),
        ("a type whose colour is none", .eventType, ["name": "tea", "color": "red", "icon": "x"]),
        ("a place beyond the pole", .geofence, ["name": "a", "latitude": 91, "longitude": 0, "radius": 9]),
        ("a place whose latitude is a text", .geofence, ["name": "a", "latitude": "9", "longitude": 0, "radius": 9]),
        ("a place without extent", .geofence, ["name": "a", "latitude": 9, "longitude": 0, "radius": 0]),
        (
            "a property without a key", .propertyDefinition,
            ["event_type_id": parent, "key": "", "label": "Size", "property_type": "text"]
        ),
        ("a record of a kind that is not known", "planet", ["size": 1]),
    ]
    static let all = table.map { UnusableRecord(testDescription: $0.0, entityType: $0.1, fields: $0.2) }

    func change(_ id: String, revision: Int64) -> SyncChange {
        SyncChange(
            entityType: entityType, entityId: id, revision: revision,
            record: .object(["id": .string(id)].merging(fields) { $1 }))
    }
}

@Suite("Records that cannot be used")
struct QuarantineTests {
    private let device = Device {
        $0.quarantineLimit = 20
        $0.quarantineByteLimit = 10_000
    }

    private func change(_ entity: some SyncEntity, _ revision: Int64, _ fields: [String: JSONValue] = [:]) throws
        -> SyncChange
    {
        let record = try WireCoding.fields(of: entity).merging(fields) { $1 }
        return SyncChange(
            entityType: type(of: entity).entityType, entityId: entity.id, revision: revision, record: .object(record))
    }

    @Test("wait aside as they came, and stop nothing", arguments: UnusableRecord.all, [false, true])
    func waits(record: UnusableRecord, isFirst: Bool) async throws {
        if !isFirst { await device.sync() }
        let bad = record.change(freshId(), revision: 7)
        try await device.deliver([bad, change(device.coffee, 8)])
        let report = await device.sync()
        #expect(report.failure == nil && report.quarantined == 1)
        #expect(try device.all(EventType.self) == [device.coffee] && device.all(Event.self).isEmpty)
        let held = try await device.engine.quarantine()
        #expect(held.map(\.entry.data) == [bad.record] && held.first?.reason.isEmpty == false)
        #expect(await device.sync().quarantined == 1)
    }

    @Test(
        "leave the record as it was where an edit made it so, until the next edit mends it, or it is deleted",
        arguments: [
            false, true,
        ])
    func edits(isDeleted: Bool) async throws {
        try device.server.create(device.coffee)
        await device.sync()
        for _ in 0..<2 { try await device.deliver([change(device.coffee, 7, ["color": "red"])]) }
        for _ in 0..<2 { #expect(await device.sync().quarantined == 1) }
        #expect(try device.find(EventType.self, device.coffee.id) == device.coffee)
        let kind = EntityType.eventType
        try await device.deliver([
            isDeleted
                ? SyncChange(entityType: kind, entityId: device.coffee.id, revision: 9)
                : change(device.coffee, 9, ["color": "#010203"])
        ])
        #expect(await device.sync().quarantined == 0)
        #expect(try device.find(EventType.self, device.coffee.id)?.color == (isDeleted ? nil : "#010203"))
    }

    @Test("stay aside until a resync shows what the server has of them")
    func resync() async throws {
        await device.sync()
        let bad = try change(device.coffee, 7, ["color": "red"])
        try await device.deliver([bad])
        #expect(await device.sync().quarantined == 1)
        await device.network.beforeEachCall { _ in throw APIError.connection("reset") }
        #expect(await device.engine.forceFullResync().quarantined == 1)
        #expect(try await device.engine.quarantine().map(\.entry.data) == [bad.record])
        await device.heal()
        #expect(await device.sync().quarantined == 0)
        #expect(try device.find(EventType.self, device.coffee.id) == nil)
    }

    @Test("hold back nothing that belongs to them")
    func children() async throws {
        await device.sync()
        let event = makeEvent(eventTypeId: device.coffee.id)
        try await device.deliver([change(device.coffee, 7, ["color": "red"]), change(event, 8)])
        #expect(await device.sync().quarantined == 1)
        #expect(try device.event(event.id) == event)
        try await device.edit(event.id) { $0.notes = "edited" }
        #expect(try device.event(event.id)?.notes == "edited")
    }

    @Test("are applied as soon as their kind is known")
    func kindIsKnown() async throws {
        let stores = InMemoryDataStoreFactory(schema: try EntitySchema(EntitySchema.trendy.types + [ContractItem.self]))
        let server = ExchangeServer(schema: stores.schema)
        let item = ContractItem(id: freshId(), name: "hi")
        let before = Device(server, schema: .trendy, stores: stores)
        await before.sync()
        try server.create(item)
        #expect(await before.sync().quarantined == 1)
        let after = Device(server, stores: stores)
        #expect(await after.sync().quarantined == 0)
        #expect(try after.find(ContractItem.self, item.id) == item)
        // A deletion here is not to meet a record that others bring back later.
        let type = try #require(stores.schema.type(for: ContractItem.entityType))
        let replica = Replica(
            store: try after.store(), schema: stores.schema, wallClock: after.wallClock,
            identifiers: SequentialIdentifiers())
        #expect(try replica.load(type, item.id).created > 0)
    }

    @Test("are not those that are only longer than what a person may enter here, or named by other means")
    func generous() async throws {
        let id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        let long = String(repeating: "x", count: 20_000)
        let type = SyncChange(
            entityType: .eventType, entityId: id, revision: 1,
            record: ["id": .string(id), "name": .string(long), "color": "#abcdef", "icon": .string(long)])
        let event = SyncChange(
            entityType: .event, entityId: "e1", revision: 2,
            record: [
                "id": "e1", "event_type_id": .string(id), "timestamp": "2026-01-02T00:00:00Z",
                "end_date": "2026-01-01T00:00:00Z", "notes": .string(long), "source_type": "watch",
                "location_latitude": 5, "properties": ["": ["type": "mood", "value": [1]]],
            ])
        try await device.deliver([type, event])
        #expect(await device.sync().quarantined == 0)
        #expect(try device.find(EventType.self, id)?.name == long && device.event("e1")?.notes == long)
    }

    @Test(
        "stop the sync where there are too many of them or they are too large, and none is lost",
        arguments: [
            (count: 30, size: 1, room: 20), (count: 4, size: 4_000, room: 2),
        ])
    func full(count: Int, size: Int, room: Int) async throws {
        await device.sync()
        let data = JSONValue.object(["size": .string(String(repeating: "x", count: size))])
        for number in 0..<count {
            try await device.deliver([
                SyncChange(entityType: "planet", entityId: "\(number)", revision: Int64(number + 1), record: data)
            ])
            await device.sync()
        }
        let report = await device.sync()
        #expect(report.failure == nil && report.quarantined == room)
        try await device.deliver([
            SyncChange(entityType: "planet", entityId: "one more", revision: 99, record: data),
            change(device.coffee, 100),
        ])
        let full = await device.sync()
        #expect(full.failure == .quarantineFull && full.nextAttemptAt == nil && full.quarantined == room)
        #expect(try device.all(EventType.self).isEmpty)
        let ids = Set(try await device.engine.quarantine().map(\.id))
        #expect(try await device.engine.discardQuarantined(ids: ids.union(["unknown"])) == room)
        try await device.deliver([change(device.coffee, 100)])
        #expect(await device.sync().quarantined == 0)
        #expect(try device.all(EventType.self) == [device.coffee])
    }
}
