import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("A batch of creates through the REST gateway")
struct RESTBatchTests {
    private let peer = RESTPeer()
    private var network: MockNetworkClient { peer.network }

    @Test("with one bad record lets all others go, and only that one is refused with its reason")
    func oneBad() async throws {
        _ = try await network.seed()
        try await peer.catchUp()
        let start = ManualWallClock.defaultStart
        let events = (0..<30).map { makeEvent(timestamp: start.advanced(bySeconds: Double($0)), notes: "\($0)") }
        let bad = events[17].id
        await network.beforeEachCall { call in
            guard call.entityIds.contains(bad), call.operation != .get else { return }
            let wrong = FieldError(field: "notes", message: "must be polite")
            throw APIError.http(status: 422, problem: ProblemDetails(status: 422, errors: [wrong]))
        }
        let response = try await peer.exchange(try events.map { try peer.create($0) })
        #expect(response.results.filter { $0.outcome != .accepted }.map(\.errors?.first?.field) == ["notes"])
        #expect(response.outcomes.count { $0 == .accepted } == 29)
        #expect(await network.calls.count < 30)
    }

    @Test("on one of which the server always fails leaves out that one's result, and later sends it last and alone")
    func oneFails() async throws {
        _ = try await network.seed()
        try await peer.catchUp()
        let events = (0..<20).map { makeEvent(notes: "\($0)") }
        let bad = events[3].id
        await network.beforeEachCall { call in
            if call.entityIds.contains(bad), call.operation != .get { throw RESTPeer.serverError }
        }
        let mutations = try events.map { try peer.create($0) }
        let response = try await peer.exchange(mutations)
        #expect(response.results.count == 19 && !response.more)
        peer.restart()
        await network.enqueue(.serve, for: .getChanges)
        let more = try (0..<3).map { try peer.create(makeEvent(notes: "later \($0)")) }
        let before = await network.calls.count
        let second = try await peer.exchange([mutations[3]] + more, unanswered: [mutations[3].key])
        #expect(second.results.map(\.key) == more.map(\.key))
        let calls = await network.calls.dropFirst(before).map(\.operation)
        #expect(calls.prefix(2) == [.getChanges, .createBatch])
        #expect(calls.count { $0 == .createBatch } == 1)
        await network.beforeEachCall(nil)
        #expect(try await peer.exchange([mutations[3]], unanswered: [mutations[3].key]).outcomes == [.accepted])
    }

    @Test("whose answer was lost before its entries are in the feed is looked for as well")
    func lostAnswerWithoutEntries() async throws {
        _ = try await network.seed()
        try await peer.catchUp()
        let events = (0..<5).map { makeEvent(notes: "\($0)") }
        let mutations = try events.map { try peer.create($0) }
        await network.enqueue(.serveThenFail(RESTPeer.serverError), for: .createBatch)
        await network.always(.fail(RESTPeer.serverError), for: .createBatch)
        for event in events { try await network.put(event) }
        for event in events { await network.forgetChanges(of: event.id) }
        let response = try await peer.exchange(mutations, unanswered: Set(mutations.map(\.key)))
        #expect(response.outcomes == Array(repeating: .accepted, count: 5))
        #expect(response.results.allSatisfy { $0.replayed })
    }

    @Test("that fails for one that an earlier batch has made does not make that one again")
    func madeByAnotherBatch() async throws {
        _ = try await network.seed()
        try await peer.catchUp()
        let events = (0..<4).map { makeEvent(notes: "\($0)") }
        let mutations = try events.map { try peer.create($0) }
        try await network.put(events[2])
        await network.forgetChanges(of: events[2].id)
        await network.always(.fail(RESTPeer.serverError), for: .createBatch)
        let response = try await peer.exchange(mutations, unanswered: Set(mutations.map(\.key)))
        #expect(response.outcomes == Array(repeating: .accepted, count: 4))
        #expect(response.results.filter(\.replayed).map(\.key) == [mutations[2].key])
        #expect(await network.calls(.create).flatMap(\.entityIds).contains(events[2].id) == false)
    }

    @Test("that failed after its commit makes nothing twice where the look at it fails too")
    func unreadableLook() async throws {
        _ = try await network.seed()
        try await peer.catchUp()
        let events = (0..<4).map { makeEvent(notes: "\($0)") }
        await network.enqueue(.serveThenFail(RESTPeer.serverError), for: .createBatch)
        await network.enqueue(.fail(RESTPeer.serverError), for: .get)
        let response = try await peer.exchange(events.map { try peer.create($0) })
        #expect(response.outcomes == Array(repeating: .accepted, count: 4))
        #expect(response.results.allSatisfy { $0.replayed })
        #expect(await network.callCount(.createBatch) == 1)
        #expect(await network.callCount(.create) == 0)
    }

    @Test("that gets no answer, as nothing does from then on, has half as many the next time, also in another process")
    func silence() async throws {
        _ = try await network.seed()
        try await peer.catchUp()
        let mutations = try (0..<400).map { try peer.create(makeEvent(notes: "\($0)")) }
        await network.enqueue(.fail(APIError.timeout), for: .createBatch)
        await network.enqueue(.fail(APIError.timeout), for: .get)
        #expect(try await peer.exchange(mutations).results.isEmpty)
        let first = try #require(await network.calls(.createBatch).first?.entityIds.count)
        peer.restart()
        let response = try await peer.exchange(mutations)
        #expect(response.results.count == 400)
        let second = try #require(await network.calls(.createBatch).dropFirst().first?.entityIds.count)
        #expect(first > 10 && (first / 2 - 1...first / 2 + 1).contains(second))
    }

    @Test(
        "goes in one sync through something that lets only small ones through, and the next process knows their size",
        arguments: RESTPeer.errorsOfWay)
    func narrowWay(error: APIError) async throws {
        _ = try await network.seed()
        try await peer.catchUp()
        await network.beforeEachCall { call in
            guard call.operation == .createBatch, let body = call.body else { return }
            if try WireCoding.encode(body).count > 6_000 { throw error }
        }
        let mutations = try (0..<400).map { try peer.create(makeEvent(notes: "\($0)")) }
        let response = try await peer.exchange(mutations)
        #expect(response.outcomes == Array(repeating: .accepted, count: 400) && !response.more)
        let sizes = await network.calls(.createBatch).map(\.entityIds.count)
        peer.restart()
        let more = try (0..<100).map { try peer.create(makeEvent(notes: "later \($0)")) }
        #expect(try await peer.exchange(more).results.count == 100)
        let later = await network.calls(.createBatch).dropFirst(sizes.count).map(\.entityIds.count)
        let (first, second) = (try #require(sizes.first), try #require(later.first))
        #expect(second < first)
    }

    @Test(
        "has few creates at first, and as many as come in time, whatever the server's speed",
        arguments: [0.001, 0.04, 1])
    func speed(secondsPerRecord: Double) async throws {
        _ = try await network.seed()
        try await peer.catchUp()
        let clock = peer.requestClock
        await network.beforeEachCall { call in
            let time = Double(call.entityIds.count) * secondsPerRecord
            clock.advance(by: .seconds(min(time, 15)))
            if call.operation == .createBatch, time > 15 { throw APIError.timeout }
        }
        var waiting = try (0..<600).map { try peer.create(makeEvent(notes: "\($0)")) }
        for _ in 0..<40 where !waiting.isEmpty {
            let sent = waiting
            guard let done = try? await peer.exchange(sent).results.map(\.key) else { continue }
            waiting.removeAll { done.contains($0.key) }
        }
        #expect(waiting.isEmpty)
        let sizes = await network.calls(.createBatch).map(\.entityIds.count)
        #expect(try #require(sizes.first) < 50)
        if secondsPerRecord < 1 { #expect(sizes.allSatisfy { Double($0) * secondsPerRecord <= 10 }) }
        if secondsPerRecord < 0.01 { #expect(sizes.count < 10) }
        #expect(await network.callCount(.create) < 10)
    }

    @Test("that was answered in part goes on with what was refused, and tells why")
    func partial() async throws {
        _ = try await network.seed()
        try await peer.catchUp()
        let good = makeEvent(notes: "good")
        let orphan = makeEvent(eventTypeId: testId(77))
        let response = try await peer.exchange([try peer.create(good), try peer.create(orphan)])
        #expect(response.outcomes == [.accepted, .blocked])
        #expect(response.results[1].errors?.map(\.field) == ["event_type_id"])
    }
}
