/// A weekday, or the weekend, and how often a type was logged on it.
struct WeekdayPattern {
    /// What is counted.
    enum Measure: String {
        /// The days with at least one event.
        case days
        /// The events a day, for what is logged several times on one.
        case amount
    }

    let series: ExaminedPeriod.Series
    let weekdays: Set<Weekday>
    let measure: Measure
    /// The days with an event among these weekdays, or the events a day on them.
    let observed: Double
    /// The days that they would be by chance, or the events a day on the others.
    let expected: Double
    /// How many days with an event there are, on all weekdays.
    let loggedDays: Int
    let pValue: Double

    var ratio: Double { expected > 0 ? observed / expected : observed > 0 ? .infinity : 1 }

    /// Whether both claims are about single weekdays and have the same direction, so that they share a sentence.
    func agrees(with other: WeekdayPattern) -> Bool {
        weekdays == other.weekdays && measure == other.measure
            || weekdays.count == 1 && other.weekdays.count == 1 && measure == other.measure
                && (ratio > 1) == (other.ratio > 1)
    }

    private static let groups: [Set<Weekday>] = Weekday.allCases.map { [$0] } + [[.saturday, .sunday]]

    /// The patterns of one type that are tested.
    static func candidates(_ series: ExaminedPeriod.Series, _ period: ExaminedPeriod) -> [WeekdayPattern] {
        let days = period.keptDays(of: series).map { Day(weekday: period.day($0).weekday, count: series.counts[$0]) }
        let logged = days.lazy.filter { $0.count > 0 }.count
        let isOftenSeveral = days.reduce(0) { $0 + $1.count } * 5 > logged * 6
        let measures: [Measure] = isOftenSeveral ? [.days, .amount] : [.days]
        return groups.flatMap { group in
            measures.compactMap { WeekdayPattern(series, group, $0, days: days) }
        }
    }

    /// The same measure of several weekdays together.
    func widened(to weekdays: Set<Weekday>) -> WeekdayPattern {
        WeekdayPattern(series, weekdays, measure, days: days) ?? self
    }

    /// A day that counts, and the events that it has.
    private struct Day {
        let weekday: Weekday
        let count: Int
    }

    private let days: [Day]

    /// Nil where there is no day inside, or none outside, of the group.
    private init?(_ series: ExaminedPeriod.Series, _ group: Set<Weekday>, _ measure: Measure, days: [Day]) {
        let inside = days.filter { group.contains($0.weekday) }.map(\.count)
        let outside = days.filter { !group.contains($0.weekday) }.map(\.count)
        guard !inside.isEmpty, !outside.isEmpty else { return nil }
        self.series = series
        self.measure = measure
        self.days = days
        weekdays = group
        loggedDays = days.lazy.filter { $0.count > 0 }.count
        switch measure {
        case .days:
            let logged = inside.lazy.filter { $0 > 0 }.count
            let test = CountTest.drawn(logged, of: loggedDays, marked: inside.count, population: days.count)
            (observed, expected, pValue) = (Double(logged), test.expected, test.pValue)
        case .amount:
            (observed, expected) = (Self.mean(inside), Self.mean(outside))
            pValue = RankSumTest(inside.map(Double.init), others: outside.map(Double.init)).pValue
        }
    }

    private static func mean(_ counts: [Int]) -> Double {
        Double(counts.reduce(0, +)) / Double(counts.count)
    }
}
