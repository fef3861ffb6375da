import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("Backoff")
struct BackoffTests {
    @Test("of the breaker: 150, then 300 seconds")
    func schedule() {
        #expect((1...4).map { Backoff.rateLimit(trips: $0) } == [150, 300, 300, 300])
        #expect(Backoff.rateLimit(trips: 0) == 150)
        #expect(Backoff.rateLimit(trips: .max) == 300)
    }

    @Test("of lost connections doubles up to 300 seconds, less up to a half", arguments: 1...20)
    func connection(failures: Int) {
        let random = SeededRandomSource(seed: UInt64(failures))
        let full = min(pow(2, Double(failures)), 300)
        for _ in 0..<50 {
            let pause = Backoff.connection(failures: failures, random: random)
            #expect(pause > full / 2 - 0.001 && pause <= full)
        }
    }
}

@Suite("Circuit breaker")
struct CircuitBreakerTests {
    let now = Timestamp(milliseconds: 1_000_000)

    @Test("counts a refusal after a pause that is over, also where the clock is set back into that pause")
    func clockSetBackIntoAPastPause() {
        var breaker = CircuitBreaker()
        for _ in 0..<2 { breaker.refused(retryAfter: nil, at: now) }
        let later = now.advanced(bySeconds: 160)
        #expect(breaker.remaining(at: later) == nil)
        breaker.settlePause(at: later)
        breaker.refused(retryAfter: nil, at: now.advanced(bySeconds: 10))
        #expect(breaker.remaining(at: now.advanced(bySeconds: 10)) == 300)
    }

    @Test("a Retry-After longer than the schedule wins, a shorter one does not")
    func retryAfter() {
        var breaker = CircuitBreaker()
        var moment = now
        for _ in 0..<2 {
            moment = moment.advanced(bySeconds: 200)
            breaker.refused(retryAfter: 190, at: moment)
        }
        #expect(breaker.remaining(at: moment) == 190)
        moment = moment.advanced(bySeconds: 200)
        breaker.refused(retryAfter: 5, at: moment)
        #expect(breaker.remaining(at: moment) == 300)
    }

    @Test("answers to requests that were under way neither end a pause nor count again")
    func underWay() {
        var breaker = CircuitBreaker()
        breaker.refused(retryAfter: 60, at: now)
        for _ in 0..<5 { breaker.refused(retryAfter: nil, at: now) }
        breaker.succeeded(at: now)
        #expect(breaker.remaining(at: now) == 60)
    }

    @Test("begins anew, with its own length, where the clock was set back", arguments: [32_400.0, 100_000_000])
    func clockSetBack(ahead: Double) {
        var breaker = CircuitBreaker()
        breaker.refused(retryAfter: 60, at: now.advanced(bySeconds: ahead), spread: 0.5)
        #expect(breaker.remaining(at: now) == 60)
        // An automatic sync may begin, and settles the pause.
        #expect(breaker.pending(at: now) == nil)
        breaker.settlePause(at: now)
        #expect(breaker.remaining(at: now) == 60 && breaker.pending(at: now) == now.advanced(bySeconds: 67.5))
        #expect(breaker.remaining(at: now.advanced(bySeconds: 60)) == nil)
    }

    @Test("nonsense in Retry-After does not silence a device for ever", arguments: [Double.infinity, 1e300, -5, .nan])
    func nonsense(seconds: Double) {
        var breaker = CircuitBreaker()
        breaker.refused(retryAfter: seconds, at: now)
        #expect((breaker.remaining(at: now) ?? 0) <= 86_400)
    }

    @Test("lets automatic syncs begin up to a quarter later, so that devices with one address do not come at once")
    func spread() {
        for share in [0, 0.5, 0.999] {
            var breaker = CircuitBreaker()
            breaker.refused(retryAfter: 60, at: now, spread: share)
            #expect(breaker.remaining(at: now) == 60)
            #expect(breaker.pending(at: now) == now.advanced(bySeconds: 60 + 15 * share))
            #expect(breaker.pending(at: now.advanced(bySeconds: 60 + 15 * share)) == nil)
            #expect(breaker.remaining(at: now.advanced(bySeconds: 60)) == nil)
            breaker.settlePause(at: now.advanced(bySeconds: 61))
            #expect(breaker == CircuitBreaker() || breaker.refusals == 1 && breaker.pending(at: now) == nil)
        }
    }

    @Test("is about one server: it holds nothing back from another, and nothing of another ends it")
    func server() throws {
        let store = try InMemoryDataStoreFactory().makeDataStore()
        #expect(try store.changeBreaker(for: "a") { $0.refused(retryAfter: 60, at: now) }.isNew)
        #expect(try store.breaker(for: "b") == CircuitBreaker())
        let later = now.advanced(bySeconds: 61)
        #expect(try !store.changeBreaker(for: "b") { $0.succeeded(at: later) }.isNew)
        #expect(try store.breaker(for: "a").remaining(at: now) == 60)
        #expect(try store.changeBreaker(for: "b") { $0.refused(retryAfter: 1, at: now) }.isNew)
        #expect(try store.breaker(for: "a").remaining(at: now) == 60)
        #expect(try store.breaker(for: nil) == CircuitBreaker())
        #expect(try store.changeBreaker(for: "a") { $0.succeeded(at: later) }.isNew)
        #expect(try !store.changeBreaker(for: "a") { $0.succeeded(at: later) }.isNew)
        try store.resetBreaker(for: "b")
        #expect(try store.breaker(for: "b") == CircuitBreaker())
    }
}
