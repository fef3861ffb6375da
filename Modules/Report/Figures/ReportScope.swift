package import TrendyDomain
package import TrendyNotation

/// The days that the charts of a report show.
package struct ReportScope: Sendable {
    /// Only events at or after this moment count; nil for all.
    package let since: Timestamp?
    package let today: CalendarDay
    /// The day with which weeks begin.
    let weekStart: Weekday
    /// The day of ``since``, today at the latest.
    private let first: CalendarDay?

    package init(since: Timestamp?, zone: LocalZone, today: CalendarDay, weekStart: Weekday) {
        self.since = since
        self.today = today
        self.weekStart = weekStart
        first = since.map { min(zone.day(of: $0), today) }
    }

    /// The days of a chart of counts. They end today.
    ///
    /// They begin where the chart of the command `stats` begins, and not before the first event. Where a person asked for
    /// a beginning they begin there, or so late that their columns can be told apart.
    package func days(by period: CalendarPeriod, of counts: DayCounts) -> ClosedRange<CalendarDay> {
        guard let first else {
            let usual = start(period, count: CountWindow.usualCount(period))
            return min(max(usual, counts.days?.lowerBound ?? usual), today)...today
        }
        let most =
            switch period {
            case .day: 92
            case .week: 104
            case .month: 120
            }
        return max(first, start(period, count: most))...today
    }

    /// The message for days without events; nil where they have some.
    package func empty(_ days: ClosedRange<CalendarDay>, _ counts: DayCounts) -> String? {
        guard counts.total(in: days) == 0 else { return nil }
        let others = EventDays(counts)
        let stretch = "between \(ReportDate.text(days.lowerBound)) and \(ReportDate.text(days.upperBound))"
        // With a beginning, the calendars show everything from there on.
        let option = since == nil ? others.map { "'trendy report --since \($0.first)'" } : nil
        return EmptyPeriod(stretch: stretch, others: others, option: option).text(ReportDate.text)
    }

    /// The length of the stretches of a trend, and its first day.
    ///
    /// Without a beginning they are those of the command `trend`. With one the trend begins there: by week for up to three
    /// years, else by month.
    package var trend: (period: CalendarPeriod, first: CalendarDay) {
        guard let first else {
            return (.week, start(.week, count: TrendReport.usualCount(.week)))
        }
        if start(.week, count: 156) <= first { return (.week, first) }
        return (.month, max(first, start(.month, count: 240)))
    }

    /// The days of each calendar.
    ///
    /// Without a beginning there is one calendar, that of the command `calendar`. With an earlier beginning there is one
    /// for each of the ten latest years with events.
    func calendars(of counts: DayCounts) -> [ClosedRange<CalendarDay>] {
        let usual = usualCalendar
        guard let first else { return [usual] }
        if first >= usual.lowerBound { return [first...today] }
        let start = max(first, counts.days?.lowerBound ?? first)
        guard start <= today else { return [] }
        let years = (start.date.year...today.date.year).suffix(200).compactMap { year in
            Self.year(year).map { max($0.lowerBound, first)...min($0.upperBound, today) }
        }
        return Array(years.filter { counts.total(in: $0) > 0 }.suffix(10))
    }

    /// The days that any calendar can show.
    package var calendarDays: ClosedRange<CalendarDay> { first.map { $0...today } ?? usualCalendar }

    private var usualCalendar: ClosedRange<CalendarDay> { start(.week, count: 53)...today }

    /// The first day of so many periods, the last of which has today.
    private func start(_ period: CalendarPeriod, count: Int) -> CalendarDay {
        CountWindow.first(period, today, count: count, weekStart: weekStart)
    }

    private static func year(_ year: Int) -> ClosedRange<CalendarDay>? {
        guard let first = CalendarDay(year: year, month: 1, day: 1),
            let last = CalendarDay(year: year, month: 12, day: 31)
        else { return nil }
        return first...last
    }
}
