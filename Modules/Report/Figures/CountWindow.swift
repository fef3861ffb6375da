package import TrendyDomain
package import TrendyNotation

/// The time that a chart of counts shows.
package struct CountWindow {
    /// Only events at or after this moment; nil for all.
    package let since: Timestamp?
    /// Only events before this moment; nil for all.
    package let until: Timestamp?
    /// The days that the chart shows even where they have no events.
    package private(set) var covering: ClosedRange<CalendarDay>?
    /// The window in words: `last 26 weeks`, `since 2026-01-01`; nil for all time.
    package private(set) var name: String?
    /// The length of the stretches of the usual window; nil where a person named a time.
    private let usualPeriod: CalendarPeriod?
    private let weekStart: Weekday
    /// The window by its days: `between 2025-06-02 and 2025-11-24`.
    package let stretch: String?
    /// The first day that is looked at; nil where there is none.
    package let first: CalendarDay?
    /// The last day that is looked at; nil where there is none.
    package let last: CalendarDay?

    /// Makes the window that a person asked for, or the usual one: 30 days, 26 weeks or 24 months.
    package init(
        _ grouping: CountGrouping, since: Timestamp?, until: Timestamp?, zone: LocalZone, today: CalendarDay,
        weekStart: Weekday
    ) {
        self.weekStart = weekStart
        guard since == nil, until == nil, let period = grouping.period else {
            self.since = since
            self.until = until
            usualPeriod = nil
            covering = Self.days(since, until, zone, today)
            stretch = Self.stretch(since, until, zone)
            name = stretch
            first = since.map { zone.day(of: $0) }
            last = until.map { zone.day(of: $0.advanced(byMilliseconds: -1)) }
            return
        }
        let first = Self.first(period, today, count: Self.usualCount(period), weekStart: weekStart)
        self.since = zone.start(of: first)
        self.until = zone.start(of: today.advanced(by: 1))
        covering = first...today
        stretch = "between \(first) and \(today)"
        (self.first, last) = (first, today)
        usualPeriod = period
        name = "last \(Self.usualCount(period)) \(period.rawValue)s"
    }

    /// The window from an event on. A window that a person asked for stays as it is.
    ///
    /// - Parameter day: The day of the first event of all; nil where the window does not have it.
    package func beginning(on day: CalendarDay?) -> CountWindow {
        guard let usualPeriod, let covering, let day,
            Self.first(usualPeriod, day, count: 1, weekStart: weekStart) > covering.lowerBound,
            day <= covering.upperBound
        else { return self }
        var window = self
        window.covering = day...covering.upperBound
        window.name = "since the first event on \(day)"
        return window
    }

    /// The days that a chart shows, at most ``mostStretches`` stretches.
    package struct Days {
        package let shown: ClosedRange<CalendarDay>
        /// Whether they are fewer than were asked for.
        package let isCut: Bool
        fileprivate let period: CalendarPeriod
        fileprivate let weekStart: Weekday

        /// The days in words, where they are fewer than were asked for.
        package var stretch: String? { isCut ? "between \(shown.lowerBound) and \(shown.upperBound)" : nil }

        /// Says that they are fewer than were asked for; nil where they are not.
        ///
        /// - Parameter leftOut: How many events are on the other days.
        package func remark(leftOut: Int) -> String? {
            isCut ? CountWindow.remark(shown, by: period, weekStart: weekStart, leftOut: leftOut) : nil
        }
    }

    /// The days of a chart, from the window and the events; nil for charts by weekday or hour.
    package func days(with events: ClosedRange<CalendarDay>?, by grouping: CountGrouping, today: CalendarDay) -> Days? {
        let whole = [events, covering].compactMap { $0 }
        guard let period = grouping.period, let lower = whole.map(\.lowerBound).min(),
            let upper = whole.map(\.upperBound).max()
        else { return nil }
        let shown = Self.bounded(
            lower...upper, by: period, today: today, weekStart: weekStart,
            hasBeginning: usualPeriod == nil && since != nil)
        return Days(shown: shown, isCut: shown != lower...upper, period: period, weekStart: weekStart)
    }

    /// A stretch of time in words, by its days where it begins and ends with them; nil for all time.
    package static func stretch(_ since: Timestamp?, _ until: Timestamp?, _ zone: LocalZone) -> String? {
        let start = since.map { isMidnight($0, zone) ? zone.dayText($0) : zone.minuteText($0) }
        let end = until.map {
            isMidnight($0, zone) ? zone.dayText($0.advanced(byMilliseconds: -1)) : zone.minuteText($0)
        }
        switch (start, end) {
        case (let start?, let end?): return start == end ? "on \(start)" : "between \(start) and \(end)"
        case (let start?, nil): return "since \(start)"
        case (nil, let end?): return "up to \(end)"
        case (nil, nil): return nil
        }
    }

    private static func isMidnight(_ moment: Timestamp, _ zone: LocalZone) -> Bool {
        zone.start(of: zone.day(of: moment)) == moment
    }

    /// The option that shows the events outside the window.
    package static func option(_ others: EventDays?, hasEnd: Bool) -> String? {
        others.map { "--since \($0.first)" + (hasEnd ? " --until \($0.last)" : "") }
    }

    /// The days that a person asked for, up to today where there is no end; nil for an empty range.
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

    /// The largest number of bars, about as many as a decade has days. Without a limit, one event with a mistyped year
    /// such as 0202 would draw hundreds of thousands.
    package static let mostStretches = 4000

    /// Cuts days to ``mostStretches`` stretches.
    ///
    /// Where a person named the beginning, the first stretches stay. Otherwise the latest ones up to today stay; where all
    /// days are in the future, the latest of all.
    package static func bounded(
        _ days: ClosedRange<CalendarDay>, by period: CalendarPeriod, today: CalendarDay, weekStart: Weekday,
        hasBeginning: Bool = false
    ) -> ClosedRange<CalendarDay> {
        guard first(period, days.upperBound, count: mostStretches, weekStart: weekStart) > days.lowerBound else {
            return days
        }
        if hasBeginning { return days.lowerBound...last(period, days.lowerBound, weekStart) }
        let last = days.lowerBound > today ? days.upperBound : min(days.upperBound, today)
        return max(days.lowerBound, first(period, last, count: mostStretches, weekStart: weekStart))...last
    }

    /// Says that a chart shows fewer days than were asked for.
    ///
    /// - Parameter leftOut: How many events are on the other days.
    package static func remark(
        _ days: ClosedRange<CalendarDay>, by period: CalendarPeriod, weekStart: Weekday, leftOut: Int = 0
    ) -> String {
        let advice = period == .month ? "" : "; --by month reaches farther"
        // Where only days to come are left out, the others may be few.
        let isFull =
            first(period, days.upperBound, count: mostStretches, weekStart: weekStart)
            >= first(period, days.lowerBound, count: 1, weekStart: weekStart)
        let most = isFull ? "no more than \(FigureText.text(mostStretches)) \(period.rawValue)s: " : ""
        let rest = leftOut == 0 ? "" : ", without \(FigureText.counted(leftOut, "event")) of other days"
        return "shows \(most)\(days.lowerBound) to \(days.upperBound)\(rest)\(advice)"
    }

    /// The last day of the most stretches that are shown, the first of which has a day.
    private static func last(_ period: CalendarPeriod, _ day: CalendarDay, _ weekStart: Weekday) -> CalendarDay {
        let count = mostStretches
        switch period {
        case .day: return day.advanced(by: count - 1)
        case .week: return CalendarWeek(containing: day, from: weekStart).advanced(by: count - 1).days.upperBound
        case .month:
            var last = day.month.days.upperBound
            for _ in 1..<count { last = last.advanced(by: 1).month.days.upperBound }
            return last
        }
    }

    /// How many stretches a screen shows well.
    package static func usualCount(_ period: CalendarPeriod) -> Int {
        switch period {
        case .day: 30
        case .week: 26
        case .month: 24
        }
    }

    /// The day on which the first of so many stretches begins, the last of which has today.
    package static func first(
        _ period: CalendarPeriod, _ today: CalendarDay, count: Int, weekStart: Weekday
    ) -> CalendarDay {
        switch period {
        case .day: return today.advanced(by: 1 - count)
        case .week: return CalendarWeek(containing: today, from: weekStart).advanced(by: 1 - count).firstDay
        case .month:
            var first = today.month.days.lowerBound
            for _ in 1..<max(1, count) { first = first.advanced(by: -1).month.days.lowerBound }
            return first
        }
    }
}
