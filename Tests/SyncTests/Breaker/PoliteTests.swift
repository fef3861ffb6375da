import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("The breaker everywhere")
struct PoliteTests {
    let device = Device()

    @Test("a refusal is kept also where another process has taken the sync over meanwhile")
    func takenOver() async throws {
        await device.network.enqueue(.fail(APIError.rateLimited(retryAfter: 40)), for: .exchange)
        let device = device
        await device.network.beforeEachCall { _ in try device.giveLeaseToAnother() }
        #expect(await device.sync().failure == .takenOver)
        // The other's lease is left to him.
        #expect(try device.store().metadata(MetadataKey.lease)?.contains("other") == true)
        try device.tamper { try $0.setMetadata(MetadataKey.lease, nil) }
        let report = await device.sync()
        #expect(report.failure == .rateLimited && report.retryAfter == 40)
        #expect(await device.network.calls.count == 1)
    }

    @Test("a pause that another process learns of holds from then on, also in a sync that has begun")
    func learnedMeanwhile() async throws {
        for _ in 0..<3 { try device.server.create(makeEventType()) }
        device.server.limitPages(to: 1)
        let device = device
        await device.network.beforeEachCall { _ in
            let end = device.wallClock.now().advanced(bySeconds: 40).description
            try device.tamper {
                try $0.setMetadata(MetadataKey.breaker, #"{"refusals":1,"trips":0,"silentUntil":"\#(end)"}"#)
            }
        }
        let report = await device.sync()
        #expect(report.failure == .rateLimited && report.retryAfter == 40)
        #expect(await device.network.calls.count == 1)
    }

    @Test("requests outside a sync are held back by it, and counted by it")
    func outside() async throws {
        await device.sync()
        let engine = device.engine
        let busy = APIError.rateLimited(retryAfter: 40)
        await #expect(throws: busy) { try await engine.underBreaker { throw busy } as Void }
        await #expect(throws: busy) { try await engine.underBreaker { Issue.record("it was sent") } }
        #expect(await device.sync().failure == .rateLimited)
        try await engine.resetCircuitBreaker()
        let refusals = [APIError.rateLimited(retryAfter: nil), .timeout]
        for error in refusals + [refusals[0]] {
            await #expect(throws: error) { try await engine.underBreaker { throw error } as Void }
        }
        // The last was the second refusal in a row, were it not for the failure before it.
        #expect(try await engine.underBreaker { 7 } == 7)
    }
}

@Suite("Trying again by oneself")
struct ConnectionBackoffTests {
    let device = Device()

    private func pause(_ report: SyncReport) -> Double? {
        report.nextAttemptAt?.seconds(since: device.wallClock.now())
    }

    @Test("waits longer with each cycle that cannot reach the server, with jitter, up to five minutes")
    func grows() async throws {
        await device.network.always(.fail(APIError.connection("no route")), for: .exchange)
        var pauses: [Double] = []
        for _ in 0..<12 { pauses.append(try #require(pause(await device.sync()))) }
        for (number, pause) in pauses.enumerated() {
            let full = min(Double(1 << (number + 1)), 300)
            #expect((full / 2 - 0.001...full).contains(pause), "\(number): \(pause)")
        }
        #expect(Set(pauses.suffix(3)).count == 3)
    }

    @Test(
        "counts whatever is no server or none that works",
        arguments: [APIError.timeout, .notAServer("HTML"), refusal(503), .malformedResponse("cut off")])
    func kinds(_ error: APIError) async throws {
        await device.sync()
        await device.network.always(.fail(error), for: .exchange)
        #expect(await device.sync().nextAttemptAt != nil)
    }

    @Test("waits longer with each refusal of a sign-in that may be an outage, as after lost connections")
    func signInFailing() async throws {
        await device.sync()
        await device.network.always(.fail(APIError.unauthorized("out of order", mayPass: true)), for: .exchange)
        for full in [2.0, 4, 8] {
            let report = await device.sync()
            #expect(report.failure == .signInFailing)
            let length = try #require(pause(report))
            #expect((full / 2 - 0.001...full).contains(length))
        }
    }

    @Test("leaves a server that fails alone for as long as it asks, and holds back nobody who asks for a sync")
    func askedPause() async throws {
        await device.sync()
        let busy = APIError.http(status: 503, problem: ProblemDetails(status: 503, retryAfter: 600))
        await device.network.enqueue(.fail(busy), for: .exchange)
        let report = await device.sync()
        #expect(pause(report) == 600 && report.retryAfter == 600)
        #expect(try device.engine.nextAttemptTime() == report.nextAttemptAt)
        #expect(await device.sync().failure == nil)
        #expect(try device.engine.nextAttemptTime() == nil)
    }

    @Test("does not count being signed out, and a pause that the server asked for is kept by the breaker")
    func others() async throws {
        await device.network.enqueue(.fail(APIError.unauthorized("expired")), for: .exchange)
        #expect(await device.sync().nextAttemptAt == nil)
        await device.network.enqueue(.fail(APIError.rateLimited(retryAfter: 50)), for: .exchange)
        let asked = try #require(pause(await device.sync()))
        #expect((50...62.5).contains(asked))
        #expect(try device.store().metadata(MetadataKey.connectionBackoff) == nil)
    }

    @Test("outlives the process, holds back nobody who asks, and is forgotten after a success")
    func outlives() async throws {
        await device.network.enqueue(.fail(APIError.timeout), times: 6, for: .exchange)
        for _ in 0..<2 { await device.sync() }
        let third = await device.sync()
        let reborn = device.restarted()
        #expect(try reborn.engine.nextAttemptTime() == third.nextAttemptAt)
        #expect(third.nextAttemptAt != nil)
        let report = await reborn.sync()
        #expect(report.failure == nil && report.nextAttemptAt == nil)
        #expect(try reborn.engine.nextAttemptTime() == nil)
        await device.network.enqueue(.fail(APIError.timeout), times: 2, for: .exchange)
        #expect(try #require(pause(await device.sync())) <= 2)
    }

    @Test("is not put off for years by a clock that has since been set back")
    func clockSetBack() async throws {
        await device.network.enqueue(.fail(APIError.timeout), times: 2, for: .exchange)
        #expect(await device.sync().nextAttemptAt != nil)
        device.wallClock.advance(bySeconds: -60)
        #expect(try device.engine.nextAttemptTime() == nil)
    }
}
