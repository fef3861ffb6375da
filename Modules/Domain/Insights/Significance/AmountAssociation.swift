/// Whether one series of numbers tends to be higher, or lower, on the days on which another one is high.
///
/// The test takes ranks in place of numbers, as C. Spearman, "The proof and measurement of association between two
/// things", American Journal of Psychology 15 (1904): no distribution is assumed, and a single extreme value decides
/// nothing. The ranks are freed of what is expected of their weekday and their part of the time, so that two things that both
/// change with the week or over the year do not seem to belong together for that; what is left is a partial correlation,
/// whose degrees of freedom are R. A. Fisher's ("The distribution of the partial correlation coefficient", Metron 3,
/// 1924), fewer where both series resemble themselves some days later: ``SerialResemblance``.
struct AmountAssociation {
    /// A day on which both series have a number.
    struct Day {
        /// The day itself, counted from the first one.
        let place: Int
        let weekday: Weekday
        let first: Double
        let second: Double
    }

    /// How many days there are.
    let count: Int
    /// The correlation of the numbers after K. Pearson: −1 to 1, 0 where there is none.
    let correlation: Double
    /// The correlation of the ranks without weekdays and parts of the time: −1 to 1, 0 where there is none.
    let strength: Double
    /// The chance that unrelated series agree or differ at least as much.
    let pValue: Double
    /// The value of the first series that divides the days: its median, or the largest value below the highest.
    let threshold: Double
    /// The mean of the second series on the days above the threshold.
    let meanAbove: Double
    /// The mean of the second series on the other days.
    let meanBelow: Double

    /// Nil where one of the series is the same on all days.
    init?(_ days: [Day]) {
        let first = days.map(\.first)
        let second = days.map(\.second)
        let sorted = first.sorted()
        guard let highest = sorted.last, let correlation = Self.correlation(Self.centred(first), Self.centred(second)),
            let below = sorted.last(where: { $0 < highest })
        else { return nil }
        count = days.count
        self.correlation = correlation
        let threshold = min(sorted[(sorted.count - 1) / 2], below)
        self.threshold = threshold
        meanAbove = Self.mean(days.filter { $0.first > threshold }.map(\.second))
        meanBelow = Self.mean(days.filter { $0.first <= threshold }.map(\.second))

        let groups = Groups(days)
        let ranks = (groups.freed(Ranks(first).ranks), groups.freed(Ranks(second).ranks))
        // Rounding leaves a little of ranks that follow from weekday and time alone.
        guard ranks.0.contains(where: { abs($0) > 1e-6 }), ranks.1.contains(where: { abs($0) > 1e-6 }),
            let strength = Self.correlation(ranks.0, ranks.1)
        else {
            (self.strength, pValue) = (0, 1)
            return
        }
        self.strength = strength
        let inflation = SerialResemblance.inflation(Self.byPlace(days, ranks.0), Self.byPlace(days, ranks.1))
        let free = ((Double(days.count) - Double(groups.estimates) - 1) / inflation).rounded(.down)
        guard free >= 1 else {
            pValue = 1
            return
        }
        let rest = 1 - strength * strength
        pValue =
            rest > 0
            ? NormalDistribution.studentTwoSided(strength * (free / rest).squareRoot(), degreesOfFreedom: Int(free))
            : 0
    }

    /// What is expected of a day: the mean of its weekday and of its part of the time, and a straight line within the
    /// parts. Without the line, two things that both become more frequent agree within each part.
    private struct Groups {
        /// The least number of days in a part.
        private static let smallestPart = 10
        /// The largest number of parts. In a full year each has four weeks.
        private static let mostParts = 13

        private let weekdays: [Int]
        private let parts: [Int]
        /// The distance of each day from the middle of its part.
        private let distances: [Double]
        /// The number of independent parameters.
        let estimates: Int

        init(_ days: [Day]) {
            let size = max(Self.smallestPart, (days.count + Self.mostParts - 1) / Self.mostParts)
            let count = max(1, days.count / size)
            weekdays = days.map { $0.weekday.rawValue }
            parts = days.indices.map { min($0 / size, count - 1) }
            var distances = days.map { Double($0.place) }
            Self.remove(parts, from: &distances)
            self.distances = distances
            estimates = count + 1 + max(0, Set(weekdays).count - 1)
        }

        /// The differences of values from what is expected.
        func freed(_ values: [Double]) -> [Double] {
            var values = AmountAssociation.centred(values)
            // Taking one of them away disturbs the others a little; ten turns leave nothing that matters.
            for _ in 0..<10 {
                Self.remove(weekdays, from: &values)
                Self.remove(parts, from: &values)
                removeLine(from: &values)
            }
            return values
        }

        private func removeLine(from values: inout [Double]) {
            let squares = distances.reduce(0) { $0 + $1 * $1 }
            guard squares > 0 else { return }
            let slope = zip(values, distances).reduce(0) { $0 + $1.0 * $1.1 } / squares
            for place in values.indices { values[place] -= slope * distances[place] }
        }

        private static func remove(_ groups: [Int], from values: inout [Double]) {
            let most = (groups.max() ?? 0) + 1
            var sums = [Double](repeating: 0, count: most)
            var counts = sums
            for (place, group) in groups.enumerated() {
                sums[group] += values[place]
                counts[group] += 1
            }
            for (place, group) in groups.enumerated() { values[place] -= sums[group] / counts[group] }
        }
    }

    private static func byPlace(_ days: [Day], _ values: [Double]) -> [Double] {
        var all = [Double](repeating: 0, count: (days.last?.place ?? -1) + 1)
        for (day, value) in zip(days, values) { all[day.place] = value }
        return all
    }

    private static func mean(_ values: [Double]) -> Double {
        values.reduce(0, +) / Double(max(1, values.count))
    }

    private static func centred(_ values: [Double]) -> [Double] {
        let mean = mean(values)
        return values.map { $0 - mean }
    }

    /// The correlation of values whose mean is 0; nil where one of them does not vary.
    private static func correlation(_ first: [Double], _ second: [Double]) -> Double? {
        let squares = (first.reduce(0) { $0 + $1 * $1 }, second.reduce(0) { $0 + $1 * $1 })
        let spread = squares.0.squareRoot() * squares.1.squareRoot()
        guard spread > 0, spread.isFinite else { return nil }
        return max(-1, min(1, zip(first, second).reduce(0) { $0 + $1.0 * $1.1 } / spread))
    }
}
