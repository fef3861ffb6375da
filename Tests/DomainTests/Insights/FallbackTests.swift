import Synchronization
import Testing
import TrendyDomain

@Suite("the fallback of an insight generator", .timeLimit(.minutes(1)))
struct FallbackTests {
    private let fallback = Scripted { [Insight(kind: .gap, sentence: "fallback", eventTypeIds: [])] }
    private let clock = GatedClock()

    private func generator(
        _ primary: any InsightGeneratorProtocol, fallback: (any InsightGeneratorProtocol)? = nil,
        onFallback: @escaping @Sendable (FallbackInsightGenerator.Reason) -> Void = { _ in }
    ) -> FallbackInsightGenerator {
        FallbackInsightGenerator(
            primary: primary, fallback: fallback ?? self.fallback, timeout: .seconds(5), clock: clock,
            onFallback: onFallback)
    }

    @Test("an answer of the primary is the answer, and the fallback is not asked")
    func answered() async throws {
        let primary = Scripted { [Insight(kind: .gap, sentence: "primary", eventTypeIds: [])] }
        #expect(try await generator(primary).generate(from: input()).map(\.sentence) == ["primary"])
        #expect(fallback.calls == 0 && primary.calls == 1)
        let silent = Scripted { [] }
        #expect(try await generator(silent).generate(from: input()) == [])
        #expect(fallback.calls == 0)
    }

    @Test("a primary that is unavailable, or fails, is replaced, and the reason is told")
    func failed() async throws {
        struct Broken: Error {}
        let errors: [any Error] = [InsightsUnavailable(reason: "no model"), Broken(), CancellationError()]
        for error in errors {
            let reasons = Mutex<[String]>([])
            let generator = generator(Scripted { throw error }) { reason in
                if case .failed(let error) = reason { reasons.withLock { $0.append("\(error)") } }
            }
            #expect(try await generator.generate(from: input()).map(\.sentence) == ["fallback"])
            #expect(reasons.withLock { $0 } == ["\(error)"])
        }
        #expect(fallback.calls == errors.count)
    }

    @Test("a slow primary is cancelled and replaced when the time is over, and not before")
    func slow() async throws {
        let primary = HeedingGenerator()
        let timedOut = Mutex<Duration?>(nil)
        let generator = generator(primary) { reason in
            if case .timedOut(let duration) = reason { timedOut.withLock { $0 = duration } }
        }
        let answer = Task { try await generator.generate(from: input()) }
        await primary.started.wait()
        await clock.asleep.wait()
        #expect(fallback.calls == 0 && clock.duration == .seconds(5))
        clock.wake()
        #expect(try await answer.value.map(\.sentence) == ["fallback"])
        await primary.cancelled.wait()
        #expect(!Task.isCancelled, "the primary was not cancelled")
        #expect(timedOut.withLock { $0 } == .seconds(5))
    }

    @Test("a slow primary that ignores its cancellation holds nobody up, and its late answer is dropped")
    func deaf() async throws {
        let gate = Gate()
        let ended = Gate()
        let primary = Scripted {
            await gate.waitDeaf()
            ended.open()
            return [Insight(kind: .gap, sentence: "late", eventTypeIds: [])]
        }
        let generator = generator(primary)
        clock.wake()
        #expect(try await generator.generate(from: input()).map(\.sentence) == ["fallback"])
        gate.open()
        await ended.wait()
    }

    @Test("a cancelled caller is told at once, also where the primary is deaf, and the fallback is not asked")
    func cancelled() async throws {
        let gate = Gate()
        let started = Gate()
        let primary = Scripted {
            started.open()
            await gate.waitDeaf()
            return []
        }
        let generator = generator(primary)
        let answer = Task { try await generator.generate(from: input()) }
        await started.wait()
        answer.cancel()
        await #expect(throws: CancellationError.self) {
            // Where the answer does not come the time limit of this test cancels it.
            try await withTaskCancellationHandler {
                try await answer.value
            } onCancel: {
                gate.open()
            }
        }
        gate.open()
        #expect(fallback.calls == 0)
    }

    @Test("a cancelled caller cancels the primary")
    func cancelledPrimary() async throws {
        let heeding = HeedingGenerator()
        let other = Task { [self] in try await self.generator(heeding).generate(from: input()) }
        await heeding.started.wait()
        other.cancel()
        await heeding.cancelled.wait()
        #expect(!Task.isCancelled, "the primary was not cancelled")
        await #expect(throws: CancellationError.self) { try await other.value }
        #expect(fallback.calls == 0)
    }

    @Test("the timer does not outlive an answer")
    func timer() async throws {
        let primary = Scripted { [clock] in
            await clock.asleep.wait()
            return []
        }
        _ = try await generator(primary).generate(from: input())
        await clock.cancelled.wait()
        #expect(!Task.isCancelled, "the timer was not cancelled")
    }

    @Test("what the fallback throws is thrown")
    func bothFail() async throws {
        let generator = generator(
            Scripted { throw InsightsUnavailable(reason: "first") },
            fallback: Scripted { throw InsightsUnavailable(reason: "second") })
        await #expect(throws: InsightsUnavailable(reason: "second")) { try await generator.generate(from: input()) }
        #expect("\(InsightsUnavailable(reason: "no model here"))" == "no insights: no model here")
    }
}
