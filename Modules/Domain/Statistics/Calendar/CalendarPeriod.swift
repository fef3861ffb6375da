/// The length of the stretches that a calendar is divided into.
public enum CalendarPeriod: String, Sendable, Hashable, CaseIterable {
    /// Days, weeks or months.
    case day, week, month

    /// The stretch of this length that has the day.
    ///
    /// - Parameter weekStart: The day with which weeks begin.
    public func bucket(containing day: CalendarDay, weekStart: Weekday = .monday) -> TimeBucket {
        switch self {
        case .day: .day(day)
        case .week: .week(CalendarWeek(containing: day, from: weekStart))
        case .month: .month(day.month)
        }
    }

    /// The stretches that have any of the days, in order, without a gap.
    ///
    /// - Parameter weekStart: The day with which weeks begin.
    public func buckets(
        covering days: ClosedRange<CalendarDay>, weekStart: Weekday = .monday
    ) -> [TimeBucket] {
        var buckets: [TimeBucket] = []
        var day = days.lowerBound
        while day <= days.upperBound {
            let bucket = bucket(containing: day, weekStart: weekStart)
            buckets.append(bucket)
            day = (bucket.days?.upperBound ?? day).advanced(by: 1)
        }
        return buckets
    }
}
