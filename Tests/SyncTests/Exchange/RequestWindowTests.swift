import Synchronization
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("How much a request carries")
struct RequestWindowTests {
    private var window = RequestWindow(start: 256)

    /// Full requests through something that lets so much through. Answers how many were refused.
    private mutating func push(_ requests: Int, through limit: Int, taking time: Duration = .zero) -> Int {
        var refusals = 0
        for _ in 0..<requests {
            let amount = window.size
            if amount > limit {
                refusals += 1
                window.refused(amount)
            } else {
                window.passed(amount, isFull: true, in: time, atMost: 2_000)
            }
        }
        return refusals
    }

    @Test("doubles with each full request that was fast, up to the most")
    mutating func growth() {
        for size in [512, 1_024, 2_000, 2_000] {
            window.passed(window.size, isFull: true, in: .seconds(1), atMost: 2_000)
            #expect(window.size == size)
        }
    }

    @Test("does not grow by requests that had no more to carry, or that took a while")
    mutating func noGrowth() {
        window.passed(3, isFull: false, in: .zero, atMost: 2_000)
        window.passed(256, isFull: true, in: .seconds(4), atMost: 2_000)
        #expect(window == RequestWindow(start: 256))
    }

    @Test("shrinks to what comes in time, but not below where it began, however slow the server is")
    mutating func late() {
        #expect(push(3, through: .max) == 0)
        window.passed(2_000, isFull: true, in: .seconds(20), atMost: 2_000)
        #expect(window.size == 500)
        for _ in 0..<10 { window.passed(window.size, isFull: true, in: .seconds(60), atMost: 2_000) }
        #expect(window.size == 256)
    }

    @Test("meets a limit on the way ever more seldom", arguments: [1, 7, 100, 1_500])
    mutating func limit(_ limit: Int) {
        let first = push(40, through: limit)
        #expect(first < 16 && window.size <= limit)
        #expect(push(400, through: limit) <= 8)
        #expect(window.size * 2 > limit || window.size == 1)
    }

    @Test("grows again when the limit is gone")
    mutating func mended() {
        _ = push(500, through: 10)
        #expect(push(100, through: .max) == 0)
        #expect(window.size == 2_000)
    }

    @Test("is as before after syncs that ended early, unless a full request shows that less passes")
    mutating func earlyEnds() {
        let before = window
        for _ in 0..<20 { window.endedEarly() }
        #expect(window.size == 8)
        window.passed(8, isFull: false, in: .zero, atMost: 2_000)
        #expect(window == before)
        for _ in 0..<2 { window.endedEarly() }
        window.passed(64, isFull: true, in: .seconds(20), atMost: 2_000)
        #expect(window.size == 64)
        window.passed(64, isFull: true, in: .seconds(9), atMost: 2_000)
        #expect(window.size == 128)
    }

    @Test("grows at once when it was something else that did not pass")
    mutating func innocent() {
        for _ in 0..<8 { window.refused(window.size) }
        #expect(window.size == 1)
        window.forgetRefusals()
        _ = push(11, through: .max)
        #expect(window.size == 2_000)
    }
}

@Suite("A line or a proxy that lets little through")
struct NarrowWayTests {
    private let device = Device()
    private var server: ExchangeServer { device.server }
    private var network: MockNetworkClient { device.network }

    /// Lets requests take as long as a line needs for what they carry, and refuses those that are too large, or that take
    /// too long.
    ///
    /// - Parameters:
    ///   - speed: Bytes in a second.
    ///   - patience: Seconds after which a request is given up.
    ///   - largest: The most bytes of an answer.
    private func narrow(
        speed: Int = .max, patience: Double = .infinity, largest: Int = .max, with error: APIError = .timeout
    ) async {
        let (server, clock) = (server, device.clock)
        await network.beforeEachCall { call in
            guard let request = call.exchange else { return }
            let sent = try request.json().count
            // The answer is the same when it is asked for again: nothing is carried out for it.
            var question = request
            question.mutations = []
            let answer = try WireCoding.encode(try server.exchange(question)).count
            let time = Double(sent + answer) / Double(speed)
            clock.advance(by: .seconds(min(time, patience)))
            if time > patience || sent > largest || answer > largest { throw error }
        }
    }

    private func fill(_ count: Int, notes: String) throws {
        try server.create(device.coffee)
        for _ in 0..<count { try server.create(makeEvent(eventTypeId: device.coffee.id, notes: notes)) }
    }

    @Test("of 30,000 bytes in a second brings a first sync in time, with long notes too", arguments: [450, 9_000])
    func slowPull(length: Int) async throws {
        let count = length > 1_000 ? 120 : 700
        try fill(count, notes: String(repeating: "x", count: length))
        await narrow(speed: 30_000, patience: 20)
        let report = await device.sync()
        #expect(report.failure == nil && report.pulled == count + 1)
    }

    @Test(
        "brings a first sync to processes that live too short for a usual page, killed or cancelled",
        arguments: [true, false])
    func shortLives(isKilled: Bool) async throws {
        try fill(200, notes: String(repeating: "x", count: 9_000))
        var lives = 0
        while try device.all(Event.self).count < 200, lives < 12 {
            lives += 1
            let process = device.restarted()
            let server = server
            let left = Mutex(20.0)
            await process.network.beforeEachCall { call in
                guard var question = call.exchange else { return }
                question.mutations = []
                let time = Double(try WireCoding.encode(try server.exchange(question)).count) / 30_000
                let isDead = left.withLock { left in
                    left -= time
                    return left < 0
                }
                if isDead { throw CancellationError() }
            }
            let report = await process.sync()
            // A killed process leaves its lease behind.
            if isKilled, report.failure != nil { try process.giveLeaseToAnother(forSeconds: -1) }
        }
        #expect(try device.all(Event.self).count == 200)
    }

    @Test("that cuts larger answers lets a first sync through in one go", arguments: narrowErrors)
    func largeAnswers(error: APIError) async throws {
        try fill(100, notes: "some words")
        await narrow(largest: 16_384, with: error)
        #expect(await device.sync().failure == nil)
        #expect(try device.all(Event.self).count == 100)
        // Another process knows what passes.
        for _ in 0..<60 { try server.create(makeEvent(eventTypeId: device.coffee.id)) }
        let other = device.restarted()
        let (count, server) = (Counter(), server)
        await other.network.beforeEachCall { call in
            guard let request = call.exchange else { return }
            var question = request
            question.mutations = []
            if try WireCoding.encode(try server.exchange(question)).count > 16_384 {
                count.add()
                throw error
            }
        }
        #expect(await other.sync().failure == nil)
        #expect(count.value <= 1)
    }

    @Test("that cuts larger requests takes everything in one go, and the next process knows", arguments: narrowErrors)
    func largeRequests(error: APIError) async throws {
        _ = try await device.syncedCoffee()
        await narrow(largest: 16_384, with: error)
        for _ in 0..<100 { try await device.logCoffee(notes: "some words") }
        let report = await device.sync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0 && report.error == nil)
        #expect(server.records(of: .event).count == 101)
        #expect(try device.store().exchangePlace().sending.size < 16_384)
    }

    @Test("of 30,000 bytes in a second takes a large queue in parts that come in time")
    func slowPush() async throws {
        _ = try await device.syncedCoffee()
        await narrow(speed: 30_000, patience: 15)
        let note = String(repeating: "x", count: 5_000)
        try await device.engine.create(
            contentsOf: (0..<120).map { _ in makeEvent(eventTypeId: device.coffee.id, notes: note) })
        let report = await device.sync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
    }

    @Test("does not shrink what passes when the server is simply away")
    func outage() async throws {
        _ = try await device.syncedCoffee()
        for _ in 0..<20 { try await device.logCoffee() }
        let place = try device.store().exchangePlace()
        for error in narrowErrors {
            await network.always(.fail(error), for: .exchange)
            for _ in 0..<10 { #expect(await device.sync().failure != nil) }
        }
        #expect(try device.store().exchangePlace() == place)
        await device.heal()
        let before = server.requests.count
        #expect(await device.sync().pushed == 20)
        #expect(server.requests.count == before + 1)
    }

    @Test("takes less where what is large is answered with a request for time, from the second sync on")
    func postponed() async throws {
        _ = try await device.syncedCoffee()
        try await device.engine.create(
            contentsOf: (0..<200).map { makeEvent(eventTypeId: device.coffee.id, notes: "note \($0)") })
        await device.network.beforeEachCall { call in
            guard (call.exchange?.mutations.count ?? 0) > 10 else { return }
            var problem = ProblemDetails(status: 503)
            problem.retryAfter = 1
            throw APIError.http(status: 503, problem: problem)
        }
        var syncs = 0
        while syncs < 10, await device.sync().pending > 0 {
            syncs += 1
            device.wallClock.advance(bySeconds: 60)
        }
        #expect(syncs == 1)
        #expect(server.records(of: .event).count == 201)
    }

    @Test("does not hold back a server that fails on one record only: the next request is large again")
    func culprit() async throws {
        _ = try await device.syncedCoffee()
        let events = (0..<200).map { _ in makeEvent(eventTypeId: device.coffee.id) }
        try await device.engine.create(contentsOf: events)
        await device.fail([events[77].id])
        #expect(await device.sync().failing == 1)
        await device.heal()
        try await device.engine.create(contentsOf: (0..<200).map { _ in makeEvent(eventTypeId: device.coffee.id) })
        let before = server.requests.count
        #expect(await device.sync().pending == 0)
        #expect(server.requests.count - before <= 4)
    }

    @Test("on which nothing passes that carries changes is told, with what was refused, and parks nothing")
    func nothingPasses() async throws {
        _ = try await device.syncedCoffee()
        for _ in 0..<80 { try await device.logCoffee() }
        await device.fail(with: .connection("the connection broke"))
        let report = await device.sync()
        #expect(report.failure == .unreachable && report.pending == 80 && report.parked == 0)
        #expect(report.error?.contains("broke") == true)
        #expect(try device.open().allSatisfy { $0.attempts == 0 })
    }
}

private let narrowErrors: [APIError] = [
    .timeout, .connection("the connection broke"), .notAServer("it answered 403 with a web page"), refusal(500),
    refusal(502), refusal(413), refusal(403),
]

private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}
