/// Whether two yes-or-no series are yes on the same days more often, or more rarely, than chance explains.
///
/// Days are compared with others of the same weekday in the same four weeks alone, so that two things that are both
/// done at weekends, or that both became more frequent over a year, do not seem to belong together for that. The test
/// is that of N. Mantel and W. Haenszel, "Statistical aspects of the analysis of data from retrospective studies of
/// disease", Journal of the National Cancer Institute 22 (1959), with its continuity correction.
///
/// The test counts an occasion that lasts for days as several. Therefore ``SerialResemblance`` enlarges the variance.
struct StratifiedAssociation {
    /// A day on which both series were kept.
    struct Day {
        /// The days that may be compared with each other have the same stratum, counted from 0.
        let stratum: Int
        /// The day itself, counted from the first one.
        let place: Int
        let first: Bool
        let second: Bool
    }

    /// How many days there are.
    let count: Int
    /// On how many days the first was there, the second, and both.
    let first: Int, second: Int, both: Int
    /// The expected number of days with both, if the series are unrelated.
    let expected: Double
    /// The correlation of the two within strata: −1 to 1, 0 where there is none.
    let strength: Double
    /// The chance that unrelated series agree or differ at least as much.
    let pValue: Double
    /// Whether the strata leave room for the normal approximation: two days on either side of what is expected. Mantel
    /// and Fleiss ask for five (American Journal of Epidemiology 112, 1980) where it stands alone; here an exact test
    /// must agree.
    let isTestable: Bool

    init(_ days: [Day]) {
        var strata = [Table](repeating: Table(), count: (days.lazy.map(\.stratum).max() ?? -1) + 1)
        for day in days { strata[day.stratum].add(day) }
        count = days.count
        first = strata.reduce(0) { $0 + $1.first }
        second = strata.reduce(0) { $0 + $1.second }
        both = strata.reduce(0) { $0 + $1.both }
        let expected = strata.reduce(0) { $0 + $1.expected }
        self.expected = expected
        let least = strata.reduce(0) { $0 + $1.least }
        let most = strata.reduce(0) { $0 + $1.most }
        isTestable = expected - Double(least) >= 2 && Double(most) - expected >= 2

        let spread =
            strata.reduce(0) { $0 + $1.spread(of: $1.first) } * strata.reduce(0) { $0 + $1.spread(of: $1.second) }
        strength = spread > 0 ? (Double(both) - expected) / spread.squareRoot() : 0
        let inflation = Self.inflation(days, strata)
        let variance = inflation * strata.reduce(0) { $0 + $1.variance }
        let distance = max(0, abs(Double(both) - expected) - 0.5)
        guard variance > 0 else {
            pValue = 1
            return
        }
        // The strata take their share of the days: each has a mean of its own for either series.
        let free = Double(count - strata.lazy.filter { $0.count > 0 }.count) / inflation
        let stratified = NormalDistribution.studentTwoSided(
            distance / variance.squareRoot(), degreesOfFreedom: Int(max(1, min(free, 1e6))))
        let exact = CountTest.drawn(both, of: first, marked: second, population: count)
        pValue = max(stratified, exact.pValue)
    }

    /// By how much the resemblance of each series with itself enlarges the variance.
    private static func inflation(_ days: [Day], _ strata: [Table]) -> Double {
        let length = (days.last?.place ?? -1) + 1
        var first = [Double](repeating: 0, count: length)
        var second = first
        for day in days {
            let table = strata[day.stratum]
            first[day.place] = (day.first ? 1 : 0) - Double(table.first) / Double(max(1, table.count))
            second[day.place] = (day.second ? 1 : 0) - Double(table.second) / Double(max(1, table.count))
        }
        return SerialResemblance.inflation(first, second)
    }

    /// The days of one stratum.
    private struct Table {
        var count = 0, first = 0, second = 0, both = 0

        mutating func add(_ day: Day) {
            count += 1
            if day.first { first += 1 }
            if day.second { second += 1 }
            if day.first && day.second { both += 1 }
        }

        var expected: Double { Double(first) * Double(second) / Double(max(1, count)) }
        var least: Int { max(0, first + second - count) }
        var most: Int { min(first, second) }

        /// The sum of squared differences of one series from its mean.
        func spread(of yes: Int) -> Double { Double(yes) * Double(count - yes) / Double(max(1, count)) }

        var variance: Double {
            count > 1 ? spread(of: first) * spread(of: second) / Double(count - 1) : 0
        }
    }
}
