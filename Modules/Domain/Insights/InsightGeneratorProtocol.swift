/// Finds sentences that the data supports.
///
/// ``StatisticalInsightGenerator`` computes them and is always there. A generator that asks something which may be
/// missing, refuse or take its time, as a language model does, is wrapped in a ``FallbackInsightGenerator``.
public protocol InsightGeneratorProtocol: Sendable {
    /// What can be said about the input, the most important first; nothing where nothing stands out.
    ///
    /// - Throws: ``InsightsUnavailable`` where the generator cannot work here or now, `CancellationError` where the
    ///   task was cancelled, or an error of its own.
    func generate(from input: InsightInput) async throws -> [Insight]
}

/// A generator cannot work here or now.
public struct InsightsUnavailable: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why not, as a person would say it.
    public var reason: String

    /// Makes the error of its reason.
    public init(reason: String) {
        self.reason = reason
    }

    /// Says that there are no insights, and why.
    public var description: String { "no insights: \(reason)" }
}
