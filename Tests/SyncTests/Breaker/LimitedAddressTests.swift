import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// The limiter of a deployed server: it counts an address, and only a minute without any request, refused or not,
/// begins its count anew.
private struct AddressLimiter {
    private let allowed = 300
    private let window = 60.0
    private var count: Int
    private var latest: Timestamp

    /// A limiter that was overrun at a moment.
    init(overrunAt moment: Timestamp) { (count, latest) = (allowed, moment) }

    mutating func admits(at now: Timestamp) -> Bool {
        if now.seconds(since: latest) > window { count = 0 }
        count += 1
        latest = now
        return count <= allowed
    }
}

/// Several devices that ask every minute, behind one limiter, as values on one clock.
private struct Household {
    private struct Watcher {
        var breaker = CircuitBreaker()
        var next: Timestamp
        var admitted: Timestamp?
    }

    private let start = ManualWallClock.defaultStart
    private var limiter: AddressLimiter
    private var watchers: [Watcher]
    private let random: SeededRandomSource
    private let retryAfter: Double?

    /// - Parameter phases: When each asks for the first time, in seconds.
    init(phases: [Double], retryAfter: Double?, seed: UInt64) {
        let start = start
        limiter = AddressLimiter(overrunAt: start)
        watchers = phases.map { Watcher(next: start.advanced(bySeconds: $0)) }
        random = SeededRandomSource(seed: seed)
        self.retryAfter = retryAfter
    }

    /// Seconds until each of them was admitted; nil where that takes more than an hour.
    mutating func secondsUntilAllAreFree() -> Double? {
        while let index = watchers.indices.min(by: { watchers[$0].next < watchers[$1].next }) {
            let now = watchers[index].next
            if now.seconds(since: start) > 3_600 { return nil }
            ask(index, at: now)
            if watchers.allSatisfy({ $0.admitted != nil }) { return now.seconds(since: start) }
        }
        return nil
    }

    private mutating func ask(_ index: Int, at now: Timestamp) {
        watchers[index].breaker.settlePause(at: now)
        if limiter.admits(at: now) {
            watchers[index].breaker.succeeded(at: now)
            watchers[index].admitted = watchers[index].admitted ?? now
        } else {
            watchers[index].breaker.refused(retryAfter: retryAfter, at: now, spread: random.fraction())
        }
        let usual = now.advanced(bySeconds: SyncEngine.followInterval)
        watchers[index].next = watchers[index].breaker.pending(at: now) ?? usual
    }
}

@Suite("Devices that follow a server from one limited address")
struct LimitedAddressTests {
    /// By Docs/ErrorRecovery.md: five and a half minutes.
    private let promised = 330.0

    @Test("come free, two of them, whenever each asks", arguments: [60, nil])
    func two(retryAfter: Double?) {
        for first in stride(from: 0.0, to: 60, by: 2) {
            for second in stride(from: first, to: 60, by: 2) {
                var household = Household(
                    phases: [first, second], retryAfter: retryAfter, seed: UInt64(60 * first + second))
                let seconds = household.secondsUntilAllAreFree() ?? .infinity
                #expect(seconds <= promised, "\(first) \(second)")
            }
        }
    }

    @Test("come free, three and five of them, whenever each asks", arguments: [3, 5], [60, nil])
    func several(count: Int, retryAfter: Double?) {
        let dice = SeededRandomSource(seed: UInt64(count))
        for seed in 0..<500 {
            let phases = (0..<count).map { _ in dice.fraction() * 60 }
            var household = Household(phases: phases, retryAfter: retryAfter, seed: UInt64(seed))
            let seconds = household.secondsUntilAllAreFree() ?? .infinity
            #expect(seconds <= promised, "\(phases)")
        }
    }

    @Test("come free, up to five of them, wherever in their pauses they are", arguments: 2...5)
    func anyState(count: Int) {
        // Each has been refused three times: the longest pause is more than the minutes between four others.
        let dice = SeededRandomSource(seed: UInt64(count))
        for seed in 0..<300 {
            let phases = (0..<count).map { _ in dice.fraction() * 375 }
            var household = Household(phases: phases, retryAfter: 300, seed: UInt64(seed))
            let seconds = household.secondsUntilAllAreFree() ?? .infinity
            #expect(seconds <= 2 * 375 + 375, "\(phases)")
        }
    }

    @Test("are let in again, two engines with their streams, on a server of the older routes", .timeLimit(.minutes(10)))
    func engines() async throws {
        let (wallClock, clock) = (ManualWallClock(), ManualClock())
        let server = LimitedServer(clock: wallClock)
        let engines = (1...2).map { seed in
            SyncEngine(
                networkClient: server, dataStoreFactory: InMemoryDataStoreFactory(), wallClock: wallClock, clock: clock,
                identifiers: UUIDv7Generator.seeded(UInt64(seed), clock: wallClock),
                random: SeededRandomSource(seed: UInt64(seed)))
        }
        let tasks = engines.map { engine in Task { try await engine.follow() } }
        var seconds = 0.0
        while await !server.hasAdmitted(2), seconds < 3_600 {
            await clock.waitForSleepers(4)
            wallClock.advance(bySeconds: 0.25)
            clock.advance(by: .seconds(0.25))
            seconds += 0.25
        }
        #expect(seconds <= promised)
        for task in tasks {
            task.cancel()
            try await task.value
        }
    }
}

/// A deployed server behind its limiter, which has just been overrun.
private actor LimitedServer: NetworkClientProtocol {
    private let mock: MockNetworkClient
    private let clock: ManualWallClock
    private var limiter: AddressLimiter
    /// How many snapshots were begun, one for each device.
    private var begun = 0

    init(clock: ManualWallClock) {
        self.clock = clock
        mock = MockNetworkClient(clock: clock)
        limiter = AddressLimiter(overrunAt: clock.now())
    }

    func hasAdmitted(_ count: Int) -> Bool { begun >= count }

    private func admit() throws {
        if !limiter.admits(at: clock.now()) { throw APIError.rateLimited(retryAfter: 60) }
    }

    nonisolated func capabilities(of entityType: EntityType) -> RouteCapabilities {
        mock.capabilities(of: entityType)
    }

    func exchange(_ request: SyncRequest) async throws -> SyncResponse {
        try admit()
        throw APIError.noExchange
    }

    func watchHeads(_ receive: @escaping @Sendable (LiveSignal) -> Void) async throws {
        try admit()
        throw APIError.noLive
    }

    func checkHealth() async throws { try admit() }

    func getLatestCursor() async throws -> Int64 {
        try admit()
        begun += 1
        return try await mock.getLatestCursor()
    }

    func getChanges(since cursor: Int64, limit: Int) async throws -> ChangeFeedResponse {
        try admit()
        return try await mock.getChanges(since: cursor, limit: limit)
    }

    func list<Entity: SyncEntity>(_ type: Entity.Type, _ request: ListRequest) async throws -> ListPage<Entity> {
        try admit()
        return try await mock.list(type, request)
    }

    func get<Entity: SyncEntity>(_ type: Entity.Type, id: String) async throws -> Remote<Entity>? {
        try admit()
        return try await mock.get(type, id: id)
    }

    func create<Entity: SyncEntity>(_ request: CreateRequest<Entity>, idempotencyKey: String?) async throws
        -> Remote<Entity>
    {
        try admit()
        return try await mock.create(request, idempotencyKey: idempotencyKey)
    }

    func createBatch<Entity: SyncEntity>(_ requests: [CreateRequest<Entity>], idempotencyKey: String?) async throws
        -> BatchCreateResponse<Entity>
    {
        try admit()
        return try await mock.createBatch(requests, idempotencyKey: idempotencyKey)
    }

    func update<Entity: SyncEntity>(_ type: Entity.Type, id: String, _ patch: Patch<Entity>, idempotencyKey: String?)
        async throws -> Remote<Entity>
    {
        try admit()
        return try await mock.update(type, id: id, patch, idempotencyKey: idempotencyKey)
    }

    func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String, idempotencyKey: String?) async throws -> Bool {
        try admit()
        return try await mock.delete(type, id: id, idempotencyKey: idempotencyKey)
    }
}
