/// Finds insights by statistics alone: no network, no model, the same answer each time.
///
/// It states facts (streaks) as they are, and claims patterns only where chance is an unlikely explanation: many
/// questions are asked of the same data, and ``InsightThresholds/falseDiscoveryRate`` holds for all of one kind
/// together. What each statistic is, and where it comes from, is in `Docs/Insights.md`.
///
/// A correlation says that two things fall on the same days, or one after the other, never that one brings about the
/// other.
public struct StatisticalInsightGenerator: InsightGeneratorProtocol {
    /// How much data it takes, and how sure it must be.
    public var thresholds: InsightThresholds

    /// Makes a generator with these thresholds.
    public init(thresholds: InsightThresholds = InsightThresholds()) {
        self.thresholds = thresholds
    }

    /// What can be said about the input: streaks, the last week, gaps, weekdays, what falls on the same day or the next,
    /// properties, and at the end what cannot be said yet.
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

    /// How likely chance alone shows a figure like that, as a sentence.
    static func likelihood(_ pValue: Double) -> String {
        let claim = "Chance alone would show as much"
        // What is smaller than a thousandth is no more certain for more digits.
        if pValue < 0.001 { return "\(claim) in fewer than 1 of 1,000 cases" }
        let cases = 1 / pValue
        let step = cases < 20 ? 1.0 : cases < 100 ? 5 : cases < 200 ? 10 : 100
        return "\(claim) in about 1 of \(Int((cases / step).rounded() * step)) cases"
    }

    /// Names as a list of which nobody tires: `run, read and tea`, `a, b, c, d, e and 6 more`.
    static func names(_ names: [String]) -> String {
        let shown = names.count > 6 ? names.prefix(5) + ["\(names.count - 5) more"] : names[...]
        return listed(Array(shown))
    }

    /// Whether a type was logged on days enough for a pattern to show.
    func isTestable(_ series: ExaminedPeriod.Series, _ period: ExaminedPeriod) -> Bool {
        let days = period.keptDays(of: series)
        let logged = days.lazy.filter { series.counts[$0] > 0 }.count
        return days.count >= thresholds.minimumDays && logged >= thresholds.minimumLoggedDays
    }
}
