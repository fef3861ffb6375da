/// Finds sentences that the data supports.
///
/// ``StatisticalInsightGenerator`` is always available. Wrap a generator that may be missing, fail or be slow, such as a
/// language model, in a ``FallbackInsightGenerator``.
public protocol InsightGeneratorProtocol: Sendable {
    /// The insights about the input, the most important first; empty where nothing stands out.
    ///
    /// - Throws: ``InsightsUnavailable`` where the generator cannot work here or now, `CancellationError` where the
    ///   task was cancelled, or an error of its own.
    func generate(from input: InsightInput) async throws -> [Insight]
}

/// A generator cannot work here or now.
public struct InsightsUnavailable: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, in words for a person.
    public var reason: String

    /// Makes the error of its reason.
    public init(reason: String) {
        self.reason = reason
    }

    /// Says that there are no insights, and why.
    public var description: String { "no insights: \(reason)" }
}
