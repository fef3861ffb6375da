import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// A record that has the right form and is none: a device could not name, show or place it.
struct UnusableRecord: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let entityType: EntityType
    let fields: [String: JSONValue]

    /// The record under an id, unless it is the id that is wrong with it.
    func data(id: String) -> [String: JSONValue] { ["id": .string(id)].merging(fields) { $1 } }

    static let parent = freshId()
    static let all = [
        UnusableRecord(
            testDescription: "an event without an id", entityType: .event,
            fields: ["id": "", "event_type_id": .string(parent), "timestamp": "2026-01-01T00:00:00Z"]),
        UnusableRecord(
            testDescription: "an event of no type", entityType: .event,
            fields: ["event_type_id": " ", "timestamp": "2026-01-01T00:00:00Z"]),
        UnusableRecord(
            testDescription: "a type without a name", entityType: .eventType,
            fields: ["name": " ", "color": "#112233", "icon": "x"]),
        UnusableRecord(
            testDescription: "a type whose colour is none", entityType: .eventType,
            fields: ["name": "tea", "color": "red", "icon": "x"]),
        UnusableRecord(
            testDescription: "a place beyond the pole", entityType: .geofence,
            fields: ["name": "home", "latitude": 91, "longitude": 0, "radius": 100]),
        UnusableRecord(
            testDescription: "a place without extent", entityType: .geofence,
            fields: ["name": "home", "latitude": 9, "longitude": 0, "radius": 0]),
        UnusableRecord(
            testDescription: "a property without a key", entityType: .propertyDefinition,
            fields: ["event_type_id": .string(parent), "key": "", "label": "Size", "property_type": "text"]),
    ]
}

@Suite("Records that cannot be used")
struct UnusableRecordTests {
    private let device = Device()

    private func count() throws -> Int {
        let store = try device.store()
        return try store.count(Event.self) + store.count(EventType.self) + store.count(Geofence.self)
            + store.count(PropertyDefinition.self)
    }

    @Test("wait aside where the feed brings them, and stop nothing", arguments: UnusableRecord.all)
    func feed(record: UnusableRecord) async throws {
        _ = await device.engine.performSync()
        let data = record.data(id: freshId())
        await device.network.appendChange(
            entityType: record.entityType, operation: .create, entityId: data["id"]?.stringValue ?? "",
            data: .object(data))
        try await device.network.put(device.coffee)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.quarantined == 1)
        #expect(try count() == 1)
        let held = try await device.engine.quarantine()
        #expect(held.map(\.entry.data) == [.object(data)])
        #expect(held.first?.reason.contains("invalid \(record.entityType.displayName)") == true)
    }

    @Test("wait aside as they came where a listing shows them", arguments: UnusableRecord.all)
    func listing(record: UnusableRecord) async throws {
        try await device.network.put(device.coffee)
        var data = record.data(id: freshId())
        data["new_field"] = "kept"
        await device.network.enqueue(.respond(.array([.object(data)])), for: .list, record.entityType)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.quarantined == 1)
        #expect(try count() == 1)
        #expect(try await device.engine.quarantine().map(\.entry.data) == [.object(data)])
    }

    @Test("wait aside where a text stands for a number, in the feed and in a listing", arguments: [false, true])
    func textForNumber(isListed: Bool) async throws {
        let data: JSONValue = [
            "id": .string(freshId()), "name": "home", "latitude": "1e400", "longitude": 0, "radius": 100,
        ]
        if isListed {
            await device.network.enqueue(.respond(.array([data])), for: .list, .geofence)
        } else {
            _ = await device.engine.performSync()
            await device.network.appendChange(
                entityType: .geofence, operation: .create, entityId: data.objectValue?["id"]?.stringValue ?? "",
                data: data)
        }
        try await device.network.put(device.coffee)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.quarantined == 1)
        #expect(try count() == 1)
        #expect(try await device.engine.quarantine().map(\.entry.data) == [data])
    }

    @Test("leave the record as it was where an edit made it so, until the next edit mends it")
    func edits() async throws {
        try await device.network.put(device.coffee)
        _ = await device.engine.performSync()
        var fields = try WireCoding.fields(of: device.coffee)
        fields["color"] = "red"
        await device.network.appendChange(
            entityType: .eventType, operation: .update, entityId: device.coffee.id, data: .object(fields))
        #expect(await device.engine.performSync().quarantined == 1)
        #expect(try device.store().findEventType(id: device.coffee.id) == device.coffee)
        try await device.network.edit(EventType.self, id: device.coffee.id) { $0.color = "#010203" }
        #expect(await device.engine.performSync().quarantined == 0)
        #expect(try device.store().findEventType(id: device.coffee.id)?.color == "#010203")
    }

    @Test("hold back nothing that belongs to them: it is here when they are mended")
    func children() async throws {
        try await device.network.put(device.coffee)
        let size = try await device.network.put(makePropertyDefinition(eventTypeId: device.coffee.id))
        let event = try await device.network.put(makeEvent(eventTypeId: device.coffee.id))
        // What the feed has of them has been overtaken long ago: the listings alone show them.
        for id in [device.coffee.id, size.id] { await device.network.forgetChanges(of: id) }
        var fields = try WireCoding.fields(of: device.coffee)
        fields["color"] = "red"
        await device.network.enqueue(.respond(.array([.object(fields)])), for: .list, .eventType)
        await device.network.always(.respond(.object(fields)), for: .get, .eventType)
        let report = await device.engine.performSync()
        #expect(report.failure == nil)
        #expect(try device.store().findEventType(id: device.coffee.id) == nil)
        try await device.network.edit(EventType.self, id: device.coffee.id) { $0.color = "#010203" }
        #expect(await device.engine.performSync().quarantined == 0)
        #expect(try device.store().findEventType(id: device.coffee.id) != nil)
        #expect(try device.store().find(PropertyDefinition.self, id: size.id) != nil)
        #expect(try device.event(event.id) != nil)
    }

    @Test("are not those that are only longer than what a person may enter here, or named by other means")
    func generous() async throws {
        let id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        let long = String(repeating: "x", count: 20_000)
        await device.network.enqueue(
            .respond([["id": .string(id), "name": .string(long), "color": "#abcdef", "icon": .string(long)]]),
            for: .list, .eventType)
        await device.network.enqueue(
            .respond([
                [
                    "id": "e1", "event_type_id": .string(id), "timestamp": "2026-01-02T00:00:00Z",
                    "end_date": "2026-01-01T00:00:00Z", "notes": .string(long), "source_type": "watch",
                    "location_latitude": 5, "properties": ["": ["type": "mood", "value": [1]]],
                ]
            ]), for: .list, .event)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.quarantined == 0)
        #expect(try device.store().findEventType(id: id)?.name == long && device.event("e1")?.entity.notes == long)
    }
}

@Suite("What waits aside, and a full resync")
struct SupersededQuarantineTests {
    @Test("is gone where the new listings show it, and stays where none can")
    func superseded() async throws {
        let device = Device()
        try await device.network.put(device.coffee)
        await device.network.enqueue(
            .respond([["id": "x", "name": 5], ["name": 5], ["name": 6]]), for: .list, .eventType)
        _ = await device.engine.performSync()
        await device.network.appendChange(
            entityType: .event, operation: .update, entityId: freshId(), data: ["timestamp": 12])
        await device.network.appendChange(entityType: "planet", operation: .create, entityId: "p", data: ["id": "p"])
        #expect(await device.engine.performSync().quarantined == 5)
        #expect(await device.engine.forceFullResync().quarantined == 1)
        #expect(try await device.engine.quarantine().map(\.entry.entityType) == ["planet"])
    }

    @Test("waits once where the feed shows it after a listing")
    func shownTwice() async throws {
        let device = Device()
        var fields = try WireCoding.fields(of: device.coffee)
        fields["color"] = "red"
        let data = JSONValue.object(fields)
        await device.network.enqueue(.respond(.array([data])), for: .list, .eventType)
        await device.network.always(.respond(data), for: .get, .eventType)
        let entry = await device.network.appendChange(
            entityType: .eventType, operation: .create, entityId: device.coffee.id, data: data)
        #expect(await device.engine.performSync().quarantined == 1)
        #expect(try await device.engine.quarantine().map(\.id) == ["feed-\(entry.id)"])
        #expect(await device.engine.performSync().quarantined == 1)
    }
}
