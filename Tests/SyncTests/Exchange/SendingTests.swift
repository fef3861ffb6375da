import Synchronization
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("What waits here")
struct SendingTests {
    let device = Device()
    var server: ExchangeServer { device.server }

    @Test("goes in the order in which it was done, with one request")
    func order() async throws {
        let event = try await device.syncedCoffee()
        try await device.engine.delete(Event.self, id: event.id)
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        let tea = try await device.engine.create(makeEventType(name: "tea"))
        let other = try await device.engine.create(makeEvent(eventTypeId: tea.id))
        let before = server.requests.count
        #expect(await device.sync().pushed == 4)
        #expect(server.requests.count == before + 1)
        #expect(server.requests.last?.mutations.map(\.entityId) == [event.id, device.coffee.id, tea.id, other.id])
    }

    @Test("goes in as many requests as the server's limit makes of it, which grow again afterwards")
    func tooMany() async throws {
        try await device.engine.create(device.coffee)
        await device.sync()
        server.limitMutations(to: 8)
        try await device.engine.create(contentsOf: (0..<60).map { _ in makeEvent(eventTypeId: device.coffee.id) })
        let before = server.requests.count
        let report = await device.sync()
        #expect(report.pushed == 60 && report.pending == 0 && report.parked == 0)
        #expect(server.requests.count - before < 40)
        server.limitMutations(to: 2_000)
        let small = try device.store().exchangePlace().sending.size
        #expect(small < 8_000)
        try await device.engine.create(contentsOf: (0..<300).map { _ in makeEvent(eventTypeId: device.coffee.id) })
        #expect(await device.sync().pending == 0)
        #expect(try device.store().exchangePlace().sending.size > 8 * small)
    }

    @Test("arrives once where only small requests come through", arguments: [APIError.timeout, refusal(413)])
    func largeRequestsGetLost(error: APIError) async throws {
        try await device.engine.create(device.coffee)
        await device.sync()
        try await device.engine.create(contentsOf: (0..<30).map { _ in makeEvent(eventTypeId: device.coffee.id) })
        await device.network.beforeEachCall { call in
            if (call.exchange?.mutations.count ?? 0) > 4 { throw error }
        }
        #expect(await device.sync().pending == 0)
        #expect(server.records(of: .event).count == 30 && server.head == 31)
    }

    @Test(
        "goes with the edit that was made since, if the server or something on the way fails on its words",
        arguments: [APIError.notAServer("a web page"), .connection("reset"), refusal(500)])
    func refusedOnTheWay(error: APIError) async throws {
        let event = try await device.syncedCoffee(notes: "first")
        try await device.edit(event.id) { $0.notes = "a bad word" }
        let other = try await device.logCoffee(notes: "well")
        await device.network.beforeEachCall { call in
            let bodies = try (call.exchange?.mutations ?? []).map { try WireCoding.encode($0) }
            if bodies.contains(where: { String(decoding: $0, as: UTF8.self).contains("bad word") }) { throw error }
        }
        // A lost connection may be one of the whole way: the culprit is searched for in the second sync.
        await device.sync()
        device.wallClock.advance(bySeconds: 3600)
        #expect(await device.sync().pending == 1)
        #expect(try server.event(other.id) == other)
        try await device.edit(event.id) { $0.notes = "a good word" }
        for _ in 0..<2 {
            device.wallClock.advance(bySeconds: 3600)
            await device.sync()
        }
        #expect(try server.event(event.id)?.notes == "a good word" && device.open().isEmpty)
    }

    @Test(
        "ends with the deletion that was made since, though the server or something on the way fails on its words",
        arguments: [APIError.notAServer("a web page"), .connection("reset"), refusal(500)], [false, true])
    func deletedAfterFailure(error: APIError, isNew: Bool) async throws {
        let event = try await device.syncedCoffee(notes: "a bad word")
        let failing = isNew ? try await device.logCoffee(notes: "another bad word") : event
        if !isNew { try await device.edit(event.id) { $0.notes = "another bad word" } }
        await device.network.beforeEachCall { call in
            let bodies = try (call.exchange?.mutations ?? []).map { try WireCoding.encode($0) }
            if bodies.contains(where: { String(decoding: $0, as: UTF8.self).contains("bad word") }) { throw error }
        }
        for _ in 0..<2 {
            await device.sync()
            device.wallClock.advance(bySeconds: 3600)
        }
        #expect(try device.open().count == 1)
        try await device.engine.delete(Event.self, id: failing.id)
        for _ in 0..<2 {
            await device.sync()
            device.wallClock.advance(bySeconds: 3600)
        }
        #expect(try server.event(failing.id) == nil && device.open().isEmpty && device.conflicts.isEmpty)
    }

    @Test("conflicts with nothing of its own that arrived, though something on the way took the answer for itself")
    func arrivedWithoutAnswer() async throws {
        let device = device
        let event = try await device.syncedCoffee(notes: "first")
        try await device.edit(event.id) { $0.notes = "x" }
        await device.network.enqueue(.serveThenFail(APIError.notAServer("a web page")), for: .exchange)
        await device.network.beforeEachCall { call in
            guard call.exchange?.mutations.isEmpty == true else { return }
            await device.network.beforeEachCall(nil)
            try await device.edit(event.id) { $0.notes = "y" }
        }
        for _ in 0..<2 {
            await device.sync()
            device.wallClock.advance(bySeconds: 3600)
        }
        #expect(try server.event(event.id)?.notes == "y" && device.open().isEmpty)
        #expect(try device.conflicts.isEmpty)
    }

    @Test("is parked where the server rejects it, with the reasons, and lets strangers pass")
    func rejected() async throws {
        try await device.engine.create(device.coffee)
        let tea = try await device.engine.create(makeEventType(name: "tea"))
        let child = try await device.engine.create(makeEvent(eventTypeId: tea.id))
        let stranger = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id))
        server.reject([tea.id], errors: [FieldError(field: "name", message: "is not nice", code: "invalid")])
        let report = await device.sync()
        #expect(report.failure == nil && report.pushed == 2 && report.parked == 2)
        let reason = try #require(try device.parkReason(of: tea.id))
        #expect(reason.code == .rejected && reason.fields.map(\.field) == ["name"])
        #expect(try device.parkReason(of: child.id)?.code == .blocked)
        #expect(try device.status(child.id) == .failed && device.status(stranger.id) == .synced)
        server.reject([])
        try await device.engine.retryMutation(id: try #require(try device.mutation(of: tea.id)).id)
        let last = await device.sync()
        #expect(last.pending == 0 && last.parked == 0)
        #expect(try server.event(child.id) == child)
    }

    @Test("of a record whose earlier change is parked waits behind that; a deletion passes it")
    func behindParked() async throws {
        let event = try await device.syncedCoffee(notes: "first")
        try await device.edit(event.id) { $0.notes = "put aside" }
        try await device.engine.clearPendingMutations()
        try await device.edit(event.id) { $0.locationName = "here" }
        let report = await device.sync()
        #expect(report.pushed == 0 && report.pending == 0 && report.parked == 1)
        #expect(try server.event(event.id) == event && device.event(event.id)?.locationName == "here")
        try await device.engine.delete(Event.self, id: event.id)
        #expect(await device.sync().pushed == 1)
        #expect(try server.event(event.id) == nil && device.open().isEmpty)
    }

    @Test("and belongs to a record whose creation waits is not sent before that")
    func behindWaitingCreation() async throws {
        _ = try await device.syncedCoffee()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        await device.loseNext(.loseRequest(.connection("reset")))
        await device.sync()
        try await device.engine.create(device.coffee)
        let child = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id))
        await device.fail([device.coffee.id])
        #expect(await device.sync().failing == 1)
        let sent = await device.network.calls.flatMap { $0.exchange?.mutations ?? [] }
        #expect(!sent.contains { $0.entityId == child.id })
        await device.heal()
        #expect(await device.sync().pending == 0)
        #expect(try server.event(child.id) == child)
    }

    @Test("is done where it is the deletion of what is gone")
    func deletionOfGone() async throws {
        let event = try await device.syncedCoffee()
        try await device.engine.delete(Event.self, id: event.id)
        try server.delete(.event, event.id)
        let report = await device.sync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0 && report.conflicts == 0)
    }

    @Test("is sent again where an answer leaves it out, and blamed where that never ends")
    func unanswered() async throws {
        await device.sync()
        try await device.engine.create(device.coffee)
        let sending = device.restarted { $0.mutationsPerRequest = 1 }
        for cycle in 1...5 {
            try await device.engine.create(makeEventType(name: "\(cycle)"))
            try await sending.deliver([])
            let report = await sending.sync()
            #expect(report.pushed == 1 && report.parked == (cycle < 5 ? 0 : 1))
        }
        #expect(try device.parkReason(of: device.coffee.id)?.code == .blamed)
    }

    @Test("on which the server hangs keeps neither other changes nor the pull from coming")
    func hanging() async throws {
        try await device.engine.create(device.coffee)
        await device.sync()
        let culprit = try await device.logCoffee(notes: "hangs")
        await device.network.beforeEachCall { call in
            if call.exchange?.mutations.contains(where: { $0.entityId == culprit.id }) == true {
                throw APIError.timeout
            }
        }
        let theirs = makeEvent(eventTypeId: device.coffee.id)
        try server.create(theirs)
        #expect(await device.sync().pulled == 1)
        let other = try await device.logCoffee(notes: "goes")
        let report = await device.sync()
        #expect(report.failure == nil && report.failing == 1 && report.pushed == 1)
        #expect(try device.event(theirs.id) == theirs && server.event(other.id) == other)
    }

    @Test(
        "on which the way breaks or the server asks for time keeps nothing else from going or coming, from the second sync on",
        arguments: [APIError.connection("reset"), SendingTests.overload])
    func ofMoment(error: APIError) async throws {
        try await device.engine.create(device.coffee)
        await device.sync()
        let culprit = try await device.logCoffee(notes: "disliked")
        let other = try await device.logCoffee(notes: "goes")
        let theirs = makeEvent(eventTypeId: device.coffee.id)
        try server.create(theirs)
        await device.fail([culprit.id], with: error)
        let first = await device.sync()
        #expect(first.failure == .unreachable && first.pending == 2 && first.pulled == 0)
        let report = await device.sync()
        #expect(report.failure == nil && report.pushed == 1 && report.failing == 1 && report.parked == 0)
        #expect(try device.event(theirs.id) == theirs && server.event(other.id) == other)
        let later = makeEvent(eventTypeId: device.coffee.id)
        try server.create(later)
        #expect(await device.sync().pulled == 1)
        await device.heal()
        #expect(await device.sync().pending == 0)
        #expect(try !device.store().exchangePlace().asksFirst)
    }

    @Test("ends the sync after one small request where the server asks for time again")
    func overloaded() async throws {
        try await device.engine.create(device.coffee)
        await device.network.beforeEachCall { _ in throw Self.overload }
        for _ in 0..<2 {
            let before = await device.network.calls.count
            #expect(await device.sync().failure == .unreachable)
            #expect(await device.network.calls.count == before + 1)
        }
        #expect(await device.network.calls.last?.exchange?.limit == 1)
    }

    @Test("is not needed for that: a device that only receives asks for one change first, and then for all")
    func overloadedByPages() async throws {
        let sizes = Mutex<[Int]>([])
        try server.create(device.coffee)
        for _ in 0..<40 { try server.create(makeEvent(eventTypeId: device.coffee.id)) }
        await device.network.beforeEachCall { call in
            let limit = call.exchange?.limit ?? 0
            sizes.withLock { $0.append(limit) }
            if limit > 100 { throw Self.overload }
        }
        #expect(await device.sync().failure == .unreachable)
        #expect(await device.sync().failure == nil)
        #expect(sizes.withLock { $0.prefix(3) } == [256, 1, 256])
        #expect(try device.all(Event.self).count == 40)
    }

    private static let overload: APIError = {
        var problem = ProblemDetails(status: 503)
        problem.retryAfter = 5
        return .http(status: 503, problem: problem)
    }()

    @Test("does not hide what it became where an answer tells no result of it")
    func resultIsMissing() async throws {
        let event = try await device.syncedCoffee(notes: "base")
        try await device.edit(event.id) { $0.notes = "mine" }
        try server.change(.event, event.id, ["notes": "mine", "location_name": "there"])
        let place = try device.store().exchangePlace()
        var answer = try server.exchange(SyncRequest(epoch: place.epoch, cursor: place.cursor, limit: 9))
        // The server has done it, so it leaves the record out of the changes.
        answer.changes = []
        await device.network.enqueue(
            .respond(try WireCoding.decode(JSONValue.self, from: WireCoding.encode(answer))), for: .exchange)
        await device.sync()
        try await device.engine.clearPendingMutations()
        for parked in try device.mutations([.parked]) { try await device.engine.dropMutation(id: parked.id) }
        await device.sync()
        #expect(try device.event(event.id) == server.event(event.id))
    }

    @Test("is told with the refusal where a sync gives up sending, whatever was refused")
    func givenUp() throws {
        var (search, place) = (CulpritSearch(), ExchangePlace())
        let page = Shipment(place: place, limit: 100)
        for _ in 0..<60 {
            search.refused(page, Refusal(.http(status: 502, problem: ProblemDetails(status: 502)), status: 502))
            #expect(!search.answered(Shipment(place: place, limit: 1), hasMore: true, &place))
        }
        #expect(search.isGivenUp && search.unfinished?.status == 502)
    }

    @Test("merges with every version that comes between, and goes again in the same sync")
    func staleAgainAndAgain() async throws {
        let event = try await device.syncedCoffee(notes: "base")
        let (network, server) = (device.network, server)
        let before = await network.calls.count
        await network.beforeEachCall { _ in
            let count = await network.calls.count - before
            if count <= 3 { try server.change(.event, event.id, ["location_name": .string("\(count)")]) }
        }
        try await device.edit(event.id) { $0.notes = "mine" }
        #expect(await device.sync().pending == 0)
        #expect(await network.calls.count == before + 4)
        #expect(try server.event(event.id)?.notes == "mine" && server.event(event.id)?.locationName == "3")
        #expect(try device.event(event.id) == server.event(event.id))
    }

    @Test("waits for the next sync where others change the record with every request")
    func staleWithoutEnd() async throws {
        let event = try await device.syncedCoffee(notes: "base")
        let (network, server) = (device.network, server)
        await network.beforeEachCall { _ in
            let count = await network.calls.count
            try server.change(.event, event.id, ["location_name": .string("\(count)")])
        }
        try await device.edit(event.id) { $0.notes = "mine" }
        let before = await network.calls.count
        let report = await device.sync()
        #expect(report.failure == nil && report.pending == 1 && report.parked == 0)
        #expect(await network.calls.count - before < 12)
        await device.heal()
        #expect(await device.sync().pending == 0)
        #expect(try server.event(event.id)?.notes == "mine")
    }

    @Test("takes edits that are made while it is under way, and loses none", arguments: [false, true])
    func editedMeanwhile(isNew: Bool) async throws {
        var event = try await device.syncedCoffee(notes: "base")
        if isNew {
            event = try await device.logCoffee(notes: "one")
        } else {
            try await device.edit(event.id) { $0.notes = "one" }
        }
        let (device, id) = (device, event.id)
        await device.whileSending {
            try await device.edit(id) { $0.notes = "two" }
            try await device.edit(id) { $0.locationName = "here" }
        }
        #expect(await device.sync().pending == 0)
        let there = try #require(try server.event(id))
        #expect(there.notes == "two" && there.locationName == "here")
        #expect(try device.event(id) == there && device.conflicts.isEmpty)
    }

    @Test("a change that others overtake each time is told, with the reason, and goes with the next sync")
    func overtaken() async throws {
        let event = try await device.syncedCoffee(notes: "first")
        try await device.edit(event.id) { $0.notes = "mine" }
        let (server, id) = (device.server, event.id)
        await device.network.beforeEachCall { call in
            guard call.exchange?.mutations.isEmpty == false else { return }
            try server.change(.event, id, ["notes": .string(freshId())])
        }
        let report = await device.sync()
        #expect(report.failure == nil && report.pending == 1 && report.failing == 1)
        #expect(report.error?.contains("5 times") == true)
        await device.network.beforeEachCall(nil)
        #expect(await device.sync().pending == 0)
        #expect(try server.event(id)?.notes == "mine")
    }

    @Test("a child that waits for its parent is not told as overtaken: what keeps the parent is the reason")
    func waitingChild() async throws {
        _ = try await device.syncedCoffee()
        let tea = try await device.engine.create(makeEventType(name: "tea"))
        try await device.engine.create(makeEvent(eventTypeId: tea.id))
        await device.fail([tea.id], with: refusal(503))
        await device.sync()
        try await device.edit(EventType.self, tea.id) { $0.name = "green tea" }
        let report = await device.sync()
        #expect(report.pending == 2 && report.error?.contains("5 times") == false)
        await device.heal()
        #expect(await device.sync().pending == 0)
    }
}
