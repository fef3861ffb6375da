import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("A comparison with the server")
struct StoreAuditTests {
    private let devices = TwoDevices()
    private var device: Device { devices.b }

    /// Both devices have a type, a place, a definition and six events.
    private func share() async throws -> [Event] {
        var events: [Event] = []
        for number in 0..<6 { events.append(try await devices.a.logCoffee(notes: "note \(number)")) }
        try await devices.a.engine.create(makeGeofence())
        try await devices.a.engine.create(makePropertyDefinition(eventTypeId: devices.a.coffee.id))
        await devices.syncUntilQuiet()
        return events
    }

    @Test("finds nothing where both sides have the same, and says what it compared")
    func clean() async throws {
        _ = try await share()
        let report = await device.engine.audit()
        #expect(report.isClean && report.differences.isEmpty && !report.isRepair)
        #expect(report.kinds.map(\.entityType) == [.eventType, .geofence, .propertyDefinition, .event])
        #expect(report.kinds.map(\.here) == [1, 1, 1, 6] && report.kinds.map(\.there) == [1, 1, 1, 6])
        #expect(report.kinds.allSatisfy { $0.isEqual && $0.waiting == 0 })
        #expect(Set(report.kinds.map(\.digestHere)).count == 4)
        let other = await devices.a.engine.audit()
        #expect(other.kinds.map(\.digestHere) == report.kinds.map(\.digestHere))
    }

    @Test("names exactly the record that was lost here, the one that differs and the one that nobody knows")
    func exact() async throws {
        let events = try await share()
        let foreign = makeEvent(eventTypeId: devices.a.coffee.id, notes: "foreign")
        try device.tamper { store in
            try store.delete(Event.self, id: events[1].id)
            try store.changeRow(events[2].id) { $0.notes = "tampered" }
            try store.upsert(LocalRecord(foreign, syncStatus: .synced))
        }
        let report = await device.engine.audit()
        #expect(report.sync.failure == nil && !report.isClean)
        let found = Dictionary(uniqueKeysWithValues: report.differences.map { ($0.entityId, $0.kind) })
        #expect(
            found == [
                events[1].id: .onlyThere, foreign.id: .onlyHere,
                events[2].id: .fields([FieldDifference(field: "notes", here: "tampered", there: "note 2")]),
            ])
        #expect(report.differences.allSatisfy { $0.outcome == .found })
        #expect(report.kind(.event)?.isEqual == false && report.kind(.eventType)?.isEqual == true)
        #expect(try device.event(events[1].id) == nil)
        #expect(try device.mutations([.queued]).isEmpty)
    }

    @Test("mends each of them, and a second comparison finds nothing")
    func repair() async throws {
        let events = try await share()
        let foreign = makeEvent(eventTypeId: devices.a.coffee.id, notes: "foreign")
        try device.tamper { store in
            try store.delete(Event.self, id: events[1].id)
            try store.changeRow(events[2].id) { $0.notes = "tampered" }
            try store.upsert(LocalRecord(foreign, syncStatus: .synced))
        }
        let report = await device.engine.audit(repairing: true)
        let done = Dictionary(uniqueKeysWithValues: report.differences.map { ($0.entityId, $0.outcome) })
        #expect(done == [events[1].id: .broughtIn, events[2].id: .broughtIn, foreign.id: .queued])
        #expect(report.isClean && report.isRepair && report.sync.pending == 1)
        #expect(try device.event(events[1].id)?.entity == events[1])
        #expect(try device.event(events[2].id)?.entity == events[2])
        #expect(try device.event(foreign.id)?.syncStatus == .pending)
        #expect(try device.mutations([.queued]).map(\.operation) == [.create])
        let second = await device.engine.audit()
        #expect(second.isClean && second.differences.isEmpty && second.kind(.event)?.waiting == 1)
        #expect(await device.engine.performSync().failure == nil)
        #expect(try await devices.network.record(Event.self, id: foreign.id)?.notes == "foreign")
        #expect(await device.engine.audit().isClean)
    }

    @Test("lists a value that gives way as a conflict, which brings it back, but not one that the server has outdated")
    func losses() async throws {
        let events = try await share()
        try device.tamper { try $0.changeRow(events[0].id) { $0.notes = "mine" } }
        _ = await device.engine.audit(repairing: true)
        let conflict = try #require(try await device.engine.conflicts().first)
        #expect(conflict.entityId == events[0].id && conflict.field == "notes")
        #expect(conflict.localValue == "note 0" && conflict.remoteValue == "mine")
        try await device.engine.restoreConflict(id: conflict.id)
        await devices.syncUntilQuiet()
        #expect(try devices.a.event(events[0].id)?.entity.notes == "mine")

        // The row is as it was before an edit that the feed has shown.
        let before = try #require(try device.event(events[1].id))
        try await devices.a.edit(events[1].id) { $0.notes = "later" }
        await devices.syncUntilQuiet()
        try device.tamper { try $0.upsert(before) }
        #expect(await device.engine.audit(repairing: true).isClean)
        #expect(try device.event(events[1].id)?.entity.notes == "later")
        #expect(try await device.engine.conflicts().isEmpty)
    }

    @Test("takes an answer that is about another record for none, and asks again", arguments: [1, 3])
    func mixedUp(times: Int) async throws {
        let events = try await share()
        try device.tamper { try $0.changeRow(events[2].id) { $0.notes = "tampered" } }
        let other = try #require(try await device.network.record(Event.self, id: events[3].id))
        let foreign = JSONValue.object(try WireCoding.fields(of: other.entity))
        for _ in 0..<times { await device.network.enqueue(.respond(foreign), for: .get, .event) }
        let report = await device.engine.audit(repairing: true)
        #expect(report.differences.count == (times == 1 ? 1 : 0))
        #expect(report.kind(.event)?.unsettled == (times == 1 ? 0 : 1))
        #expect(try device.event(events[2].id)?.entity.notes == (times == 1 ? "note 2" : "tampered"))
        #expect(try device.event(events[3].id)?.entity == events[3])
    }

    @Test("sends nothing, and is no sync")
    func readsOnly() async throws {
        _ = try await share()
        try await device.engine.create(makeEvent(eventTypeId: devices.a.coffee.id, notes: "waits"))
        let history = try await device.engine.history().count
        await devices.network.reset()
        #expect(await device.engine.audit(repairing: true).isClean)
        let sent = Set(await devices.network.calls.map(\.operation))
        #expect(sent == [.checkHealth, .getChanges, .list])
        #expect(try await device.engine.history().count == history)
        #expect(try device.mutations([.queued]).count == 1)
    }

    @Test("has nothing to compare before the first sync, or while a full resync waits")
    func needsSync() async throws {
        let report = await device.engine.audit(repairing: true)
        #expect(report.needsSync && !report.isClean && report.kinds.isEmpty)
        #expect(await devices.network.calls.isEmpty)
    }

    @Test("goes on while the server asks for a pause no more than a sync does, and says what stopped it")
    func stopped() async throws {
        _ = try await share()
        await devices.network.enqueue(.fail(APIError.rateLimited(retryAfter: 30)), for: .list, .event)
        let report = await device.engine.audit()
        #expect(report.sync.failure == .rateLimited && !report.isClean)
        #expect(report.kinds.map(\.entityType) == [.eventType, .geofence, .propertyDefinition])
        await devices.network.reset()
        #expect(await device.engine.audit().sync.failure == .rateLimited)
        #expect(await devices.network.calls.isEmpty)
        #expect(try device.store().stagedIds(EventType.self).isEmpty)
    }

    @Test("holds the lease while it runs, and waits for one that another holds")
    func lease() async throws {
        _ = try await share()
        let (network, engine) = (devices.network, device.engine)
        await network.beforeEachCall { call in
            let holder = try await engine.leaseHolder()
            #expect(holder?.isAlive == true)
        }
        #expect(await engine.audit(repairing: true).isClean)
        #expect(try await engine.leaseHolder() == nil)
        await network.beforeEachCall(nil)
        let others = SyncLease(
            owner: .process, token: "another", duration: 60_000, wallClock: device.wallClock)
        try device.tamper { _ = try others.acquire(in: $0) }
        let impatient = Device(network, wallClock: device.wallClock, stores: device.stores) {
            $0.leasePatience = .zero
        }
        #expect(await impatient.engine.audit().sync.failure == .store)
    }

    @Test("compares other people's kinds of record just so")
    func ownKind() async throws {
        let schema = try EntitySchema([AuditedItem.self])
        let network = MockNetworkClient(
            schema: schema, capabilities: [AuditedItem.entityType: RouteCapabilities(listing: .paged(limit: 2))])
        let device = Device(network, schema: schema)
        let items = (0..<5).map { AuditedItem(id: freshId(), name: "item \($0)") }
        for item in items { try await network.put(item) }
        _ = await device.engine.performSync()
        try device.tamper { store in
            try store.delete(AuditedItem.self, id: items[0].id)
            try store.upsert(LocalRecord(AuditedItem(id: items[4].id, name: "another"), syncStatus: .synced))
        }
        let report = await device.engine.audit(repairing: true)
        #expect(report.kinds.map(\.there) == [5] && report.differences.map(\.outcome) == [.broughtIn, .broughtIn])
        #expect(try device.store().fetch(AuditedItem.self, where: nil).map(\.entity) == items)
    }
}

struct AuditedItem: SyncEntity {
    static let entityType: EntityType = "audited_item"
    static let fields = ["id", "name"]
    var id: String
    var name: String
}

extension StoreAuditReport {
    func kind(_ entityType: EntityType) -> Kind? { kinds.first { $0.entityType == entityType } }
}

extension Device {
    /// Changes the store behind the engine's back.
    func tamper(_ body: (any DataStoreProtocol) throws -> Void) throws {
        let store = try store()
        try body(store)
        try store.save()
    }
}

extension DataStoreProtocol {
    /// Changes an event's row, and nothing of the queue.
    func changeRow(_ id: String, _ change: (inout Event) -> Void) throws {
        guard var record = try find(Event.self, id: id) else {
            throw SyncEngineError.notFound(entityType: .event, id: id)
        }
        change(&record.entity)
        try upsert(record)
    }
}

@Suite("The digest of a set of records")
struct RecordDigestTests {
    @Test(
        "has the published value of FNV-1a",
        arguments: [("", "6c62272e07bb014262b821756295c58d"), ("a", "d228cb696f1a8caf78912b704e4a8964")])
    func vectors(_ text: String, _ expected: String) {
        #expect(String(RecordDigest.hash(text.utf8), radix: 16) == expected)
    }

    @Test("does not depend on the order, and tells sets apart")
    func sets() throws {
        let items = (0..<3).map { AuditedItem(id: testId($0), name: "item \($0)") }
        var (forwards, backwards, fewer) = (RecordDigest(), RecordDigest(), RecordDigest())
        for item in items { try forwards.add(item) }
        for item in items.reversed() { try backwards.add(item) }
        for item in items.dropLast() { try fewer.add(item) }
        #expect(forwards == backwards && forwards != fewer)
        #expect(forwards.description.count == 32 && RecordDigest().description == String(repeating: "0", count: 32))
        var rest = RecordDigest()
        try rest.add(items[2])
        fewer.add(rest)
        #expect(fewer == forwards)
    }
}
