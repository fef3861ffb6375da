/// Asks one generator, and a second one where the first is unavailable, fails or takes too long.
///
/// ```swift
/// let generator = FallbackInsightGenerator(primary: languageModel, fallback: StatisticalInsightGenerator())
/// let insights = try await generator.generate(from: input)
/// ```
///
/// Promises:
/// - The answer comes after at most the timeout plus the time of the fallback. A primary that ignores its cancellation
///   goes on until it ends, and its answer is dropped. (Swift cannot end a task that does not check for cancellation; a
///   task that blocks its thread keeps the thread.)
/// - A primary that checks for cancellation has stopped, or is about to stop, when the answer comes.
/// - When the caller is cancelled, the primary is cancelled, the fallback is not asked, and `CancellationError` is
///   thrown at once.
/// - A `CancellationError` that the primary throws without being cancelled is a failure like any other.
/// - The primary runs apart from the caller's actor, so that it cannot block a user interface.
public struct FallbackInsightGenerator: InsightGeneratorProtocol {
    /// Why the fallback was asked.
    public enum Reason: Sendable {
        /// The primary threw this error, ``InsightsUnavailable`` among others.
        case failed(any Error)
        /// The primary had not answered in time.
        case timedOut(after: Duration)
    }

    private let primary: any InsightGeneratorProtocol
    private let fallback: any InsightGeneratorProtocol
    private let timeout: Duration
    private let clock: any Clock<Duration>
    private let onFallback: @Sendable (Reason) -> Void

    /// Makes a generator of two others.
    ///
    /// - Parameters:
    ///   - primary: The generator that is asked first.
    ///   - fallback: The generator that is asked where the primary gives no answer. Its errors are thrown.
    ///   - timeout: How long the primary may take.
    ///   - clock: Measures the timeout.
    ///   - onFallback: Called each time the fallback is asked, with the reason.
    public init(
        primary: any InsightGeneratorProtocol, fallback: any InsightGeneratorProtocol,
        timeout: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock(),
        onFallback: @escaping @Sendable (Reason) -> Void = { _ in }
    ) {
        self.primary = primary
        self.fallback = fallback
        self.timeout = timeout
        self.clock = clock
        self.onFallback = onFallback
    }

    /// The insights of the primary, or else those of the fallback.
    ///
    /// - Throws: What the fallback throws; `CancellationError` where the task was cancelled.
    public func generate(from input: InsightInput) async throws -> [Insight] {
        try Task.checkCancellation()
        let outcome = await race(input)
        // The primary may have failed because of the cancellation, before the cancellation itself was heard of.
        try Task.checkCancellation()
        switch outcome {
        case .answered(let insights): return insights
        case .failed(let error): onFallback(.failed(error))
        case .timedOut: onFallback(.timedOut(after: timeout))
        case .cancelled: throw CancellationError()
        }
        return try await fallback.generate(from: input)
    }

    private enum Outcome {
        case answered([Insight])
        case failed(any Error)
        case timedOut
        case cancelled
    }

    /// The first of these: the primary's answer, the timeout, or the caller's cancellation.
    ///
    /// These are tasks of their own rather than children in a task group: a group waits for all its children, and
    /// so for a primary that ignores its cancellation.
    private func race(_ input: InsightInput) async -> Outcome {
        let first = FirstValue<Outcome>()
        let work = Task { @concurrent [primary] in
            do {
                first.offer(.answered(try await primary.generate(from: input)))
            } catch {
                first.offer(.failed(error))
            }
        }
        let timer = Task { @concurrent [clock, timeout] in
            try? await clock.sleep(for: timeout)
            first.offer(.timedOut)
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        return await withTaskCancellationHandler {
            await first.value()
        } onCancel: {
            first.offer(.cancelled)
        }
    }
}
