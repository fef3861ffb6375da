import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// Random histories of devices of a deployed server that lose requests and answers: in the end all agree, and what was
/// written is there.
@Suite("Devices of a deployed server in disorder")
struct RESTConvergenceTests {
    @Test("agree with the server in the end, lose nothing, and leave nothing open", arguments: 1...300)
    func converge(seed: UInt64) async throws {
        var history = RESTHistory(seed)
        for _ in 0..<50 { try await history.step() }
        try await history.settle()
        try await history.check()
    }
}

/// What happens in one history.
private struct RESTHistory {
    let clock = ManualWallClock()
    let server: DeployedServer
    let devices: [ExchangingDevice]
    let seed: UInt64
    private let random: SeededRandomSource
    /// What was logged, and never deleted by anybody.
    private var logged: Set<String> = []
    private var deleted: Set<String> = []
    private var backups: [MockBackup] = []
    private var counter: UInt64 = 0

    init(_ seed: UInt64) {
        self.seed = seed
        random = SeededRandomSource(seed: seed)
        let (server, clock) = (DeployedServer(clock: clock), clock)
        self.server = server
        devices = (1...3).map { number in
            let device = ExchangingDevice(ExchangeServer(), named: number, clock: clock)
            device.gateway = TrendySync.ServerGateway(
                client: server, stores: device.stores, schema: .trendy, wallClock: clock, clock: device.requestClock,
                identifiers: device.identifiers)
            return device
        }
    }

    private func pick(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }

    private func any<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[pick(elements.count)]
    }

    mutating func step() async throws {
        let device = devices[pick(devices.count)]
        clock.advance(bySeconds: Double(pick(5)))
        switch pick(100) {
        case 0..<14: try makeType(on: device)
        case 14..<38: try log(on: device)
        case 38..<56: try edit(on: device)
        case 56..<62: try deleteEvent(on: device)
        case 62..<65: try deleteType(on: device)
        case 65..<68: await server.mock.forgetKeys()
        case 68..<70: try device.askForResync()
        case 70..<73: await server.setLateness(pick(4))
        case 73..<74: await server.loseNewestEntry()
        case 74..<75: backups.append(await server.mock.backup())
        case 75..<76:
            // A listing that is under way meanwhile cannot show that the history is another.
            let isListing = try devices.contains { try $0.stores.makeDataStore().needsBootstrap() }
            if !isListing, let backup = any(backups) { await server.mock.restore(backup) }
        default: try await sync(device)
        }
    }

    private func sync(_ device: ExchangingDevice) async throws {
        let faults: [DeployedServer.Step?] = [
            nil, nil, nil, nil, nil, .loseRequest(.timeout), .loseAnswer(.timeout), .loseRequest(.connection("lost")),
            .loseAnswer(RESTPeer.serverError), .loseRequest(RESTPeer.refusal(503)),
            .loseRequest(.rateLimited(retryAfter: 1)),
        ]
        await server.say((0..<pick(12)).map { _ in faults[pick(faults.count)] })
        try await device.sync()
        await server.say([])
    }

    private mutating func id() -> String {
        counter += 1
        return testId(counter + seed * 1_000)
    }

    private mutating func makeType(on device: ExchangingDevice) throws {
        let name = any(["coffee", "run", "tea", "sleep", "read", "walk"]) ?? ""
        guard try !device.all(EventType.self).contains(where: { $0.name == name }) else { return }
        let type = makeEventType(id: id(), name: name)
        try device.write { _ = try $0.create(type) }
    }

    private mutating func log(on device: ExchangingDevice) throws {
        guard let type = any(try device.all(EventType.self)) else { return }
        // Sometimes at the moment of another one, which the server does not take.
        let seconds = pick(4) == 0 ? pick(3) : Int(counter) + 10
        let place: (Double?, Double?) = pick(3) == 0 ? (Double(pick(2) * 50), 13) : (nil, nil)
        let event = makeEvent(
            id: id(), eventTypeId: type.id,
            timestamp: ManualWallClock.defaultStart.advanced(bySeconds: Double(seconds)),
            locationLatitude: place.0, locationLongitude: place.1)
        try device.write { _ = try $0.create(event) }
        logged.insert(event.id)
    }

    private func edit(on device: ExchangingDevice) throws {
        if pick(2) == 0, var type = any(try device.all(EventType.self)) {
            type.color = any(["#000000", "#111111", "#222222"]) ?? ""
            return try device.write { [type] in _ = try $0.update(type) }
        }
        guard var event = any(try device.all(Event.self)) else { return }
        switch pick(4) {
        case 0: event.notes = any(["a", "b", nil]) ?? nil
        case 1: event.properties[any(["k", "l"]) ?? ""] = pick(2) == 0 ? nil : .text("\(counter)")
        case 2: (event.locationLatitude, event.locationLongitude) = pick(2) == 0 ? (nil, nil) : (48, 11)
        default: event.eventTypeId = any(try device.all(EventType.self))?.id ?? event.eventTypeId
        }
        try device.write { [event] in _ = try $0.update(event) }
    }

    private mutating func deleteEvent(on device: ExchangingDevice) throws {
        guard let event = any(try device.all(Event.self)) else { return }
        try device.write { _ = try $0.delete(Event.self, id: event.id) }
        deleted.insert(event.id)
    }

    private mutating func deleteType(on device: ExchangingDevice) throws {
        guard let type = any(try device.all(EventType.self)) else { return }
        for event in try device.all(Event.self) where event.eventTypeId == type.id { deleted.insert(event.id) }
        try device.write { _ = try $0.delete(EventType.self, id: type.id) }
    }

    /// Without faults, and long enough that a listing check finds what has no entry.
    func settle() async throws {
        await server.say([])
        await server.setLateness(0)
        for round in 0..<12 {
            clock.advance(bySeconds: round == 6 ? 86_400 : 400)
            for device in devices { try await device.sync() }
        }
    }

    // MARK: Checks

    func check() async throws {
        let events = try await server.mock.events.map(\.entity)
        let types = try await server.mock.eventTypes.map(\.entity)
        for (number, device) in devices.enumerated() {
            #expect(device.stop == nil, "seed \(seed), device \(number)")
            #expect(try device.mutations([.queued, .sending]).isEmpty, "seed \(seed), device \(number)")
            let parked = Set(try device.mutations([.parked]).map(\.entityId))
            try compare(device.all(Event.self), events, without: parked, number)
            try compare(device.all(EventType.self), types, without: parked, number)
        }
        let everywhere = try devices.reduce(into: Set(events.map(\.id))) { seen, device in
            seen.formUnion(try device.mutations([.parked]).map(\.entityId))
            seen.formUnion(try device.conflicts.map(\.entityId))
        }
        let gone = deleted.union(await server.cascaded)
        #expect(logged.subtracting(gone).isSubset(of: everywhere), "seed \(seed)")
    }

    private func compare<Entity: SyncEntity>(
        _ here: [Entity], _ there: [Entity], without parked: Set<String>, _ number: Int
    ) throws {
        let here = here.filter { !parked.contains($0.id) }.sorted { $0.id < $1.id }
        let there = there.filter { !parked.contains($0.id) }.sorted { $0.id < $1.id }
        #expect(here.map(\.id) == there.map(\.id), "seed \(seed), device \(number)")
        #expect(here == there, "seed \(seed), device \(number)")
    }
}
