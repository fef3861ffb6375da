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

    /// Loses an event of the device, changes another, and puts one in that nobody knows.
    private func damage(_ events: [Event]) throws -> Event {
        let foreign = makeEvent(eventTypeId: devices.a.coffee.id, notes: "foreign")
        try device.tamper { store in
            try store.delete(Event.self, id: events[1].id)
            try store.changeRow(events[2].id) { $0.notes = "tampered" }
            try store.upsert(LocalRecord(foreign, syncStatus: .synced))
        }
        return foreign
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

    @Test(
        "comes to its end where only small answers pass, and the next one knows",
        arguments: [APIError.timeout, refusal(502)])
    func narrowWay(error: APIError) async throws {
        _ = try await share()
        await device.network.beforeEachCall { call in
            if call.exchange?.limit ?? 0 > 4 { throw error }
        }
        let report = await device.engine.audit()
        #expect(report.sync.failure == nil && report.isClean && report.kinds.map(\.there) == [1, 1, 1, 6])
        #expect(try device.store().exchangePlace().receiving.size <= 4)
    }

    @Test("brings in a version with a lower revision, and finds nothing after that")
    func lowerRevision() async throws {
        let event = try await share()[2]
        try device.tamper { store in
            var row = try #require(try store.find(Event.self, id: event.id))
            row.revision = 1_000
            row.entity.notes = "of a lost history"
            try store.upsert(row)
        }
        let report = await device.engine.audit(repairing: true)
        #expect(report.differences.map(\.outcome) == [.broughtIn])
        #expect(try device.event(event.id) == event)
        await device.sync()
        #expect(await device.engine.audit().isClean)
        try await device.edit(event.id) { $0.notes = "after" }
        #expect(await device.sync().pending == 0)
        #expect(try devices.server.event(event.id)?.notes == "after")
    }

    @Test("names exactly the record that was lost here, the one that differs and the one that nobody knows")
    func exact() async throws {
        let events = try await share()
        let foreign = try damage(events)
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
        #expect(try device.event(events[1].id) == nil && device.open().isEmpty)
    }

    @Test("mends each of them, and a second comparison finds nothing")
    func repair() async throws {
        let events = try await share()
        let foreign = try damage(events)
        let report = await device.engine.audit(repairing: true)
        let done = Dictionary(uniqueKeysWithValues: report.differences.map { ($0.entityId, $0.outcome) })
        #expect(done == [events[1].id: .broughtIn, events[2].id: .broughtIn, foreign.id: .queued])
        #expect(report.isClean && report.isRepair && report.sync.pending == 1)
        #expect(try device.event(events[1].id) == events[1] && device.event(events[2].id) == events[2])
        #expect(try device.status(foreign.id) == .pending)
        let second = await device.engine.audit()
        #expect(second.isClean && second.differences.isEmpty && second.kind(.event)?.waiting == 1)
        #expect(await device.sync().failure == nil)
        #expect(try devices.server.event(foreign.id) == foreign)
        #expect(await device.engine.audit().isClean)
    }

    @Test("lists a value that gives way as a conflict, which brings it back")
    func losses() async throws {
        let events = try await share()
        try device.tamper { try $0.changeRow(events[0].id) { $0.notes = "mine" } }
        #expect(await device.engine.audit(repairing: true).isClean)
        let conflict = try #require(try device.conflicts.first)
        #expect(conflict.entityId == events[0].id && conflict.field == "notes")
        #expect(conflict.localValue == "note 0" && conflict.remoteValue == "mine")
        try await device.engine.restoreConflict(id: conflict.id)
        await devices.syncUntilQuiet()
        #expect(try devices.a.event(events[0].id)?.notes == "mine")
    }

    @Test("sends nothing, and is no sync")
    func readsOnly() async throws {
        _ = try await share()
        try await device.engine.create(makeEvent(eventTypeId: devices.a.coffee.id, notes: "waits"))
        let history = try await device.engine.history().count
        let sent = devices.server.sent.count
        #expect(await device.engine.audit(repairing: true).isClean)
        #expect(devices.server.sent.count == sent)
        #expect(try await device.engine.history().count == history)
        #expect(try device.mutations([.queued]).count == 1)
    }

    @Test("has nothing to compare before the first sync, or while a full resync waits")
    func needsSync() async throws {
        for _ in 0..<2 {
            let before = devices.server.requests.count
            let report = await device.engine.audit(repairing: true)
            #expect(report.needsSync && !report.isClean && report.kinds.isEmpty)
            #expect(devices.server.requests.count == before)
            await device.sync()
            try device.tamper { try $0.askForFullResync() }
        }
    }

    @Test("takes nothing for a difference that changes meanwhile, and finds the others", arguments: 0..<4)
    func moving(place: Int) async throws {
        let events = try await share()
        let impatient = device.restarted { $0.changesPerPage = 2 }
        try device.tamper { try $0.changeRow(events[2].id) { $0.notes = "tampered" } }
        let (server, network, coffee) = (devices.server, impatient.network, devices.a.coffee)
        await network.beforeEachCall { _ in
            guard await network.calls.count == 2 + place else { return }
            try server.change(.event, events[0].id, ["notes": "changed"])
            try server.delete(.event, events[5].id)
            try server.create(makeEvent(eventTypeId: coffee.id))
        }
        let report = await impatient.engine.audit(repairing: true)
        #expect(report.isClean && report.differences.map(\.entityId) == [events[2].id])
        #expect(try Set(device.all(Event.self)) == Set(server.all(Event.self)))
    }

    @Test("counts what cannot be used here, and takes it for no difference")
    func unusable() async throws {
        _ = try await share()
        await device.network.enqueue(.serve, for: .exchange)
        let odd = UnusableRecord.all[1].change(freshId(), revision: 3)
        try await device.deliver([odd])
        let report = await device.engine.audit()
        #expect(report.kind(.event)?.unusable == 1)
        #expect(!report.differences.contains { $0.entityId == odd.entityId })
    }

    @Test("goes on while the server asks for a pause no more than a sync does, and says what stopped it")
    func stopped() async throws {
        _ = try await share()
        await device.network.enqueue(.serve, for: .exchange)
        await device.network.enqueue(.fail(APIError.rateLimited(retryAfter: 30)), for: .exchange)
        let report = await device.engine.audit()
        #expect(report.sync.failure == .rateLimited && !report.isClean)
        let calls = await device.network.calls.count
        #expect(await device.engine.audit().sync.failure == .rateLimited)
        #expect(await device.network.calls.count == calls)
        #expect(try device.store().unmarkedIds(.event, after: nil, limit: 100).count == 6)
    }

    @Test("asks for a smaller page of a server that fails, unless the server asks for time", arguments: [nil, 30])
    func asksForTime(pause: Int?) async throws {
        _ = try await share()
        let before = await device.network.calls.count
        let failure = APIError.http(status: 503, problem: ProblemDetails(status: 503, retryAfter: pause))
        await device.network.enqueue(.fail(failure), for: .exchange)
        let report = await device.engine.audit()
        #expect(report.isClean == (pause == nil))
        #expect(await (device.network.calls.count == before + 1) == (pause != nil))
    }

    @Test("holds the lease while it runs, and waits for one that another holds")
    func lease() async throws {
        _ = try await share()
        let engine = device.engine
        await device.network.beforeEachCall { _ in
            let holder = try await engine.leaseHolder()
            #expect(holder?.isAlive == true)
        }
        #expect(await engine.audit(repairing: true).isClean)
        #expect(try await engine.leaseHolder() == nil)
        let others = SyncLease(owner: .process, token: "another", duration: 60_000, wallClock: device.wallClock)
        try device.tamper { _ = try others.acquire(in: $0) }
        let impatient = device.restarted { $0.leasePatience = .zero }
        #expect(await impatient.engine.audit().sync.failure == .store)
    }
}

extension StoreAuditReport {
    func kind(_ entityType: EntityType) -> Kind? { kinds.first { $0.entityType == entityType } }
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
