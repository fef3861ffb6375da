import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// The feed tells whether a create that the server does not have was taken and deleted elsewhere since.
@Suite("A look at the feed before a create goes again")
struct FeedLookTests {
    private let network = MockNetworkClient()
    private let device: Device
    private let tea = makeEventType(name: "tea")
    private let failing = APIError.http(status: 500, problem: ProblemDetails(status: 500))

    init() {
        device = Device(network) { $0.changesPerPage = 1 }
    }

    /// The device has sent a type without an answer, so long ago that it is looked for; the server never had it.
    private func loseTea() async throws {
        if try device.store().findEventType(id: device.coffee.id) == nil {
            try await device.engine.create(device.coffee)
        }
        _ = await device.engine.performSync()
        try await device.engine.create(tea)
        await network.enqueue(.fail(APIError.timeout), for: .create)
        #expect(await device.engine.performSync().failure == .unreachable)
        device.wallClock.advance(bySeconds: 2 * 86_400)
    }

    /// A create that needs a look, and work that needs none: an edit, a new record and a deletion.
    private func loseTeaAndWork() async throws -> (edited: Event, new: Event, deleted: Event) {
        let (edited, deleted) = (try await device.logCoffee(notes: "first"), try await device.logCoffee())
        try await loseTea()
        try await device.edit(edited.id) { $0.notes = "second" }
        try await device.engine.delete(Event.self, id: deleted.id)
        return (edited, try await device.logCoffee(notes: "new"), deleted)
    }

    private func expectSent(_ work: (edited: Event, new: Event, deleted: Event)) async throws {
        #expect(try await network.record(Event.self, id: work.edited.id)?.entity.notes == "second")
        #expect(try await network.record(Event.self, id: work.new.id)?.entity == work.new)
        #expect(try await network.record(Event.self, id: work.deleted.id) == nil)
    }

    @Test("ends after fifty pages: the create waits, the rest of the sync goes on, and a later one sends it")
    func longFeed() async throws {
        try await loseTea()
        for number in 0..<80 {
            try await network.edit(EventType.self, id: device.coffee.id) { $0.icon = "icon \(number)" }
        }
        await network.reset()
        let event = try await device.logCoffee()
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 1 && report.parked == 0)
        #expect(try await network.record(Event.self, id: event.id)?.entity == event)
        #expect(report.cursor == 82 && report.hasMore == false)
        let calls = await network.calls
        let pushed = try #require(calls.firstIndex { $0.operation == .createBatch })
        #expect(calls[..<pushed].filter { $0.operation == .getChanges }.count == 50)
        let waiting = try #require(try device.mutations([.queued, .sending]).first)
        #expect(waiting.entityId == tea.id && waiting.attempts == 2)
        for _ in 0..<2 {
            // What the feed has shown settles.
            device.wallClock.advance(bySeconds: 120)
            #expect(await device.engine.performSync().failure == nil)
        }
        #expect(try await network.record(EventType.self, id: tea.id)?.entity == tea)
        #expect(try device.mutations([.queued, .sending, .parked]) == [])
    }

    @Test("that the server fails on, or answers with nonsense, holds back that create alone", arguments: [false, true])
    func brokenFeed(isNonsense: Bool) async throws {
        let work = try await loseTeaAndWork()
        let broken = isNonsense ? MockAnswer.respond("nonsense") : .fail(failing)
        await network.always(broken, for: .getChanges)
        let report = await device.engine.performSync()
        #expect(report.failure != nil && report.pending == 1 && report.parked == 0)
        try await expectSent(work)
        #expect(try await network.record(EventType.self, id: tea.id) == nil)
        await network.always(nil, for: .getChanges)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await network.record(EventType.self, id: tea.id)?.entity == tea)
    }

    @Test("reads what was passed over too, for the creates that waited then", arguments: [1, 2])
    func passedOver(times: Int) async throws {
        try await device.logCoffee()
        _ = await device.engine.performSync()
        let other = Device(network, wallClock: device.wallClock, seed: 2)
        let lost = try await device.engine.create(tea)
        await network.enqueue(.serveThenFail(APIError.timeout), for: .create)
        #expect(await device.engine.performSync().failure == .unreachable)
        _ = await other.engine.performSync()
        try await other.engine.delete(EventType.self, id: lost.id)
        #expect(await other.engine.performSync().failure == nil)
        for _ in 0..<3 { try await other.logCoffee() }
        #expect(await other.engine.performSync().failure == nil)
        for _ in 0..<times {
            device.wallClock.advance(bySeconds: 2 * 86_400)
            try await device.engine.skipToLatestCursor()
            // What comes after does not make the stretch forgotten.
            try await device.logCoffee()
        }
        await network.reset()
        #expect(await device.engine.performSync().failure == nil)
        #expect(await network.callCount(.create) == 0)
        #expect(try device.store().findEventType(id: tea.id) == nil)
        #expect(try device.mutations([.queued, .sending, .parked]) == [])
    }

    @Test("keeps aside what may have gone with its type in what was passed over")
    func goneWithItsType() async throws {
        // Found by the simulator, seed 3026158.
        let coffee = device.coffee
        try await device.engine.create(coffee)
        _ = await device.engine.performSync()
        let event = try await device.logCoffee()
        await network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        #expect(await device.engine.performSync().failure == .unreachable)
        try await network.remove(EventType.self, id: coffee.id)
        await network.forgetChanges(of: event.id)
        try await network.put(coffee)
        device.wallClock.advance(bySeconds: 2 * 86_400)
        try await device.engine.skipToLatestCursor()
        #expect(await device.engine.performSync().parked == 1)
        #expect(try await network.record(Event.self, id: event.id) == nil)
        #expect(try device.parkReason(of: event.id)?.code == .deletedElsewhere)
        // What the feed says of the time before tells nothing new.
        #expect(await device.engine.forceFullResync().parked == 1)
        #expect(try await network.record(Event.self, id: event.id) == nil)
        let parked = try #require(try device.mutations([.parked]).first)
        try await device.engine.retryMutation(id: parked.id)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await network.record(Event.self, id: event.id)?.entity == event)
    }

    @Test("keeps no full resync from what the listings show")
    func fullResync() async throws {
        try await loseTea()
        let event = try await network.put(makeEvent(eventTypeId: device.coffee.id))
        await network.always(.fail(failing), for: .getChanges)
        let report = await device.engine.forceFullResync()
        #expect(report.bootstrapped && report.pending == 1 && report.parked == 0)
        #expect(try device.event(event.id)?.entity == event.entity)
        await network.always(nil, for: .getChanges)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await network.record(EventType.self, id: tea.id)?.entity == tea)
    }

    @Test("that fails leaves a batch under its key, and the rest goes")
    func batch() async throws {
        let edited = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        try await device.edit(edited.id) { $0.notes = "second" }
        let events = [try await device.logCoffee(notes: "one"), try await device.logCoffee(notes: "two")]
        await network.reset()
        await network.enqueue(.fail(failing), times: 2, for: .createBatch)
        await network.always(.fail(failing), for: .getChanges)
        let report = await device.engine.performSync()
        #expect(report.pending == 2 && report.parked == 0)
        #expect(try await network.record(Event.self, id: edited.id)?.entity.notes == "second")
        #expect(Set(try device.mutations([.sending]).map(\.batchKey)).count == 1)
        await network.always(nil, for: .getChanges)
        #expect(await device.engine.performSync().pending == 0)
        let keys = await network.idempotencyKeys(.createBatch)
        #expect(keys.count == 3 && Set(keys).count == 1)
        #expect(await network.callCount(.create) == 0)
        for event in events { #expect(try await network.record(Event.self, id: event.id)?.entity == event) }
    }
}
