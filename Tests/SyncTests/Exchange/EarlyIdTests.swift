import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// A server that refuses ids ahead of its clock: the records wait, and go by themselves.
@Suite("An id that is ahead of the server's clock")
struct EarlyIdTests {
    private let device = Device()
    private let early = FieldError(field: "id", message: "is ahead", code: "future_timestamp")

    /// The device's clock is ahead of the server's.
    private func lead(_ seconds: Double) {
        device.network.clockReading = ClockReading(lead: seconds, doubt: 0.5)
    }

    /// Logs an event that the server refuses for its time.
    private func refusedEvent() async throws -> Event {
        _ = try await device.syncedCoffee()
        let event = try await device.logCoffee(notes: "early")
        device.server.reject([event.id], errors: [early])
        let report = await device.sync()
        #expect(report.failure == nil && report.parked == 0 && report.pending == 1)
        #expect(try device.mutation(of: event.id)?.state == .queued)
        return event
    }

    @Test("is sent once in a sync, parks nothing, and is not sent before its time")
    func waits() async throws {
        lead(120)
        let event = try await refusedEvent()
        #expect(device.server.sent.count { $0.entityId == event.id } == 1)
        device.wallClock.advance(bySeconds: 59)
        let report = await device.sync()
        #expect(report.early == 1 && report.pending == 1 && report.clockReading?.lead == 120)
        #expect(device.server.sent.count { $0.entityId == event.id } == 1)
        device.server.reject([])
        device.wallClock.advance(bySeconds: 2)
        #expect(await device.sync().pending == 0)
        #expect(try device.server.event(event.id) == event)
    }

    @Test("goes in the sync in which the clocks turn out to agree again")
    func clockIsRight() async throws {
        lead(120)
        let event = try await refusedEvent()
        device.server.reject([])
        lead(0)
        let report = await device.sync()
        #expect(report.pending == 0 && report.pushed == 1)
        #expect(try device.server.event(event.id) == event)
    }

    @Test("of a server that does not tell its time is tried once in each sync")
    func withoutReading() async throws {
        let event = try await refusedEvent()
        await device.sync()
        #expect(device.server.sent.count { $0.entityId == event.id } == 2)
        device.server.reject([])
        #expect(await device.sync().pending == 0)
    }

    @Test("waits for the server's clock also where the server's answers show another time than it has")
    func otherTimeShown() async throws {
        lead(0)
        let event = try await refusedEvent()
        func held(_ id: String) throws -> Bool {
            let mutation = try #require(try device.mutation(of: id))
            return try device.engine.serverClock().holdsBack(mutation, at: device.wallClock.now())
        }
        let report = await device.sync()
        #expect(report.early == 1 && report.clockReading?.differs == false)
        #expect(try held(event.id))
        // Who makes a record later is refused for longer.
        device.wallClock.advance(bySeconds: 1)
        #expect(try held(try await device.logCoffee(notes: "later").id))
        device.server.reject([])
        #expect(await device.sync().early == 0)
        #expect(try !held(try await device.logCoffee(notes: "after that").id))
    }

    @Test("holds back what depends on it, and nothing else")
    func dependents() async throws {
        lead(120)
        await device.sync()
        try await device.engine.create(device.coffee)
        device.server.reject([device.coffee.id], errors: [early])
        let (child, other) = (makeEvent(eventTypeId: device.coffee.id), makeEventType(name: "tea"))
        try await device.engine.create(child)
        try await device.edit(child.id) { $0.notes = "edited" }
        try await device.engine.create(other)
        let report = await device.sync()
        #expect(report.parked == 0 && report.pushed == 1)
        #expect(try device.server.find(EventType.self, other.id) != nil)
        device.server.reject([])
        device.wallClock.advance(bySeconds: 61)
        #expect(await device.sync().pending == 0)
        #expect(try device.server.event(child.id)?.notes == "edited")
    }

    @Test(
        "that is far ahead goes under another id when it is retried, also while the clocks differ",
        arguments: [false, true])
    func retried(isClockRight: Bool) async throws {
        lead(30 * 366 * 86_400)
        let event = try await refusedEvent()
        if isClockRight {
            device.wallClock.advance(bySeconds: -30 * 366 * 86_400)
            lead(0)
            await device.sync()
        }
        let waiting = try #require(try device.mutation(of: event.id))
        try await device.engine.retryMutation(id: waiting.id)
        let renamed = try #require(try device.all(Event.self).first { $0.notes == "early" })
        #expect(renamed.id != event.id)
        let made = try #require(UUIDv7(renamed.id)).timestamp
        let server = try device.engine.serverClock().now(at: device.wallClock.now())
        #expect(abs(made.seconds(since: server)) < 60)
        #expect(await device.sync().pending == 0)
        #expect(try device.server.event(renamed.id)?.notes == "early")
        #expect(try await device.engine.outcome(of: waiting.id) == .accepted)
    }

    @Test(
        "of an older server is known by its problem or its error, or by the clocks if it says only that the request is bad",
        arguments: [
            (APIError.http(status: 400, problem: ProblemDetails(type: "urn:trendy:error:future_timestamp")), nil),
            (
                .http(
                    status: 422,
                    problem: ProblemDetails(
                        errors: [FieldError(field: "id", message: "is ahead", code: "future_timestamp")])), 0
            ),
            (RESTPeer.refusal(400), 120), (RESTPeer.refusal(422), 120),
        ])
    func olderServer(error: APIError, lead: Double?) async throws {
        let peer = RESTPeer()
        peer.network.clockReading = lead.map { ClockReading(lead: $0, doubt: 0.5) }
        _ = try await peer.network.put(makeEventType(id: testId(1), name: "coffee"))
        try await peer.catchUp()
        await peer.network.always(.fail(error), for: .create)
        await peer.network.always(.fail(error), for: .createBatch)
        let identifiers = UUIDv7Generator.seeded(1, clock: peer.clock)
        let events = (0..<40).map { _ in makeEvent(id: identifiers.makeId()) }
        let mutations = try events.map { try peer.create($0) }
        let before = await peer.network.calls.count
        let response = try await peer.exchange(mutations)
        #expect(response.outcomes == Array(repeating: .rejected, count: 40))
        #expect(response.results.allSatisfy { $0.isTooEarly })
        // The first refusal tells of the others.
        #expect(await peer.network.calls.count - before < 15)
    }

    @Test("is not to blame where an older server refuses a record of the past")
    func otherRefusal() async throws {
        let peer = RESTPeer()
        peer.network.clockReading = ClockReading(lead: 0, doubt: 0.5)
        _ = try await peer.network.put(makeEventType(id: testId(1), name: "coffee"))
        try await peer.catchUp()
        await peer.network.always(.fail(RESTPeer.refusal(400)), for: .create)
        let identifiers = UUIDv7Generator.seeded(1, clock: peer.clock)
        let response = try await peer.exchange([peer.create(makeEvent(id: identifiers.makeId()))])
        #expect(response.outcomes == [.rejected] && !response.results.contains { $0.isTooEarly })
    }
}

@Suite("What a device knows of the server's clock")
struct ServerClockTests {
    @Test("is the difference that the latest answer told, and small changes of it are no news")
    func readings() {
        var clock = ServerClock()
        clock.note(ClockReading(lead: 100, doubt: 1))
        clock.note(ClockReading(lead: 101.5, doubt: 1))
        #expect(clock.reading?.lead == 100)
        clock.note(nil)
        clock.note(ClockReading(lead: -3, doubt: 1))
        #expect(clock.reading?.lead == -3)
        let moment = ManualWallClock.defaultStart
        #expect(clock.now(at: moment) == moment.advanced(bySeconds: 3))
    }

    @Test("differs by more than servers tolerate only if that is certain")
    func differs() {
        let moment = ManualWallClock.defaultStart
        func reading(_ lead: Double, travel: Double = 0) -> ClockReading {
            let asked = moment.advanced(bySeconds: lead)
            return ClockReading(server: moment, askedAt: asked, answeredAt: asked.advanced(bySeconds: travel))
        }
        #expect(!reading(0).differs && !reading(60).differs && !reading(-59).differs)
        #expect(reading(62).differs && reading(-62).differs)
        #expect(reading(80, travel: 60).differs && !reading(-80, travel: 30).differs)
    }
}
