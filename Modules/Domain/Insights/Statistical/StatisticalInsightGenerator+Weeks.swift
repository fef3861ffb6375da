import Foundation

extension StatisticalInsightGenerator {
    private struct Candidate {
        let series: ExaminedPeriod.Series
        let latest: Int
        let previous: Int
        let mean: Double
        let weeks: Int
        let pValue: Double

        var isMore: Bool { Double(latest) > mean }
        /// What types must have in common to share a sentence.
        var words: [Int] { [isMore ? 1 : 0, weeks] }
    }

    /// The types whose last seven whole days differ from the weeks before; those alike together.
    func weekComparisons(_ period: ExaminedPeriod) -> [Insight] {
        let candidates = period.series.filter { isTestable($0, period) }.compactMap { candidate($0, period) }
        return FalseDiscovery.claims(candidates, rate: thresholds.falseDiscoveryRate, pValue: \.pValue)
            .filter { abs(Double($0.latest) - $0.mean) >= 2 }
            .grouped(by: \.words).map { insight($0, period) }
    }

    private func candidate(_ series: ExaminedPeriod.Series, _ period: ExaminedPeriod) -> Candidate? {
        // Weeks are counted back from yesterday, so that each has every weekday once.
        let weeks = stride(from: period.count - 7, through: series.start, by: -7).map { $0..<($0 + 7) }
        guard let latest = weeks.first, latest.allSatisfy({ period.isKept[$0] }) else { return nil }
        let earlier = weeks.dropFirst().prefix(26)
        let totals = earlier.filter { $0.allSatisfy { period.isKept[$0] } }.map { total(series, $0) }
        guard totals.count >= thresholds.minimumWeeks else { return nil }
        let observed = total(series, latest)
        let mean = Double(totals.reduce(0, +)) / Double(totals.count)
        return Candidate(
            series: series, latest: observed, previous: earlier.first.map { total(series, $0) } ?? 0, mean: mean,
            weeks: totals.count, pValue: Self.pValue(observed, totals, mean))
    }

    private func total(_ series: ExaminedPeriod.Series, _ days: Range<Int>) -> Int {
        days.reduce(0) { $0 + series.counts[$1] }
    }

    /// The largest of three likelihoods. One takes each event as independent of the others, which is exact for what is
    /// rare. Two take how much the weeks differed so far, in events and in their logarithm: for what comes in bunches,
    /// and for what comes in bunches of very different sizes.
    private static func pValue(_ observed: Int, _ totals: [Int], _ mean: Double) -> Double {
        let weeks = Double(totals.count)
        let all = observed + totals.reduce(0, +)
        let independent = CountTest.successes(observed, of: all, chance: 1 / (weeks + 1)).pValue
        let inEvents = newValue(Double(observed), after: totals.map(Double.init), leastVariance: mean, step: 0.5)
        let inRoots = newValue(Double(observed).squareRoot(), after: totals.map { Double($0).squareRoot() })
        return max(independent, inEvents, inRoots)
    }

    /// How likely a value would be at least so far from the mean of earlier ones, if it is one of them: the prediction
    /// of one more value from a sample, by Student's distribution.
    private static func newValue(
        _ value: Double, after earlier: [Double], leastVariance: Double = 0, step: Double = 0
    ) -> Double {
        let count = Double(earlier.count)
        let mean = earlier.reduce(0, +) / count
        let squares = earlier.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let variance = max(leastVariance, squares / (count - 1)) * (1 + 1 / count)
        let distance = max(0, abs(value - mean) - step)
        guard variance > 0 else { return distance > 0 ? 0 : 1 }
        return NormalDistribution.studentTwoSided(
            distance / variance.squareRoot(), degreesOfFreedom: earlier.count - 1)
    }

    private func insight(_ found: [Candidate], _ period: ExaminedPeriod) -> Insight {
        let names = Self.names(found.map(\.series.name))
        let latest = found.reduce(0) { $0 + $1.latest }
        let previous = found.reduce(0) { $0 + $1.previous }
        let mean = found.reduce(0) { $0 + $1.mean }
        let pValue = found.map(\.pValue).max() ?? 1
        let together = found.count > 1 ? " together" : ""
        let sentence =
            "You logged \(names) \(found[0].isMore ? "more" : "less") than usual: \(counted(latest, "time"))\(together) "
            + "in the 7 days up to \(period.dayText(period.last)), \(previous) in the 7 before them, \(figure(mean)) a week in the "
            + "\(found[0].weeks) weeks before them"
        return Insight(
            kind: .weekComparison, sentence: sentence, detail: Self.likelihood(pValue),
            eventTypeIds: found.map(\.series.id),
            figures: [
                "last_7_days": .integer(Int64(latest)), "previous_7_days": .integer(Int64(previous)),
                "mean_per_week": .number(mean), "weeks": .integer(Int64(found[0].weeks)),
                "p_value": .number(pValue),
            ])
    }
}
