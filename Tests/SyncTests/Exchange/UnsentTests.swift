import Synchronization
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

private let withoutEffect: [APIError] = [
    .notSent("refused"), .unauthorized("expired"), .rateLimited(retryAfter: nil), .rateLimited(retryAfter: 9),
    refusal(403), refusal(413), .notAServer("302", isElsewhere: true),
    .http(status: 409, problem: ProblemDetails(type: "urn:trendy:error:epoch_changed", status: 409)),
    .http(status: 410, problem: ProblemDetails(type: "urn:trendy:error:cursor_expired", status: 410)),
]

private let mayHaveArrived: [APIError] = [
    .connection("reset"), .timeout, .notAServer("HTML"), .malformedResponse("cut off"), refusal(500),
    .inDoubt(.unauthorized("expired")), .inDoubt(.rateLimited(retryAfter: nil)), .inDoubt(refusal(404)),
    .inDoubt(.http(status: 409, problem: ProblemDetails(type: "urn:trendy:error:epoch_changed", status: 409))),
]

/// An operation is marked as sending only while it may have reached the server.
@Suite("What had certainly no effect is queued again")
struct UnsentTests {
    private let device = Device()

    private func states() throws -> Set<MutationState.Name> { Set(try device.open().map(\.state.name)) }

    private func wait() async throws {
        await device.sync()
        for name in ["tea", "water"] { try await device.engine.create(makeEventType(name: name)) }
    }

    @Test("after a request that did not leave, or that the server refused as a whole", arguments: withoutEffect)
    func noEffect(error: APIError) async throws {
        try await wait()
        await device.network.always(.fail(error), for: .exchange)
        await device.sync()
        #expect(try states() == [.queued])
        // Another process sees that too, and the next sync takes them for what nobody has sent.
        #expect(try device.restarted().mutations([.sending]).isEmpty)
        await device.heal()
        device.wallClock.advance(bySeconds: 60)
        #expect(await device.sync().pending == 0)
    }

    @Test("also where the server refuses the place more often than a sync begins anew", arguments: [409, 410])
    func againAndAgain(status: Int) async throws {
        try await wait()
        let type = "urn:trendy:error:\(status == 409 ? "epoch_changed" : "cursor_expired")"
        await device.fail(with: .http(status: status, problem: ProblemDetails(type: type, status: status)))
        #expect(await device.sync().failure == .protocol)
        #expect(try states() == [.queued])
        await device.heal()
        let report = await device.sync()
        #expect(report.pending == 0 && report.parked == 0)
    }

    @Test("and not after one that may have arrived", arguments: mayHaveArrived)
    func unknown(error: APIError) async throws {
        try await wait()
        await device.network.always(.fail(error), for: .exchange)
        await device.sync()
        #expect(try states().contains(.sending))
    }

    @Test(
        "and not what an earlier request has carried",
        arguments: [APIError.notSent("refused"), .unauthorized("expired")])
    func earlier(error: APIError) async throws {
        try await wait()
        await device.loseNext()
        await device.sync()
        try await device.engine.create(makeEventType(name: "milk"))
        await device.network.always(.fail(error), for: .exchange)
        await device.sync()
        #expect(try device.open().map(\.state) == [.sending, .sending, .queued])
    }

    @Test("while nothing may be sent at all")
    func silent() async throws {
        try await wait()
        await device.network.enqueue(.fail(APIError.rateLimited(retryAfter: 60)), for: .exchange)
        await device.sync()
        #expect(await device.sync().failure == .rateLimited)
        #expect(try states() == [.queued])
    }

    @Test("and so is what was to follow a request that was lost")
    func ahead() async throws {
        await device.sync()
        let device = device.restarted { $0.mutationsPerRequest = 2 }
        for number in 0..<6 { try await device.engine.create(makeEventType(name: "\(number)")) }
        await device.loseNext(.loseRequest(.connection("reset")))
        await device.sync()
        #expect(try device.mutations([.sending]).count == 2 && device.mutations([.queued]).count == 4)
    }

    @Test(
        "and so is what goes again, under another key, after the server has shown another version, also to a repetition",
        arguments: [false, true], [false, true])
    func otherVersion(isMade: Bool, isRepetition: Bool) async throws {
        var event = try await device.syncedCoffee(notes: "first")
        if isMade {
            event = try await device.logCoffee(notes: "mine")
        } else {
            try await device.edit(event.id) { ($0.notes, $0.locationName) = ("mine", "home") }
        }
        if isRepetition {
            await device.loseNext(.loseRequest(.connection("reset")))
            await device.sync()
            #expect(try states() == [.sending])
        }
        if isMade {
            var theirs = event
            theirs.notes = "theirs"
            try device.server.create(theirs)
        } else {
            // The server has one of both values already, so what is left to send is another payload.
            try device.server.change(.event, event.id, ["notes": "theirs", "location_name": "home"])
        }
        let sent = Mutex(0)
        await device.network.beforeEachCall { call in
            guard call.exchange?.mutations.isEmpty == false else { return }
            let number = sent.withLock {
                $0 += 1
                return $0
            }
            if number == 2 { throw APIError.notSent("refused") }
        }
        await device.sync()
        #expect(sent.withLock { $0 } == 2)
        let waiting = try #require(try device.open().first)
        #expect(try device.open().count == 1 && waiting.state == .queued)
        #expect(waiting.clientRequestId != device.server.sent.last?.key)
        #expect(await device.sync().pending == 0)
        #expect(try device.server.event(event.id)?.notes == "mine")
    }

    @Test("so nothing that was made offline is parked when the server's tombstones were pruned")
    func expired() async throws {
        let event = try await device.syncedCoffee()
        try device.server.delete(.event, event.id)
        device.server.pruneTombstones()
        let offline = try await device.logCoffee(notes: "offline")
        let report = await device.sync()
        #expect(report.failure == nil && report.parked == 0 && report.pending == 0)
        #expect(try device.server.event(offline.id) != nil && device.event(event.id) == nil)
    }

    @Test("also where the person has cleared the queue meanwhile: then nothing of it may have arrived")
    func cleared() async throws {
        try await wait()
        let engine = device.engine
        await device.whileSending {
            _ = try await engine.clearPendingMutations()
            throw APIError.notSent("refused")
        }
        await device.sync()
        let reasons = try device.open().compactMap(\.parkReason)
        let codes = reasons.map(\.code)
        #expect(codes == [.cleared, .cleared] && reasons.allSatisfy { !$0.isUnanswered })
    }
}

@Suite("What had certainly no effect on a server of the older routes is queued again")
struct UnsentRESTTests {
    private let device = Device()
    private var network: MockNetworkClient { device.network }

    /// A device with edits that wait for a server of the older routes.
    private func wait(edits count: Int) async throws {
        await network.always(.fail(APIError.noExchange), for: .exchange)
        try await device.engine.create(device.coffee)
        let events = (0..<count).map { makeEvent(eventTypeId: device.coffee.id, timestamp: .at($0)) }
        try await device.engine.create(contentsOf: events)
        await device.sync()
        #expect(try device.open().isEmpty)
        device.wallClock.advance(bySeconds: 120)
        await device.sync()
        for event in events { try await device.edit(event.id) { $0.notes = "edited" } }
    }

    @Test(
        "where the feed could not be read, so the next sync costs a request for each edit and one for the feed",
        arguments: [APIError.notSent("refused"), .rateLimited(retryAfter: nil), .connection("reset"), .timeout])
    func beforeTheFirst(error: APIError) async throws {
        try await wait(edits: 40)
        await network.always(.fail(error), for: .getChanges)
        await device.sync()
        await network.always(.serve, for: .getChanges)
        #expect(try device.mutations([.queued]).count == 40 && device.mutations([.sending]).isEmpty)
        let before = await network.calls.count
        #expect(await device.sync().pending == 0)
        let asked = await network.calls.dropFirst(before)
        #expect(asked.count { $0.operation == .update } == 40 && asked.count <= 42)
        #expect(!asked.contains { $0.operation == .get })
    }

    @Test(
        "where the connection was lost at one of them, which alone stays in doubt",
        arguments: [
            APIError.connection("reset"), .inDoubt(.unauthorized("expired")), .inDoubt(.rateLimited(retryAfter: nil)),
        ])
    func halfway(error: APIError) async throws {
        try await wait(edits: 10)
        await network.enqueue(.serve, times: 4, for: .update)
        await network.enqueue(.fail(error), for: .update)
        await device.sync()
        // Where the connection alone broke, the server answers a question, and the others go.
        let others = error == .connection("reset") ? 0 : 5
        #expect(try device.mutations([.queued]).count == others && device.mutations([.sending]).count == 1)
        #expect(await device.sync().pending == 0)
    }

    @Test(
        "where the server refused one for the load, or the sign-in",
        arguments: [
            APIError.rateLimited(retryAfter: nil), .unauthorized("expired"), .notSent("refused"),
        ])
    func refusedHalfway(error: APIError) async throws {
        try await wait(edits: 10)
        await network.enqueue(.serve, times: 4, for: .update)
        await network.enqueue(.fail(error), for: .update)
        await device.sync()
        #expect(try device.mutations([.queued]).count == 6 && device.mutations([.sending]).isEmpty)
    }
}

extension Timestamp {
    fileprivate static func at(_ minute: Int) -> Timestamp {
        ManualWallClock.defaultStart.advanced(bySeconds: Double(minute) * 60)
    }
}
