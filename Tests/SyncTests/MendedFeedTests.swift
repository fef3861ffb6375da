import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("A feed that is garbled on its way, and right the next time")
struct MendedFeedTests {
    typealias Fields = [String: JSONValue]

    private let device = Device()
    private var network: MockNetworkClient { device.network }

    /// What a proxy makes of an entry.
    struct Garbling: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (Fields) -> JSONValue

        /// Takes a field out of the record that the entry shows.
        static let withoutTimestamp = Garbling(testDescription: "a record without its time") { entry in
            var (entry, data) = (entry, entry["data"]?.objectValue ?? [:])
            data["timestamp"] = nil
            entry["data"] = .object(data)
            return .object(entry)
        }

        private static func member(_ name: String, _ value: JSONValue?) -> Garbling {
            Garbling(testDescription: "its \(name) is \(value.map { "\($0)" } ?? "missing")") { entry in
                var entry = entry
                entry[name] = value
                return .object(entry)
            }
        }

        static let all = [
            withoutTimestamp, member("entity_id", nil), member("entity_id", "other"), member("entity_type", 5),
            member("operation", "invent"),
            member("data", nil), member("id", nil), member("id", "one"), member("id", .null), member("id", 0),
            member("id", -7), member("id", .number(1.5)), member("id", .integer(.max)),
            Garbling(testDescription: "null") { _ in .null }, Garbling(testDescription: "text") { _ in "entry" },
            Garbling(testDescription: "a list") { .array([.object($0)]) },
        ]
    }

    /// Two events of which the device has not heard. The next page of the feed has the first of them garbled.
    private func garbledPage(_ garbling: Garbling) async throws -> (garbled: String, right: String) {
        try await network.put(device.coffee)
        _ = await device.engine.performSync()
        let garbled = try await network.put(makeEvent(eventTypeId: device.coffee.id, notes: "garbled"))
        let right = try await network.put(makeEvent(eventTypeId: device.coffee.id, notes: "right"))
        let changes = await network.changes
        let page = ChangeFeedResponse(changes: changes, nextCursor: changes.last?.id ?? 0, hasMore: false)
        var fields = try WireCoding.decode(Fields.self, from: WireCoding.encode(page))
        fields["changes"] = .array(
            try changes.map { change in
                let entry = try WireCoding.decode(Fields.self, from: WireCoding.encode(change))
                return change.entityId == garbled.id ? garbling.change(entry) : .object(entry)
            })
        await network.enqueue(.respond(.object(fields)), for: .getChanges)
        return (garbled.id, right.id)
    }

    @Test("stops nothing, and leaves nothing behind once it is right", arguments: Garbling.all)
    func mended(_ garbling: Garbling) async throws {
        let (garbled, right) = try await garbledPage(garbling)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.quarantined == 1)
        #expect(try device.event(right) != nil && device.event(garbled) == nil)
        let next = await device.engine.performSync()
        #expect(next.failure == nil)
        #expect(try device.event(garbled)?.entity.notes == "garbled")
        #expect(next.quarantined == 0)
    }

    @Test("is told in words")
    func reason() async throws {
        _ = try await garbledPage(.withoutTimestamp)
        _ = await device.engine.performSync()
        let reasons = try await device.engine.quarantine().map(\.reason)
        #expect(reasons == ["its data is no event: the field 'timestamp' is missing"])
    }

    @Test("brings back nothing that was changed after it")
    func overtaken() async throws {
        let (garbled, _) = try await garbledPage(.withoutTimestamp)
        _ = await device.engine.performSync()
        try await device.network.edit(Event.self, id: garbled) { $0.notes = "later" }
        #expect(await device.engine.performSync().quarantined == 0)
        #expect(try device.event(garbled)?.entity.notes == "later")
        try await device.network.remove(Event.self, id: garbled)
        #expect(await device.engine.performSync().quarantined == 0)
        #expect(try device.event(garbled) == nil)
    }

    @Test("is put aside once, however often it is read")
    func stillGarbled() async throws {
        let page = try await garbledPage(Garbling.all[6])
        let held = try await heldAfterSync()
        #expect(held.count == 1)
        device.wallClock.advance(bySeconds: 1)
        await network.enqueue(.respond(try await lastPage(garbling: page.garbled)), for: .getChanges)
        let again = try await heldAfterSync()
        #expect(again.map(\.id) == held.map(\.id) && again.map(\.receivedAt) == held.map(\.receivedAt))
    }

    private func heldAfterSync() async throws -> [QuarantinedChange] {
        _ = await device.engine.performSync()
        return try await device.engine.quarantine()
    }

    /// The whole feed with one record's entry without its place.
    private func lastPage(garbling id: String) async throws -> JSONValue {
        let changes = await network.changes
        let entries = try changes.map { change in
            var entry = try WireCoding.decode(Fields.self, from: WireCoding.encode(change))
            if change.entityId == id { entry["id"] = nil }
            return JSONValue.object(entry)
        }
        return ["changes": .array(entries), "next_cursor": .integer(changes.last?.id ?? 0), "has_more": false]
    }
}
