import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// Random histories of devices that lose requests and answers: in the end all agree, and what was written is there.
@Suite("Devices in disorder")
struct ConvergenceTests {
    @Test("agree with the server in the end, lose nothing, and leave nothing open", arguments: 1...300)
    func converge(seed: UInt64) async throws {
        var life = Life(seed)
        for _ in 0..<60 { try await life.step() }
        try await life.settle()
        try life.check()
    }
}

/// What happens in one history.
private struct Life {
    let server = ExchangeServer()
    let devices: [ExchangingDevice]
    var random: SeededGenerator
    let seed: UInt64
    /// What was logged, and never deleted by anybody.
    var logged: Set<String> = []
    var deleted: Set<String> = []
    var backups: [ExchangeServer.Backup] = []
    var counter = 0

    init(_ seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        devices = (1...3).map { [server] number in ExchangingDevice(server, named: number) }
        for device in devices { device.configuration.changesPerPage = 3 }
    }

    mutating func step() async throws {
        let device = devices[Int.random(in: 0..<devices.count, using: &random)]
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<14: try makeType(on: device)
        case 14..<38: try log(on: device)
        case 38..<58: try edit(on: device)
        case 58..<64: try deleteEvent(on: device)
        case 64..<68: try deleteType(on: device)
        case 68..<71: server.forgetKeys()
        case 71..<73: try device.askForResync()
        case 73..<74: server.pruneTombstones()
        case 74..<76: backups.append(server.backup())
        case 76..<77:
            if let backup = backups.randomElement(using: &random) {
                server.restore(backup, underItsName: Bool.random(using: &random))
            }
        default:
            let faults: [ExchangeServer.Step] = [
                .answer, .answer, .answer, .answer, .loseRequest(.timeout), .loseAnswer(.timeout),
                .loseAnswer(.http(status: 500, problem: ProblemDetails(status: 500))),
                .loseRequest(.http(status: 503, problem: ProblemDetails(status: 503))),
            ]
            let count = Int.random(in: 0..<4, using: &random)
            server.script((0..<count).map { _ in faults.randomElement(using: &random) ?? .answer })
            try await device.sync()
        }
    }

    private mutating func id() -> String {
        counter += 1
        return testId(UInt64(counter) + seed * 1_000)
    }

    private mutating func makeType(on device: ExchangingDevice) throws {
        let names = ["coffee", "run", "tea", "sleep", "read", "walk"]
        let name = names.randomElement(using: &random) ?? "coffee"
        guard try !device.all(EventType.self).contains(where: { $0.name == name }) else { return }
        let type = makeEventType(id: id(), name: name)
        try device.write { _ = try $0.create(type) }
    }

    private mutating func log(on device: ExchangingDevice) throws {
        guard let type = try device.all(EventType.self).randomElement(using: &random) else { return }
        let event = makeEvent(id: id(), eventTypeId: type.id)
        try device.write { _ = try $0.create(event) }
        logged.insert(event.id)
    }

    private mutating func edit(on device: ExchangingDevice) throws {
        if Bool.random(using: &random), var type = try device.all(EventType.self).randomElement(using: &random) {
            type.color = ["#000000", "#111111", "#222222"].randomElement(using: &random) ?? "#000000"
            return try device.write { [type] in _ = try $0.update(type) }
        }
        guard var event = try device.all(Event.self).randomElement(using: &random) else { return }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: event.notes = ["a", "b", nil].randomElement(using: &random) ?? nil
        case 1:
            let key = ["k", "l"].randomElement(using: &random) ?? "k"
            event.properties[key] =
                Bool.random(using: &random) ? PropertyValue(type: .text, value: .string("\(counter)")) : nil
        default:
            guard let type = try device.all(EventType.self).randomElement(using: &random) else { return }
            event.eventTypeId = type.id
        }
        try device.write { [event] in _ = try $0.update(event) }
    }

    private mutating func deleteEvent(on device: ExchangingDevice) throws {
        guard let event = try device.all(Event.self).randomElement(using: &random) else { return }
        try device.write { _ = try $0.delete(Event.self, id: event.id) }
        deleted.insert(event.id)
    }

    private mutating func deleteType(on device: ExchangingDevice) throws {
        guard let type = try device.all(EventType.self).randomElement(using: &random) else { return }
        for event in try device.all(Event.self) where event.eventTypeId == type.id { deleted.insert(event.id) }
        try device.write { _ = try $0.delete(EventType.self, id: type.id) }
        typesWereDeleted = true
    }

    private var typesWereDeleted = false

    mutating func settle() async throws {
        server.endScript()
        for _ in 0..<6 {
            for device in devices {
                try await device.sync()
            }
        }
    }

    /// Where nothing is open, each record is its own base.
    private func checkBases(of device: ExchangingDevice) throws {
        let store = try device.stores.makeDataStore()
        for type in server.schema.types {
            let ids = try store.unmarkedIds(type.entityType, after: nil, limit: .max)
            let bases = try store.bases(type.entityType, ids: ids)
            #expect(bases.values.allSatisfy { $0.isDeleted && $0.document == nil }, "seed \(seed)")
        }
    }

    func check() throws {
        let events = Set(server.records(of: .event).compactMap { $0.objectValue?["id"]?.stringValue })
        for (number, device) in devices.enumerated() {
            #expect(device.stop == nil, "seed \(seed)")
            #expect(try device.mutations([.queued, .sending]).isEmpty, "seed \(seed), device \(number)")
            let parked = Set(try device.mutations([.parked]).map(\.entityId))
            let here = Set(try device.all(Event.self).map(\.id))
            #expect(here.subtracting(parked) == events.subtracting(parked), "seed \(seed), device \(number)")
            for event in try device.all(Event.self) where !parked.contains(event.id) {
                let theirs = try server.document(.event, event.id).map {
                    try WireCoding.value(Event.self, from: $0.objectValue ?? [:])
                }
                #expect(theirs == event, "seed \(seed), device \(number)")
            }
            for type in try device.all(EventType.self) where !parked.contains(type.id) {
                let theirs = try server.document(.eventType, type.id).map {
                    try WireCoding.value(EventType.self, from: $0.objectValue ?? [:])
                }
                #expect(theirs == type, "seed \(seed), device \(number)")
            }
            if try device.mutations([.parked]).isEmpty { try checkBases(of: device) }
        }
        let everywhere = try devices.reduce(into: events) { seen, device in
            seen.formUnion(try device.mutations([.parked]).map(\.entityId))
            seen.formUnion(try device.conflicts.map(\.entityId))
        }
        #expect(logged.subtracting(deleted).isSubset(of: everywhere), "seed \(seed)")
    }
}

/// SplitMix64.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
