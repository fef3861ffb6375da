import Foundation

/// The test of Mann and Kendall for a trend: whether later values tend to be larger, or smaller, than earlier ones.
///
/// It compares every pair of values and looks at nothing but which is larger, so that no distribution is assumed
/// and a single extreme value decides nothing. Sources: H. B. Mann, "Nonparametric tests against trend",
/// Econometrica 13 (1945); M. G. Kendall, "Rank Correlation Methods" (1975) for the variance with ties. Where
/// neighbouring values resemble each other the variance is enlarged after K. H. Hamed and A. R. Rao, "A modified
/// Mann-Kendall trend test for autocorrelated data", Journal of Hydrology 204 (1998).
struct MannKendall {
    /// Kendall's tau-b between time and value: −1 where every value is smaller than the one before, 1 where larger.
    let tau: Double
    /// How likely values without a trend would be at least as far from balance, in either direction.
    let pValue: Double

    init(_ values: [Double]) {
        let count = values.count
        var score = 0
        for later in values.indices {
            for earlier in 0..<later {
                score += values[later] > values[earlier] ? 1 : values[later] < values[earlier] ? -1 : 0
            }
        }
        let ties = Ranks(values).tieSizes
        let pairs = Double(count * (count - 1) / 2)
        let untied = pairs - ties.reduce(0) { $0 + Double($1 * ($1 - 1) / 2) }
        guard untied > 0 else {
            (tau, pValue) = (0, 1)
            return
        }
        tau = Double(score) / (pairs * untied).squareRoot()
        let spread = Self.spread(count) - ties.reduce(0) { $0 + Self.spread($1) }
        let variance = spread / 18 * Self.inflation(values)
        // The score moves in steps of two: half a step is taken off before it is compared with a continuous curve.
        let distance = max(0, abs(Double(score)) - 1)
        pValue = NormalDistribution.twoSided(distance / variance.squareRoot())
    }

    private static func spread(_ count: Int) -> Double {
        let count = Double(count)
        return count * (count - 1) * (2 * count + 5)
    }

    /// By how much the resemblance of neighbours enlarges the variance; never less than 1.
    private static func inflation(_ values: [Double]) -> Double {
        let count = values.count
        guard count > 10 else { return 1 }
        let ranks = detrended(Ranks(values).ranks)
        let squares = ranks.reduce(0) { $0 + $1 * $1 }
        guard squares > 0 else { return 1 }
        let length = Double(count)
        var sum = 0.0
        for lag in 1...min(count / 4, 10) {
            let products = (lag..<count).reduce(0) { $0 + ranks[$1] * ranks[$1 - lag] }
            let correlation = products / squares
            guard abs(correlation) > 1.96 / length.squareRoot() else { continue }
            let rest = length - Double(lag)
            sum += rest * (rest - 1) * (rest - 2) * correlation
        }
        return max(1, 1 + 2 / (length * (length - 1) * (length - 2)) * sum)
    }

    /// What is left of the ranks without the straight line that fits them best.
    private static func detrended(_ ranks: [Double]) -> [Double] {
        let middle = Double(ranks.count - 1) / 2
        let mean = ranks.reduce(0, +) / Double(ranks.count)
        var (products, squares) = (0.0, 0.0)
        for (index, rank) in ranks.enumerated() {
            let time = Double(index) - middle
            products += time * (rank - mean)
            squares += time * time
        }
        let slope = squares > 0 ? products / squares : 0
        return ranks.enumerated().map { $1 - mean - slope * (Double($0) - middle) }
    }
}
