import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// A connection that breaks, or a time that runs out, whenever one thing is sent, while all else is answered.
@Suite("What is never answered")
struct UnansweredTests {
    private let device = Device { $0.batchSize = 100 }
    private var network: MockNetworkClient { device.network }

    private func breakConnection(
        with error: APIError = .connection("reset"), where isBroken: @escaping @Sendable (MockCall) -> Bool
    ) async {
        await network.beforeEachCall { call in if isBroken(call) { throw error } }
    }

    private func sync(_ times: Int) async -> SyncReport {
        var report = await device.engine.performSync()
        for _ in 1..<times {
            device.wallClock.advance(bySeconds: 120)
            report = await device.engine.performSync()
        }
        return report
    }

    private func logMany(_ count: Int) async throws -> [String] {
        let events = (0..<count).map { makeEvent(eventTypeId: device.coffee.id, notes: "\($0)") }
        try await device.engine.perform { writes in for event in events { try writes.create(event) } }
        return events.map(\.id)
    }

    @Test("keeps neither what waits behind it nor what others have done", arguments: [true, false])
    func oneEdit(breaks: Bool) async throws {
        let events = [try await device.logCoffee(), try await device.logCoffee(), try await device.logCoffee()]
        _ = await device.engine.performSync()
        try await device.edit(events[0].id) { $0.notes = "swallowed" }
        try await device.edit(events[1].id) { $0.notes = "arrives" }
        try await device.engine.delete(Event.self, id: events[2].id)
        try await network.edit(EventType.self, id: device.coffee.id) { $0.icon = "theirs" }
        await breakConnection(with: breaks ? .connection("reset") : .timeout) { call in
            call.operation == .update && call.entityIds == [events[0].id]
        }
        #expect(await device.engine.performSync().failure == .unreachable)
        let report = await sync(11)
        #expect(report.failure == nil && report.pending == 1 && report.parked == 0 && report.failing == 1)
        #expect(try await network.record(Event.self, id: events[1].id)?.entity.notes == "arrives")
        #expect(try await network.record(Event.self, id: events[2].id) == nil)
        #expect(try device.store().findEventType(id: device.coffee.id)?.icon == "theirs")
        await network.beforeEachCall(nil)
        #expect(await sync(1).pending == 0)
        #expect(try await network.record(Event.self, id: events[0].id)?.entity.notes == "swallowed")
    }

    @Test("is found in its batch: the others arrive, once")
    func oneOfMany() async throws {
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let ids = try await logMany(250)
        await breakConnection { $0.operation.isCreate && $0.entityIds.contains(ids[120]) }
        let report = await sync(14)
        #expect(report.failure == nil && report.pending == 1 && report.parked == 0)
        #expect(try await network.records(Event.self).count == 249)
        await network.beforeEachCall(nil)
        #expect(await sync(1).pending == 0)
        #expect(try await network.records(Event.self).count == 250)
    }

    @Test("goes in smaller batches where only large ones get lost")
    func largeBatches() async throws {
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        _ = try await logMany(250)
        await breakConnection(with: .timeout) { $0.operation == .createBatch && $0.entityIds.count > 30 }
        #expect(await sync(6).pending == 0)
        #expect(try await network.records(Event.self).count == 250)
    }
}

extension MockOperation {
    fileprivate var isCreate: Bool { self == .create || self == .createBatch }
}
