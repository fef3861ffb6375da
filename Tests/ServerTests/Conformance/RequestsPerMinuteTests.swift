import Synchronization
import Testing
import TrendyConformance
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("The limit of requests a minute", .serialized, .timeLimit(.minutes(5)))
struct RequestsPerMinuteTests {
    private func check(
        _ bench: ConformanceBench,
        through layer: @escaping @Sendable (@escaping ConformanceTarget.Send) -> ConformanceTarget.Send = { $0 },
        _ look: @escaping @Sendable (ConformanceResult) throws -> Void
    ) async throws {
        try await bench.run(through: layer) { target in
            let report = try await ConformanceRun(target).check(
                ConformanceRule.named(["limits.requests-per-minute"]))
            let result = try #require(report.results.first)
            try look(result)
        }
    }

    @Test("is that of the protocol: less and more are found", arguments: [30, 250, 350, 600])
    func otherLimits(limit: Int) async throws {
        let bench = try ConformanceBench(limits: ServerLimits(requestsPerMinute: limit))
        try await check(bench) { result in
            #expect(result.verdict == .fail)
            let reason = "after a minute of silence \(limit) requests were let in within 0 s, not 300 a minute"
            #expect(result.reason == reason)
            #expect(result.exchanges.first?.status == 429)
        }
    }

    @Test("is kept also where others have sent a little in the account's name", arguments: [293, 300, 306])
    func slack(limit: Int) async throws {
        let bench = try ConformanceBench(limits: ServerLimits(requestsPerMinute: limit))
        try await check(bench) { result in
            #expect(result.verdict == .pass, "\(result.reason ?? "")")
        }
    }

    @Test("may be twice as much once, where a minute of the server's clock ends meanwhile")
    func minuteOfTheClock() async throws {
        let count = Mutex(0)
        let first = Mutex<WireAnswer?>(nil)
        let layer: @Sendable (@escaping ConformanceTarget.Send) -> ConformanceTarget.Send = { inner in
            { request in
                guard request.resource == "/auth/me" else { return try await inner(request) }
                let number = count.withLock { number in
                    number += 1
                    return number
                }
                // The first half of the first burst is not counted by the limiter.
                if number <= 300, let answer = first.withLock({ $0 }) { return answer }
                let answer = try await inner(request)
                first.withLock { $0 = $0 ?? answer }
                return answer
            }
        }
        try await check(try ConformanceBench(), through: layer) { result in
            #expect(result.verdict == .pass, "\(result.reason ?? "")")
        }
        let sent = count.withLock { $0 }
        #expect(sent > 800)
    }

    @Test("is not checked where the server has none")
    func unlimited() async throws {
        let bench = try ConformanceBench(limits: .unlimitedRequests)
        try await check(bench) { result in
            #expect(result.verdict == .notChecked)
            #expect(result.reason?.hasPrefix("900 requests in a row were let in within 0 s") == true)
        }
    }
}
