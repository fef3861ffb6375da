import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// Servers that go on for ever: whatever they send, a sync ends, and says why.
@Suite("A server without end")
struct EndlessServerTests {
    private let network = MockNetworkClient(capabilities: [
        .event: RouteCapabilities(listing: .paged(limit: 10), batchLimit: 500)
    ])

    private func makeDevice() -> Device {
        Device(network) {
            $0.changesPerPage = 10
            $0.feedPagesPerCycle = 5
            $0.feedOverlap = 3
            $0.quarantineLimit = 20
            $0.listingLimit = 50
        }
    }

    /// Before every page of the feed it gets longer by more than a page.
    private func feedGrows(by entityType: EntityType, data: JSONValue = ["size": 1]) async {
        let network = network
        await network.beforeEachCall { call in
            guard call.operation == .getChanges else { return }
            for _ in 0..<11 {
                await network.appendChange(entityType: entityType, operation: .create, entityId: freshId(), data: data)
            }
        }
    }

    @Test("stops at a feed of nothing but strange changes when so many wait aside, and drops none")
    func strangeFeed() async throws {
        let device = makeDevice()
        _ = await device.engine.performSync()
        await feedGrows(by: "planet")
        for _ in 0..<2 {
            let report = await device.engine.performSync()
            #expect(report.failure == .quarantineFull && report.nextAttemptAt == nil)
            #expect(report.quarantined == 20)
        }
        #expect(try await device.engine.quarantine().map(\.entry.id) == (1...20).map { Int64($0) })
    }

    @Test("goes on after what waits aside was let go, and brings what came behind it")
    func discarding() async throws {
        let device = makeDevice()
        _ = await device.engine.performSync()
        for _ in 0..<30 {
            await network.appendChange(entityType: "planet", operation: .create, entityId: freshId(), data: ["size": 1])
        }
        try await network.put(device.coffee)
        #expect(await device.engine.performSync().failure == .quarantineFull)
        #expect(try device.store().findEventType(id: device.coffee.id) == nil)
        let ids = try await device.engine.quarantine().map(\.id)
        #expect(try await device.engine.discardQuarantined(ids: Set(ids + ["unknown"])) == 20)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.quarantined == 10)
        #expect(try device.store().findEventType(id: device.coffee.id) != nil)
    }

    @Test("stops at strange changes that are large, however few they are")
    func largeChanges() async throws {
        let device = Device(network) { $0.quarantineByteLimit = 10_000 }
        _ = await device.engine.performSync()
        for _ in 0..<3 {
            await network.appendChange(
                entityType: "planet", operation: .create, entityId: freshId(),
                data: ["name": .string(String(repeating: "x", count: 4_000))])
            _ = await device.engine.performSync()
        }
        let report = await device.engine.performSync()
        #expect(report.failure == .quarantineFull && report.quarantined == 2)
    }

    @Test("reads so many pages of the feed in one sync, says that there are more, and goes on with the next")
    func longFeed() async throws {
        let device = makeDevice()
        _ = await device.engine.performSync()
        try await network.put(device.coffee)
        for _ in 0..<80 { try await network.put(makeEvent(eventTypeId: device.coffee.id)) }
        let first = await device.engine.performSync()
        #expect(first.failure == nil && first.hasMore && first.pulled == 50)
        let second = await device.engine.performSync()
        #expect(second.failure == nil && !second.hasMore)
        #expect(try device.store().count(Event.self) == 80)
    }

    @Test("gives a listing up that does not end, and keeps nothing of it")
    func endlessListing() async throws {
        let device = makeDevice()
        try await network.put(device.coffee)
        let event = try await network.put(makeEvent(eventTypeId: device.coffee.id))
        _ = await device.engine.performSync()
        let backup = await network.backup()
        await listingGrows(device)
        let report = await device.engine.forceFullResync()
        #expect(report.failure == .protocol)
        #expect(report.error?.contains("does not end") == true)
        #expect(await network.callCount(.list, .event) < 12)
        #expect(try device.store().stagedIds(Event.self).isEmpty)
        #expect(try device.store().fetchAllEvents().map(\.id) == [event.id])
        await network.beforeEachCall(nil)
        await network.restore(backup)
        // Who has followed the feed can go on with it; who asks again gets a new listing.
        let next = await device.engine.performSync()
        #expect(next.failure == nil && !next.bootstrapped)
        #expect(await device.engine.forceFullResync().bootstrapped)
        #expect(try device.store().fetchAllEvents().map(\.id) == [event.id])
    }

    @Test("gives a listing up whose every page has the same records, and does not ask for it a thousand times")
    func repeatedPage() async throws {
        let device = makeDevice()
        try await network.put(device.coffee)
        for _ in 0..<10 { try await network.put(makeEvent(eventTypeId: device.coffee.id)) }
        // As a server answers that knows nothing of offsets.
        let first = try await network.list(Event.self, ListRequest(limit: 10))
        let page = try WireCoding.decode(JSONValue.self, from: WireCoding.encode(first.records))
        await network.reset()
        await network.always(.respond(page), for: .list, .event)
        let report = await device.engine.performSync()
        #expect(report.failure == .protocol && report.error?.contains("repeats itself") == true)
        #expect(await network.callCount(.list, .event) < 8)
        #expect(try device.store().stagedIds(Event.self).isEmpty)
    }

    @Test("takes nothing over from a listing that was cut off where the next one shows none of it")
    func foreignListing() async throws {
        let device = makeDevice()
        try await network.put(device.coffee)
        let event = try await network.put(makeEvent(eventTypeId: device.coffee.id))
        let backup = await network.backup()
        await listingGrows(device, cutOffAt: 4)
        #expect(await device.engine.performSync().failure == .unreachable)
        #expect(try device.store().stagedIds(Event.self).count > 20)
        await network.beforeEachCall(nil)
        await network.restore(backup)
        // What the listing shows now, the one record that was there before included, is new to it.
        try await network.remove(Event.self, id: event.id)
        let fresh = try await network.put(makeEvent(eventTypeId: device.coffee.id))
        #expect(await device.engine.performSync().failure == nil)
        #expect(try device.store().fetchAllEvents().map(\.id) == [fresh.id])
    }

    /// Before every page of the listing it gets longer by more than a page, at its end.
    private func listingGrows(_ device: Device, cutOffAt count: Int = .max) async {
        let network = network
        await network.beforeEachCall { call in
            guard call.operation == .list, call.entityType == .event else { return }
            let listed = await network.callCount(.list, .event)
            for number in 0..<11 {
                let moment = ManualWallClock.defaultStart.advanced(bySeconds: Double(-listed * 100 - number))
                _ = try? await network.put(makeEvent(eventTypeId: device.coffee.id, timestamp: moment))
            }
            if listed >= count { throw APIError.connection("reset") }
        }
    }
}
