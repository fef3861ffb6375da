import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// A replica that lags behind may say for a moment that the feed ends before the device's place in it.
@Suite("A full resync that the device cannot do without, and a server that tells of a feed that ends too soon")
struct OwedResyncTests {
    private let device = Device()
    private var network: MockNetworkClient { device.network }

    /// The person takes the deletion of a type back; its events are to come back by a full resync.
    private func takeDeletionBack() async throws -> Event {
        let event = try await device.logCoffee(notes: "kept")
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        let deletion = try #require(try device.mutations([.queued]).first)
        #expect(try await device.engine.dropMutation(id: deletion.id).asksFullResync)
        #expect(try device.event(event.id) == nil)
        return event
    }

    /// The next sync asks for the feed's end, and hears of one that is too low.
    private func lag() async {
        await network.enqueue(.respond(1), for: .getLatestCursor)
        let report = await device.engine.performSync()
        #expect(report.failure == .feedReplaced && !report.bootstrapped)
    }

    @Test("it comes after the next pull that finds the feed whole")
    func lagging() async throws {
        let event = try await takeDeletionBack()
        await lag()
        var isDone = false
        for _ in 0..<2 {
            let report = await device.engine.performSync()
            #expect(report.failure == nil)
            isDone = isDone || report.bootstrapped
        }
        #expect(isDone)
        #expect(try device.event(event.id)?.entity == event)
        #expect(await device.engine.performSync().bootstrapped == false)
    }

    @Test("it comes at once where the person asks")
    func asked() async throws {
        let event = try await takeDeletionBack()
        await lag()
        let report = await device.engine.forceFullResync()
        #expect(report.failure == nil && report.bootstrapped)
        #expect(try device.event(event.id)?.entity == event)
        #expect(await device.engine.performSync().bootstrapped == false)
    }

    @Test("it is put off as often as the server tells so")
    func laggingAgain() async throws {
        let event = try await takeDeletionBack()
        await lag()
        #expect(await device.engine.performSync().failure == nil)
        await lag()
        for _ in 0..<2 { #expect(await device.engine.performSync().failure == nil) }
        #expect(try device.event(event.id)?.entity == event)
    }

    @Test("it is nobody's decision to take over a server that was replaced, until the person decides")
    func replaced() async throws {
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let backup = await network.backup()
        let event = try await takeDeletionBack()
        await network.restore(backup)
        let listed = await network.callCount(.list)
        for _ in 0..<4 {
            let report = await device.engine.performSync()
            #expect(report.failure == .feedReplaced && !report.bootstrapped)
        }
        #expect(await network.callCount(.list) == listed)
        let report = await device.engine.forceFullResync()
        #expect(report.failure == nil && report.bootstrapped)
        #expect(try device.event(event.id) == nil)
        #expect(await device.engine.performSync().failure == nil)
    }
}
