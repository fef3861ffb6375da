import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("A sync that cannot be done")
struct FaultTests {
    let device = Device()

    @Test("leaves queue and attempts as they are when nobody is signed in")
    func signedOut() async throws {
        await device.sync()
        try await device.logCoffee()
        await device.fail(with: .unauthorized("expired"))
        let report = await device.sync()
        #expect(report.failure == .signedOut && report.pending == 2)
        #expect(try device.open().allSatisfy { $0.attempts == 0 && $0.lastError == nil && $0.state.isUnsent })
    }

    @Test(
        "never parks anything for want of a network",
        arguments: [APIError.connection("no route"), .timeout, .notAServer("HTML"), refusal(503)])
    func offline(error: APIError) async throws {
        await device.sync()
        try await device.logCoffee()
        await device.network.always(.fail(error), for: .exchange)
        for _ in 0..<20 { #expect(await device.sync().failure != nil) }
        #expect(try device.mutations([.sending]).count == 2 && device.mutations([.parked]).isEmpty)
        await device.heal()
        #expect(await device.sync().pending == 0)
    }

    @Test("leaves the store consistent when it is cancelled, and the next one right")
    func cancelled() async throws {
        try await device.engine.create(device.coffee)
        await device.sync()
        try await device.engine.create(contentsOf: (0..<20).map { _ in makeEvent(eventTypeId: device.coffee.id) })
        let engine = device.engine
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        await device.network.beforeEachCall { _ in
            signal.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            try Task.checkCancellation()
        }
        let sync = Task { await engine.performSync() }
        for await _ in started { break }
        sync.cancel()
        #expect(await sync.value.failure == .cancelled)
        #expect(!device.stores.isWriteLocked)
        await device.network.beforeEachCall(nil)
        let report = await device.sync()
        #expect(report.failure == nil && report.pending == 0)
        #expect(device.server.records(of: .event).count == 20)
    }

    @Test("is remembered in the history")
    func history() async throws {
        try await device.logCoffee()
        await device.network.enqueue(.fail(APIError.timeout), times: 2, for: .exchange)
        await device.sync()
        await device.sync()
        let history = try await device.engine.history()
        #expect(history.map(\.failure) == [.unreachable, nil])
        #expect(history.map(\.pushed) == [0, 2] && history.map(\.bootstrapped) == [false, true])
    }

    @Test("ends on a server whose history is another with every request")
    func restlessServer() async throws {
        try device.server.create(device.coffee)
        await device.sync()
        let server = device.server
        await device.network.beforeEachCall { _ in
            server.reset()
            for _ in 0..<3 { try server.create(makeEventType()) }
        }
        server.limitPages(to: 1)
        let report = await device.sync()
        #expect(report.failure == .protocol && report.error?.contains("with every request") == true)
        #expect(try device.find(EventType.self, device.coffee.id) == device.coffee)
    }
}

@Suite("What people ask of an engine")
struct MaintenanceTests {
    let device = Device()

    @Test("state changes can be followed")
    func states() async throws {
        try await device.logCoffee()
        let states = device.engine.stateChanges
        await device.sync()
        var seen: [String] = []
        for await state in states {
            if seen.last != state.name { seen.append(state.name) }
            if state == .idle && seen.count > 1 { break }
        }
        #expect(seen == ["idle", "pulling", "syncing", "pulling", "idle"])
        #expect(device.engine.receivedCount == 0)
    }

    @Test("leaves the place as it was where passing over a snapshot is cut off, so that no record goes missing")
    func skipCutOff() async throws {
        try device.server.create(device.coffee)
        for _ in 0..<6 { try device.server.create(makeEvent(eventTypeId: device.coffee.id)) }
        device.server.limitPages(to: 2)
        let (network, server) = (device.network, device.server)
        await network.beforeEachCall { _ in
            if server.requests.last?.cursor != nil { throw APIError.timeout }
        }
        await #expect(throws: APIError.self) { try await device.engine.skipToLatestCursor() }
        await network.beforeEachCall(nil)
        #expect(await device.sync().failure == nil)
        #expect(try device.all(Event.self).count == 6 && device.find(EventType.self, device.coffee.id) != nil)
    }

    @Test("what was passed over stays away until everything is taken anew")
    func skip() async throws {
        await device.sync()
        let event = makeEvent(eventTypeId: device.coffee.id)
        try device.server.create(device.coffee)
        try device.server.create(event)
        device.server.limitPages(to: 1)
        try await device.engine.skipToLatestCursor()
        #expect(await device.sync().pulled == 0)
        #expect(try device.all(Event.self).isEmpty)
        let report = await device.engine.forceFullResync()
        #expect(report.bootstrapped && report.placed == 2)
        #expect(try device.event(event.id) == event)
    }

    @Test("a queue that is cleared while a request is under way is settled by its answer")
    func clearMeanwhile() async throws {
        await device.sync()
        try await device.logCoffee()
        let engine = device.engine
        await device.whileSending {
            let parked = try await engine.clearPendingMutations()
            #expect(parked == 2)
        }
        let report = await device.sync()
        #expect(report.pushed == 2 && report.parked == 0)
        #expect(try device.mutations().map(\.state) == [.accepted, .accepted])
        #expect(try device.all(Event.self) == device.server.all(Event.self))
    }
}

/// A save waits for the disk, and a request for the network.
@Suite("The cost of a sync")
struct CostTests {
    @Test("is one request and few saves, whether something waits or not")
    func few() async throws {
        let (server, stores) = (ExchangeServer(), MockDataStoreFactory())
        let engine = SyncEngine(
            networkClient: MockNetworkClient(exchange: server), dataStoreFactory: stores, wallClock: ManualWallClock())
        let coffee = makeEventType(name: "coffee")
        try await engine.create(coffee)
        _ = await engine.performSync()
        for count in [0, 1, 200] {
            try await engine.create(contentsOf: (0..<count).map { _ in makeEvent(eventTypeId: coffee.id) })
            let (requests, saves) = (server.requests.count, stores.saveCallCount)
            #expect(await engine.performSync().pushed == count)
            #expect(server.requests.count == requests + 1)
            // The lease, what goes out, the answer, and the end of the sync.
            #expect(stores.saveCallCount - saves <= 4)
        }
    }
}
