/// Finds insights by statistics. The same input always gives the same insights.
///
/// It states facts, such as streaks. It claims a pattern only where chance is an unlikely explanation. Many questions are
/// asked of the same data, so ``InsightThresholds/falseDiscoveryRate`` holds for all claims of one kind together.
/// `Docs/Insights.md` explains each statistic and names its source.
///
/// A correlation says that two things happen on the same day or one day apart. It does not say that one causes the other.
public struct StatisticalInsightGenerator: InsightGeneratorProtocol {
    /// The least data and certainty for an insight.
    public var thresholds: InsightThresholds

    /// Makes a generator with these thresholds.
    public init(thresholds: InsightThresholds = InsightThresholds()) {
        self.thresholds = thresholds
    }

    /// The insights about the input, in this order: streaks, the last week, gaps, weekdays, types on the same day or the
    /// next, properties, and types with too little data.
    ///
    /// - Throws: `CancellationError` where the task was cancelled.
    @concurrent
    public func generate(from input: InsightInput) async throws -> [Insight] {
        let insights = streaks(input)
        guard let period = ExaminedPeriod(input, window: thresholds.window) else {
            return insights + [nothingLogged(input)]
        }
        let gaps = gaps(input, period)
        // Who has not logged something for long has not logged it this week either: once is enough.
        let missing = Set(gaps.flatMap(\.eventTypeIds))
        var found = weekComparisons(period).filter { missing.isDisjoint(with: $0.eventTypeIds) }
        found += gaps
        try Task.checkCancellation()
        found += weekdays(period)
        try Task.checkCancellation()
        found += try correlations(period)
        found += try amounts(period)
        found += shortages(input, period)
        return insights + found.map { $0.examining(period) }
    }

    /// The likelihood of a finding by chance alone, as a sentence.
    static func likelihood(_ pValue: Double) -> String {
        let claim = "Chance alone would show as much"
        // What is smaller than a thousandth is no more certain for more digits.
        if pValue < 0.001 { return "\(claim) in fewer than 1 of 1,000 cases" }
        let cases = 1 / pValue
        let step = cases < 20 ? 1.0 : cases < 100 ? 5 : cases < 200 ? 10 : 100
        return "\(claim) in about 1 of \(Int((cases / step).rounded() * step)) cases"
    }

    /// Names as a short list: `run, read and tea`, `a, b, c, d, e and 6 more`.
    static func names(_ names: [String]) -> String {
        let shown = names.count > 6 ? names.prefix(5) + ["\(names.count - 5) more"] : names[...]
        return listed(Array(shown))
    }

    /// Whether a type was logged on enough days to look for patterns.
    func isTestable(_ series: ExaminedPeriod.Series, _ period: ExaminedPeriod) -> Bool {
        let days = period.keptDays(of: series)
        let logged = days.lazy.filter { series.counts[$0] > 0 }.count
        return days.count >= thresholds.minimumDays && logged >= thresholds.minimumLoggedDays
    }
}
