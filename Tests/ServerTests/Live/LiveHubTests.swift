import Synchronization
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("The hub of those who watch accounts", .timeLimit(.minutes(5)))
struct LiveHubTests {
    private let clock = ManualClock()

    private func head(_ number: Int64, epoch: String = "a") -> ServerHead { ServerHead(epoch: epoch, head: number) }

    private func makeHub(
        hints: (any HeadHints)? = nil,
        readHeads: @escaping @Sendable (Set<String>) async throws -> [String: ServerHead] = { _ in [:] }
    ) -> LiveHub {
        LiveHub(hints: hints, clock: clock, readHeads: readHeads)
    }

    /// Lets seconds pass, one by one, as the hub's pace needs it.
    private func pass(seconds: Int) async {
        for _ in 0..<seconds {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
        }
        await clock.waitForSleepers()
    }

    @Test("tells a commit at once, to those who watch that account alone")
    func atOnce() async throws {
        let hub = makeHub()
        let (ann, again, bob) = (try hub.watch("ann"), try hub.watch("ann"), try hub.watch("bob"))
        hub.committed("ann", head(1))
        #expect(await ann.next() == .head(head(1)))
        #expect(await again.next() == .head(head(1)))
        hub.committed("bob", head(7))
        #expect(await bob.next() == .head(head(7)))
    }

    @Test("tells several commits within 20 ms as one")
    func together() async throws {
        let hub = makeHub()
        let watch = try hub.watch("ann")
        hub.committed("ann", head(1))
        #expect(await watch.next() == .head(head(1)))
        for number in 2...9 { hub.committed("ann", head(Int64(number))) }
        // One sleeps for the pace, one until the quiet time is over.
        await clock.waitForSleepers(2)
        #expect(clock.sleeperCount == 2)
        clock.advance(by: LiveHub.quietTime)
        #expect(await watch.next() == .head(head(9)))
    }

    @Test("keeps the newest head alone for one who does not take it")
    func newestAlone() async throws {
        let hub = makeHub()
        let watch = try hub.watch("ann")
        for number in 1...5 {
            hub.committed("ann", head(Int64(number)))
            clock.advance(by: .milliseconds(30))
        }
        #expect(await watch.next() == .head(head(5)))
        hub.close()
        #expect(await watch.next() == nil)
    }

    @Test("tells no head again and none that is older, but another history")
    func news() async throws {
        let hub = makeHub()
        let watch = try hub.watch("ann")
        let told: [ServerHead] = [head(5), head(5), head(4), head(2, epoch: "b")]
        for head in told {
            hub.heard("ann", head)
            clock.advance(by: .milliseconds(30))
        }
        #expect(await watch.next() == .head(head(2, epoch: "b")))
        hub.heard("ann", head(2, epoch: "b"))
        hub.close()
        #expect(await watch.next() == nil)
    }

    @Test("lets each hear something every 20 seconds")
    func heartbeat() async throws {
        let hub = makeHub()
        let watch = try hub.watch("ann")
        for _ in 0..<3 {
            await pass(seconds: LiveHub.heartbeat)
            #expect(await watch.next() == .heartbeat)
        }
    }

    @Test("ends the watch of one who does not take heartbeats")
    func stalled() async throws {
        let (hub, stalls) = (makeHub(), Counter())
        let watch = try hub.watch("ann") { stalls.add() }
        await pass(seconds: LiveHub.heartbeat)
        #expect(stalls.count == 0)
        await pass(seconds: 2 * LiveHub.heartbeat)
        #expect(stalls.count == 1)
        #expect(await watch.next() == nil)
    }

    @Test("refuses one watch too many of an account, until another one is let go")
    func limit() async throws {
        let hub = makeHub()
        var watches: [LiveWatch] = []
        for _ in 0..<LiveHub.mostWatches { watches.append(try hub.watch("ann")) }
        #expect(problem { try hub.watch("ann") }?.kind == .unavailable)
        _ = try hub.watch("bob")
        watches.removeLast()
        watches.append(try hub.watch("ann"))
        #expect(hub.watchCount == LiveHub.mostWatches)
        watches = []
        #expect(hub.watchCount == 0 && hub.watchedAccounts == [])
    }

    @Test("ends all watches when the server stops, and takes none until it starts again")
    func closing() async throws {
        let hub = makeHub()
        let watch = try hub.watch("ann")
        hub.close()
        #expect(await watch.next() == nil)
        #expect(problem { try hub.watch("ann") }?.kind == .unavailable)
        hub.open()
        _ = try hub.watch("ann")
    }

    @Test("ends a watch whose task is cancelled")
    func cancelled() async throws {
        let watch = try makeHub().watch("ann")
        let task = Task { await watch.next() }
        task.cancel()
        #expect(await task.value == nil)
    }

    @Test("reads the heads of watched accounts every second where nobody tells of other processes")
    func sweeps() async throws {
        let asked = Mutex<[Set<String>]>([])
        let hub = makeHub { users in
            let round = asked.withLock {
                $0.append(users); return $0.count
            }
            return ["ann": ServerHead(epoch: "a", head: Int64(round))]
        }
        let watch = try hub.watch("ann")
        await pass(seconds: 3)
        #expect(asked.withLock { $0 } == [["ann"], ["ann"], ["ann"]])
        #expect(await watch.next() == .head(head(3)))
    }

    @Test("reads them seldom while hints are heard, and once when they are heard again")
    func hints() async throws {
        let (hints, reads) = (ManualHints(), Counter())
        let hub = makeHub(hints: hints) { _ in
            reads.add()
            return [:]
        }
        let watch = try hub.watch("ann")
        hints.hear("ann", head(3))
        #expect(await watch.next() == .head(head(3)))
        await pass(seconds: 14)
        #expect(reads.count == 1)
        hints.connection = nil
        await pass(seconds: 4)
        #expect(reads.count == 5)
        hints.connection = 1
        await pass(seconds: 5)
        #expect(reads.count == 6)
        hints.connection = 2
        await pass(seconds: 5)
        #expect(reads.count == 7)
        clock.advance(by: .milliseconds(30))
        hub.committed("ann", head(4))
        #expect(hints.told == [head(4)])
    }

    @Test("is told of every way to write, and not of what changes nothing")
    func everyWrite() async throws {
        let (world, hints) = (try ServerWorld(), ManualHints())
        let records = RecordService(store: world.store, clock: world.clock, live: makeHub(hints: hints))
        let context = WriteContext(userId: "ann", idempotencyKey: "key")
        func expect(_ heads: [Int64], _ comment: Comment, _ write: () throws -> some Any) throws {
            hints.told = []
            _ = try write()
            #expect(hints.told.map(\.head) == heads, comment)
        }
        let type = try WireCoding.encode(EventType.sample())
        try expect([1], "create") { try records.create(.eventType, type, context) }
        try expect([], "a replay") { try records.create(.eventType, type, context) }
        let events = try WireCoding.encode(["events": [Event.sample(2), Event.sample(3)]])
        try expect([3], "a batch") {
            try records.createBatch(.event, events, member: "events", WriteContext(userId: "ann"))
        }
        let patch = try WireCoding.encode(["notes": JSONValue.string("x")])
        try expect([4], "update") { try records.update(.event, id: id(2), patch, WriteContext(userId: "ann")) }
        try expect([], "an equal update") { try records.update(.event, id: id(2), patch, WriteContext(userId: "ann")) }
        try expect([5], "delete") { try records.delete(.event, id: id(2), WriteContext(userId: "ann")) }
        try expect([], "a refusal") {
            problem { try records.delete(.event, id: id(2), WriteContext(userId: "ann")) }
        }
        let place = try SyncResponse(
            parsing: records.sync(records.prepareSync(SyncRequest().json()), userId: "ann"))
        let request = SyncRequest(
            epoch: place.epoch, cursor: place.cursor,
            mutations: [
                SyncMutation(key: "k", entityType: .event, operation: .delete, entityId: id(3), base: 3)
            ])
        try expect([6], "an exchange") {
            try records.sync(records.prepareSync(request.json()), userId: "ann")
        }
        try expect([], "an exchange that only reads") {
            let reading = SyncRequest(epoch: place.epoch, cursor: place.cursor)
            return try records.sync(records.prepareSync(reading.json()), userId: "ann")
        }
    }
}

/// Counts, from any task.
private final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
}

/// Hints of other processes that a test gives.
private final class ManualHints: HeadHints {
    private struct State {
        var connection: Int? = 0
        var told: [ServerHead] = []
        var onHead: @Sendable (String, ServerHead) -> Void = { _, _ in }
    }

    private let state = Mutex(State())

    var connection: Int? {
        get { state.withLock(\.connection) }
        set { state.withLock { $0.connection = newValue } }
    }

    var told: [ServerHead] {
        get { state.withLock(\.told) }
        set { state.withLock { $0.told = newValue } }
    }

    func tell(_ userId: String, _ head: ServerHead) { state.withLock { $0.told.append(head) } }

    func listen(_ onHead: @escaping @Sendable (_ userId: String, _ head: ServerHead) -> Void) {
        state.withLock { $0.onHead = onHead }
    }

    func hear(_ userId: String, _ head: ServerHead) { state.withLock(\.onHead)(userId, head) }
}
