/// The length of the stretches that a calendar is divided into.
public enum CalendarPeriod: String, Sendable, Hashable, CaseIterable {
    /// Days, weeks from Monday, or months.
    case day, week, month

    /// The stretch of this length that has the day.
    public func bucket(containing day: CalendarDay) -> TimeBucket {
        switch self {
        case .day: .day(day)
        case .week: .week(day.week)
        case .month: .month(day.month)
        }
    }

    /// The stretches that have any of the days, in order, without a gap.
    public func buckets(covering days: ClosedRange<CalendarDay>) -> [TimeBucket] {
        var buckets: [TimeBucket] = []
        var day = days.lowerBound
        while day <= days.upperBound {
            let bucket = bucket(containing: day)
            buckets.append(bucket)
            day = (bucket.days?.upperBound ?? day).advanced(by: 1)
        }
        return buckets
    }
}
