/// The test of Mann and Whitney: whether the values of one group tend to be larger or smaller than the others.
///
/// Source: H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger
/// than the other", Annals of Mathematical Statistics 18 (1947); normal approximation with the correction for ties.
struct RankSumTest {
    /// The chance that equal groups differ at least as much.
    let pValue: Double

    init(_ group: [Double], others: [Double]) {
        let ranks = Ranks(group + others)
        let (size, rest) = (Double(group.count), Double(others.count))
        let all = size + rest
        guard size > 0, rest > 0, all > 1 else {
            pValue = 1
            return
        }
        let rankSum = ranks.ranks.prefix(group.count).reduce(0, +)
        let statistic = rankSum - size * (size + 1) / 2
        let ties = ranks.tieSizes.reduce(0.0) { sum, tie in
            let tie = Double(tie)
            return sum + tie * (tie * tie - 1)
        }
        let variance = size * rest / 12 * (all + 1 - ties / (all * (all - 1)))
        let distance = max(0, abs(statistic - size * rest / 2) - 0.5)
        pValue = variance > 0 ? NormalDistribution.twoSided(distance / variance.squareRoot()) : 1
    }
}
