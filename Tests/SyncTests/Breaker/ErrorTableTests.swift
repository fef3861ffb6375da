import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("The error table")
struct ErrorTableTests {
    @Test(
        "decides attempts and the end of the cycle, and the next cycle recovers",
        arguments: ErrorRow.allCases, CycleRequest.allCases)
    func end(row: ErrorRow, request: CycleRequest) async throws {
        let expected = ExpectedEnd(row, request)
        let device = try await request.device()
        let concerned = try device.open().map(\.id)
        await device.fail(request, with: row.error)
        let report = await device.sync()
        #expect(report.failure == expected.failure)
        // Where the cycle went on, the report says what the server failed on.
        #expect(report.failing == (expected.isFailing ? concerned.count : 0))
        #expect((report.error == nil) == (expected.failure == nil && report.failing == 0))
        for mutation in try device.mutations() where concerned.contains(mutation.id) {
            #expect(mutation.attempts == expected.attempts && mutation.state.isUnsent)
        }
        // With the fault gone, what waits goes through.
        await device.heal()
        device.wallClock.advance(bySeconds: 42)
        let last = await device.sync()
        #expect(last.failure == nil && last.pending == 0 && last.parked == 0)
        #expect(try Set(device.server.all(Event.self)) == Set(device.all(Event.self)))
    }

    @Test("decides the breaker's counter", arguments: ErrorRow.allCases, CycleRequest.allCases)
    func counter(row: ErrorRow, request: CycleRequest) async throws {
        let device = try await request.device()
        try device.plantRefusals(1)
        await device.fail(request, with: row.error)
        let report = await device.sync()
        let breaker = try device.breaker()
        switch row {
        case .rateLimited, .rateLimitedFor42:
            #expect(breaker.refusals == 2 && breaker.trips == 1)
            #expect(report.retryAfter == 150)
        case .unauthorized, .signInFailing: #expect(breaker.refusals == 1)
        default: #expect(breaker.refusals == 0 && report.retryAfter == nil)
        }
    }
}

@Suite("Silence after too many requests")
struct SilenceTests {
    @Test(
        "begins at the second refusal in a row and grows, whichever request is refused",
        arguments: CycleRequest.allCases
    )
    func schedule(request: CycleRequest) async throws {
        let device = try await request.device()
        await device.fail(request, with: .rateLimited(retryAfter: nil))
        var pauses: [Double] = []
        for _ in 0..<5 {
            let pause = await device.sync().retryAfter ?? 0
            pauses.append(pause)
            device.wallClock.advance(bySeconds: pause)
        }
        #expect(pauses == [0, 150, 300, 300, 300])
    }

    @Test("is not shorter after a timeout on the older routes, where the size of the next request is kept")
    func timeout() async throws {
        let device = Device()
        await device.network.always(.fail(APIError.noExchange), for: .exchange)
        await device.sync()
        var pauses: [Double] = []
        for error in [APIError](repeating: .rateLimited(retryAfter: nil), count: 2) + [.timeout]
            + [APIError](repeating: .rateLimited(retryAfter: nil), count: 2)
        {
            await device.network.always(.fail(error), for: .getChanges)
            let pause = await device.sync().retryAfter ?? 0
            pauses.append(pause)
            device.wallClock.advance(bySeconds: pause)
        }
        // The timeout ends the row of refusals, and not what the server has asked for.
        #expect(pauses == [0, 150, 0, 0, 300])
    }

    @Test(
        "sends nothing at all, also from another process, and leaves the queue alone", arguments: CycleRequest.allCases)
    func silence(request: CycleRequest) async throws {
        let device = try await request.device()
        await device.fail(request, with: .rateLimited(retryAfter: 42))
        let report = await device.sync()
        #expect(report.state == .rateLimited(retryAfter: 42, pending: report.pending))
        let sent = await device.network.calls.count
        device.wallClock.advance(bySeconds: 41.5)
        #expect(await device.sync().failure == .rateLimited)
        #expect(await device.engine.forceFullResync().failure == .rateLimited)
        await #expect(throws: APIError.self) { try await device.engine.skipToLatestCursor() }
        let reborn = device.restarted()
        try await reborn.engine.loadInitialState()
        #expect(reborn.engine.state == .rateLimited(retryAfter: 0.5, pending: report.pending))
        #expect(await reborn.sync().failure == .rateLimited)
        #expect(await device.network.calls.count == sent)
        #expect(await reborn.network.calls.isEmpty)
        #expect(try device.open().allSatisfy { $0.attempts == 0 && $0.state.isUnsent })
        device.wallClock.advance(bySeconds: 0.5)
        let last = await reborn.sync()
        #expect(last.failure == nil && last.pending == 0)
    }
}

@Suite("Blame")
struct BlameTests {
    @Test(
        "falls on nothing while the server carries out nothing, however it refuses, and how long",
        arguments: [ErrorRow.serverError, .timeout, .malformed, .conflict, .otherRefusal])
    func outage(row: ErrorRow) async throws {
        let device = Device()
        try await device.engine.create(device.coffee)
        await device.sync()
        for number in 0..<3 { try await device.logCoffee(notes: "\(number)") }
        await device.fail(with: row.error)
        for _ in 0..<20 {
            let report = await device.sync()
            #expect(report.failure == nil && report.failing == 3 && report.parked == 0)
        }
        #expect(try device.mutations([.queued, .sending]).allSatisfy { $0.attempts == 1 })
        await device.heal()
        let report = await device.sync()
        #expect(report.pushed == 3 && report.pending == 0 && report.parked == 0)
    }

    @Test("parks as refused what a server refuses in five cycles while it carries out others")
    func refused() async throws {
        let device = Device()
        try await device.engine.create(device.coffee)
        await device.sync()
        let culprit = try await device.logCoffee(notes: "culprit")
        let problem = refusal(422, fields: [FieldError(field: "notes", message: "is odd", code: "invalid")])
        await device.fail([culprit.id], with: problem)
        for cycle in 1...5 {
            try await device.logCoffee(notes: "\(cycle)")
            #expect(await device.sync().parked == (cycle == 5 ? 1 : 0))
        }
        let reason = try #require(try device.parkReason(of: culprit.id))
        #expect(reason.code == .rejected && reason.fields.map(\.field) == ["notes"])
    }

    @Test("parks the one mutation on which the server fails in five cycles, and holds none of the others back")
    func culprit() async throws {
        let device = Device()
        try await device.engine.create(device.coffee)
        await device.sync()
        let events = (0..<50).map { _ in makeEvent(eventTypeId: device.coffee.id) }
        try await device.engine.create(contentsOf: events)
        let culprit = events[13].id
        await device.fail([culprit])
        for cycle in 1...5 {
            let other = try await device.logCoffee(notes: "\(cycle)")
            let report = await device.sync()
            #expect(report.failure == nil && report.pending == (cycle == 5 ? 0 : 1))
            #expect(report.failing == (cycle == 5 ? 0 : 1) && report.parked == (cycle == 5 ? 1 : 0))
            #expect((report.error?.contains("failed on 1 change") == true) == (cycle < 5))
            #expect(try device.status(other.id) == .synced)
            #expect(device.server.records(of: .event).count == 49 + cycle)
        }
        #expect(await device.sync().pending == 0)
        let reason = try #require(try device.parkReason(of: culprit))
        #expect(reason.code == .blamed && reason.isUnanswered)
        #expect(try device.status(culprit) == .failed)
        #expect(await device.network.calls.count < 60)
        await device.heal()
        try await device.engine.retryMutation(id: try #require(try device.mutations([.parked]).first).id)
        #expect(await device.sync().parked == 0)
        #expect(try device.server.event(culprit) != nil)
    }
}
