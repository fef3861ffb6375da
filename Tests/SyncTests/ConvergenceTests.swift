import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// Devices that do random things over a network that fails at random, then a network that works.
@Suite("Convergence")
struct ConvergenceTests {
    @Test("after any history, all devices and the server hold equal records", arguments: 0..<300)
    func converge(seed: UInt64) async throws {
        let world = World(seed: seed)
        for _ in 0..<60 { try await world.step() }
        try await world.heal()
        try await world.check()
    }
}

/// Three devices, a server, and one random source that decides everything.
private struct World {
    let random: SeededRandomSource
    let clock = ManualWallClock()
    let network: MockNetworkClient
    let devices: [Device]
    let types: [EventType]

    init(seed: UInt64) {
        let random = SeededRandomSource(seed: seed)
        let network = MockNetworkClient(
            clock: clock,
            capabilities: [.event: RouteCapabilities(listing: .paged(limit: 3), batchLimit: 500)])
        let clock = clock
        self.random = random
        self.network = network
        devices = (0..<3).map { number in
            Device(network, wallClock: clock, seed: seed * 10 + UInt64(number)) {
                $0.batchSize = 3
                $0.windowSize = 5
                $0.changesPerPage = 4
                $0.blameLimit = 1_000_000
            }
        }
        types = ["coffee", "run", "tea"].map { makeEventType(name: $0) }
    }

    func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    func step() async throws {
        clock.advance(byMilliseconds: Int64(pick(40_000)))
        let device = devices[pick(devices.count)]
        switch pick(12) {
        case 0: try await makeType(device)
        case 1...3: try await log(device)
        case 4, 5: try await edit(device)
        case 6: try await delete(device)
        case 7: try await deleteType(device)
        case 8: _ = await device.engine.forceFullResync()
        default:
            await plantFault()
            _ = await device.engine.performSync()
        }
    }

    private func makeType(_ device: Device) async throws {
        let name = types[pick(types.count)].name
        if try device.store().fetchAllEventTypes().contains(where: { $0.name == name }) { return }
        try await device.engine.create(makeEventType(name: name))
    }

    private func log(_ device: Device) async throws {
        let known = try device.store().fetchAllEventTypes()
        guard !known.isEmpty else { return try await makeType(device) }
        let type = known[pick(known.count)]
        try await device.engine.create(
            makeEvent(eventTypeId: type.id, timestamp: clock.now(), notes: "note \(random.next())"))
    }

    private func edit(_ device: Device) async throws {
        let events = try device.store().fetch(Event.self, where: nil).filter { $0.syncStatus != .failed }
        guard !events.isEmpty else { return }
        let id = events[pick(events.count)].id
        let choice = pick(3)
        let value = "edit \(random.next())"
        try await device.edit(id) { event in
            switch choice {
            case 0: event.notes = value
            case 1: event.notes = nil
            default: event.locationName = value
            }
        }
    }

    private func delete(_ device: Device) async throws {
        let events = try device.store().fetchAllEvents()
        guard !events.isEmpty else { return }
        try await device.engine.delete(Event.self, id: events[pick(events.count)].id)
    }

    private func deleteType(_ device: Device) async throws {
        let known = try device.store().fetchAllEventTypes()
        guard pick(3) == 0, !known.isEmpty else { return }
        try await device.engine.delete(EventType.self, id: known[pick(known.count)].id)
    }

    private func plantFault() async {
        let operations: [MockOperation] = [
            .create, .createBatch, .update, .delete, .getChanges, .list, .getLatestCursor,
        ]
        let operation = operations[pick(operations.count)]
        let failures: [any Error] = [
            APIError.timeout, APIError.connection("reset"), APIError.http(status: 500, problem: ProblemDetails()),
            APIError.rateLimited(retryAfter: Double(pick(20))), APIError.unauthorized("expired"),
        ]
        let failure = failures[pick(failures.count)]
        switch pick(5) {
        case 0: await network.enqueue(.fail(failure), for: operation)
        case 1, 2: await network.enqueue(.serveThenFail(failure), for: operation)
        default: break
        }
    }

    func heal() async throws {
        await network.reset()
        for _ in 0..<5 {
            clock.advance(bySeconds: 400)
            for device in devices {
                let report = await device.engine.performSync()
                #expect(report.failure == nil, "\(report.error ?? "")")
            }
        }
    }

    func check() async throws {
        let events = try await network.records(Event.self).map(\.entity).sorted { $0.id < $1.id }
        let eventTypes = try await network.records(EventType.self).map(\.entity).sorted { $0.id < $1.id }
        for (number, device) in devices.enumerated() {
            let parkedRecords = Set(try device.mutations([.parked]).map(\.entityId))
            let waiting = try device.mutations([.queued, .sending]).filter { !parkedRecords.contains($0.entityId) }
            #expect(waiting.isEmpty, "device \(number) still has work")
            let synced = try device.store().fetch(Event.self, where: nil).filter { $0.syncStatus == .synced }
            #expect(synced.map(\.entity) == events, "events of device \(number)")
            let types = try device.store().fetch(EventType.self, where: nil).filter { $0.syncStatus == .synced }
            #expect(types.map(\.entity) == eventTypes, "types of device \(number)")
            let parked = try device.mutations([.parked])
            let failed = try device.store().fetch(Event.self, where: nil).filter { $0.syncStatus == .failed }
            #expect(Set(failed.map(\.id)).isSubset(of: Set(parked.map(\.entityId))))
            #expect(!device.stores.isWriteLocked)
        }
        let creations = await network.changes.filter { $0.operation == .create }.map(\.entityId)
        #expect(Set(creations).count == creations.count, "a record was created twice")
    }
}
