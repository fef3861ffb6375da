import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// The server does not stand still while it is compared with.
@Suite("A comparison with a server that changes")
struct StoreAuditMovingTests {
    private let network = MockNetworkClient(capabilities: [
        .event: RouteCapabilities(listing: .paged(limit: 10), batchLimit: 500)
    ])
    private let coffee = makeEventType(name: "coffee")

    private func fill(_ count: Int) async throws -> ([Event], Device) {
        try await network.put(coffee)
        var events: [Event] = []
        for number in 0..<count {
            let moment = ManualWallClock.defaultStart.advanced(bySeconds: Double(-number))
            let event = makeEvent(eventTypeId: coffee.id, timestamp: moment)
            try await network.put(event)
            events.append(event)
        }
        let device = Device(network)
        _ = await device.engine.performSync()
        return (events, device)
    }

    @Test("takes nothing for a difference that changes while it lists", arguments: [9, 18, 27])
    func whileListing(offset: Int) async throws {
        let (events, device) = try await fill(35)
        let (network, coffee) = (network, coffee)
        await network.beforeEachCall { call in
            guard call.operation == .list, call.list?.offset == offset else { return }
            _ = try? await network.edit(Event.self, id: events[0].id) { $0.notes = "edited meanwhile" }
            _ = try? await network.edit(Event.self, id: events[34].id) { $0.notes = "edited meanwhile" }
            try? await network.remove(Event.self, id: events[1].id)
            let late = ManualWallClock.defaultStart.advanced(bySeconds: 60)
            _ = try? await network.put(makeEvent(eventTypeId: coffee.id, timestamp: late))
        }
        let report = await device.engine.audit(repairing: true)
        #expect(report.isClean && report.differences.isEmpty, "\(report.differences)")
        #expect(report.kind(.event)?.isEqual == true)
        #expect(try device.event(events[0].id)?.entity.notes == "edited meanwhile")
        #expect(try device.event(events[1].id) == nil)
    }

    @Test("takes nothing for a difference that changes while single records are looked at, and finds the others")
    func whileAsking() async throws {
        let (events, device) = try await fill(12)
        try device.tamper { store in
            for event in events[0..<3] { try store.changeRow(event.id) { $0.notes = "tampered" } }
            try store.delete(Event.self, id: events[3].id)
        }
        let network = network
        await network.beforeEachCall { call in
            guard call.operation == .get, call.entityIds == [events[0].id] else { return }
            _ = try? await network.edit(Event.self, id: events[1].id) { $0.notes = "edited \(freshId())" }
            try? await network.remove(Event.self, id: events[3].id)
        }
        let report = await device.engine.audit()
        #expect(Set(report.differences.map(\.entityId)) == [events[0].id, events[2].id])
        #expect(report.kind(.event)?.unsettled == 0)
    }

    @Test("says nothing of a record that never stands still")
    func restless() async throws {
        let (events, device) = try await fill(3)
        try device.tamper { try $0.delete(Event.self, id: events[0].id) }
        let network = network
        await network.beforeEachCall { call in
            guard call.operation == .getChanges else { return }
            // Each pull hears of the record, and of nothing that could be applied.
            await network.appendChange(
                entityType: .event, operation: ChangeOperation(rawValue: "touched"), entityId: events[0].id)
        }
        let report = await device.engine.audit()
        #expect(report.differences.isEmpty && report.kind(.event)?.unsettled == 1)
    }

    @Test("lists a kind anew where too many records differ to ask for each, and mends them all")
    func many() async throws {
        let (events, device) = try await fill(130)
        try device.tamper { store in
            for event in events[0..<125] { try store.delete(Event.self, id: event.id) }
        }
        await network.reset()
        let report = await device.engine.audit(repairing: true)
        #expect(report.differences.count == 125 && report.isClean)
        #expect(await network.callCount(.get, .event) == 0)
        #expect(await network.callCount(.list, .event) < 40)
        #expect(try device.store().count(Event.self) == 130)
        #expect(await device.engine.audit().differences.isEmpty)
        await network.reset()
        try device.tamper { store in
            for event in events[0..<100] { try store.delete(Event.self, id: event.id) }
        }
        _ = await device.engine.audit()
        #expect(await network.callCount(.get, .event) == 100)
    }

    @Test("counts what cannot be used here, and takes it for no difference")
    func unusable() async throws {
        let (events, device) = try await fill(5)
        let network = network
        let page = try await network.list(Event.self, ListRequest(limit: 10)).records
        var listed = try page.map { JSONValue.object(try WireCoding.fields(of: $0)) }
        listed[0] = ["id": .string(events[0].id), "surprise": true]
        await network.always(.respond(.array(listed)), for: .list, .event)
        await network.always(.respond(["surprise": true]), for: .get, .event)
        let report = await device.engine.audit(repairing: true)
        #expect(report.isClean && report.kind(.event)?.unusable == 1 && report.kind(.event)?.there == 4)
        #expect(try device.event(events[0].id) != nil)
        #expect(try await device.engine.quarantine().isEmpty)
    }
}
