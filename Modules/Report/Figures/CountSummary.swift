package import TrendyDomain
import TrendyNotation

extension CountSeries {
    /// The number of events, and their average for each stretch of the calendar.
    ///
    /// - Parameters:
    ///   - first: The first day that ever had such an event: stretches before it are shown, and do not lower
    ///     the average. Nil where all stretches count.
    ///   - start: What follows the stretches, as ` since 2026-01-01`.
    ///   - today: The day that is not over, for what is said of its stretch beside an average; nil for nothing.
    package func summary(
        since first: CalendarDay? = nil, from start: String = "", today: CalendarDay? = nil
    ) -> String {
        let total = FigureText.counted(self.total, "event")
        if withoutBucket > 0 {
            return "\(total)\(start), and \(FigureText.counted(withoutBucket, "all-day event")) without an hour"
        }
        let count = first.map { stretches(from: $0) } ?? buckets.count
        guard let period = grouping.period, count > 1 else { return total + start }
        let rate = Double(self.total) / Double(count)
        let open = period.openEnd(buckets.last?.bucket, today)
        return "\(total) in \(FigureText.counted(count, period.rawValue))\(start), "
            + "\(FigureText.text(rate)) a \(period.rawValue)\(open)"
    }

    /// How many stretches there are from the one on that has this day.
    private func stretches(from first: CalendarDay) -> Int {
        buckets.filter { bucket in bucket.bucket.days.map { $0.upperBound >= first } ?? true }.count
    }
}

extension CalendarPeriod {
    /// Says beside an average that the last stretch is not over; empty where it is.
    package func openEnd(_ last: TimeBucket?, _ today: CalendarDay?) -> String {
        guard let today, let days = last?.days, days.upperBound >= today else { return "" }
        return "; the last \(rawValue) is not over"
    }
}

extension DayCounts {
    /// The number of events on some days, and the day with the most.
    ///
    /// - Parameters:
    ///   - events: How many events they are, where some are on several of the days; nil where each is on one.
    ///   - date: Writes a day.
    package func summary(
        of days: ClosedRange<CalendarDay>, events: Int? = nil, date: (CalendarDay) -> String = \.description
    ) -> String {
        let total = events ?? self.total(in: days)
        let logged = loggedDays.filter(days.contains)
        if total == 0 { return "no events" }
        let figures = "\(FigureText.counted(total, "event")) on \(counted(logged.count, "day"))"
        guard let most = logged.max(by: { self[$0] < self[$1] }), logged.count > 1, self[most] > 1 else {
            return figures
        }
        return "\(figures), most on \(date(most)): \(FigureText.text(self[most]))"
    }
}
