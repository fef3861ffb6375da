import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// Servers keep idempotency keys for a bounded time.
@Suite("A create whose answer was lost, and whose key the server has forgotten since")
struct ForgottenKeyTests {
    private let device = Device()
    private let lost = MockAnswer.serveThenFail(APIError.timeout)

    /// The server makes the type, and the answer is lost; days go by, and the key comes to nothing.
    private func loseAnswer() async throws {
        try await device.engine.create(device.coffee)
        await device.network.enqueue(lost, for: .create)
        #expect(await device.engine.performSync().failure == .unreachable)
        device.wallClock.advance(bySeconds: 2 * 86_400)
    }

    @Test("does not bring back a record that was deleted elsewhere meanwhile")
    func deletedElsewhere() async throws {
        try await loseAnswer()
        try await device.network.remove(EventType.self, id: device.coffee.id)
        _ = await device.engine.performSync()
        #expect(try await device.network.record(EventType.self, id: device.coffee.id) == nil)
        #expect(await device.network.callCount(.create) == 1)
    }

    @Test("undoes nothing that others have changed in its record meanwhile")
    func changedElsewhere() async throws {
        try await loseAnswer()
        try await device.network.edit(EventType.self, id: device.coffee.id) { $0.icon = "leaf" }
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await device.network.record(EventType.self, id: device.coffee.id)?.entity.icon == "leaf")
        #expect(try device.store().findEventType(id: device.coffee.id)?.icon == "leaf")
    }

    @Test("goes again under the same key while that is young")
    func young() async throws {
        try await device.engine.create(device.coffee)
        await device.network.enqueue(lost, for: .create)
        _ = await device.engine.performSync()
        device.wallClock.advance(bySeconds: 3_600)
        #expect(await device.engine.performSync().pending == 0)
        let keys = await device.network.idempotencyKeys(.create)
        #expect(keys.count == 2 && Set(keys).count == 1)
    }

    @Test("in a batch brings back nothing that was deleted elsewhere, where the server knows no batch by its key")
    func unknownBatch() async throws {
        // As deployed servers are: found by an evaluation with a server of its own.
        _ = try await device.logCoffee(notes: "before")
        _ = await device.engine.performSync()
        let lostEvents = [try await device.logCoffee(notes: "one"), try await device.logCoffee(notes: "two")]
        await device.network.enqueue(lost, for: .createBatch)
        #expect(await device.engine.performSync().failure == .unreachable)
        await device.network.forgetKeys()
        try await device.network.remove(Event.self, id: lostEvents[0].id)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await device.network.record(Event.self, id: lostEvents[0].id) == nil)
        #expect(try device.event(lostEvents[0].id) == nil)
        #expect(try await device.network.record(Event.self, id: lostEvents[1].id)?.entity == lostEvents[1])
    }

    @Test("in a batch goes again where the feed cannot be read: that holds back nothing that was done here")
    func brokenFeed() async throws {
        _ = try await device.logCoffee(notes: "before")
        _ = await device.engine.performSync()
        let event = try await device.logCoffee(notes: "one")
        await device.network.enqueue(.fail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        await device.network.always(.fail(APIError.http(status: 500, problem: ProblemDetails())), for: .getChanges)
        _ = await device.engine.performSync()
        #expect(try await device.network.record(Event.self, id: event.id)?.entity == event)
    }
}
