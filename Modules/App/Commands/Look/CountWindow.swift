import TrendyDomain

/// Which events a chart of counts looks at.
struct CountWindow {
    /// Only events at or after this moment; nil for all.
    let since: Timestamp?
    /// Only events before this moment; nil for all.
    let until: Timestamp?
    /// Days that the chart reaches over in any case.
    let covering: ClosedRange<CalendarDay>?
    /// What is looked at in words: `last 26 weeks`; nil where a person said it, or it is everything.
    let name: String?

    /// What a person asked for, or else as much as a screen shows well: 30 days, 26 weeks, 24 months.
    init(_ grouping: CountGrouping, since: Timestamp?, until: Timestamp?, zone: LocalZone, today: CalendarDay) {
        guard since == nil, until == nil, let period = grouping.period else {
            self.since = since
            self.until = until
            covering = Self.days(since, until, zone, today)
            name = nil
            return
        }
        let first = Self.first(period, today, count: Self.usualCount(period))
        self.since = zone.start(of: first)
        self.until = zone.start(of: today.advanced(by: 1))
        covering = first...today
        name = "last \(Self.usualCount(period)) \(period.rawValue)s"
    }

    /// The days that a person asked for: up to today where he names no end; nil where there are none.
    private static func days(
        _ since: Timestamp?, _ until: Timestamp?, _ zone: LocalZone, _ today: CalendarDay
    ) -> ClosedRange<CalendarDay>? {
        // Before the end: a day that begins with it is none of them.
        let last = until.map { zone.day(of: $0.advanced(byMilliseconds: -1)) }
        guard let since else { return (last ?? today)...(last ?? today) }
        let first = zone.day(of: since)
        let end = last ?? max(today, first)
        return first <= end ? first...end : nil
    }

    /// How many stretches are shown at most: the days of a decade. One event of another millennium would make millions.
    static let mostStretches = 4000

    /// Days whose stretches are not too many: the newest up to today, or of those to come where all of them are.
    static func bounded(
        _ days: ClosedRange<CalendarDay>, by period: CalendarPeriod, today: CalendarDay
    ) -> ClosedRange<CalendarDay> {
        guard first(period, days.upperBound, count: mostStretches) > days.lowerBound else { return days }
        let last = days.lowerBound > today ? days.upperBound : min(days.upperBound, today)
        return max(days.lowerBound, first(period, last, count: mostStretches))...last
    }

    /// What is said of days that are not all of those that were asked for.
    static func remark(_ days: ClosedRange<CalendarDay>, by period: CalendarPeriod) -> String {
        let advice = period == .month ? "" : "; --by month reaches farther"
        return "shows no more than \(FigureText.text(mostStretches)) \(period.rawValue)s: "
            + "\(days.lowerBound) to \(days.upperBound)\(advice)"
    }

    /// How many stretches a screen shows well.
    static func usualCount(_ period: CalendarPeriod) -> Int {
        switch period {
        case .day: 30
        case .week: 26
        case .month: 24
        }
    }

    /// The day on which the first of so many stretches begins, the last of which has today.
    static func first(_ period: CalendarPeriod, _ today: CalendarDay, count: Int) -> CalendarDay {
        switch period {
        case .day: return today.advanced(by: 1 - count)
        case .week: return today.week.advanced(by: 1 - count).monday
        case .month:
            var first = today.month.days.lowerBound
            for _ in 1..<max(1, count) { first = first.advanced(by: -1).month.days.lowerBound }
            return first
        }
    }
}
