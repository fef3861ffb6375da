/// What a statistic counts together: a stretch of the calendar, a day of the week or an hour of the day.
public enum TimeBucket: Sendable, Hashable, CustomStringConvertible {
    /// One day.
    case day(CalendarDay)
    /// One week.
    case week(CalendarWeek)
    /// One month.
    case month(CalendarMonth)
    /// One day of the week, of all weeks.
    case weekday(Weekday)
    /// One hour of the day, 0 to 23, of all days.
    case hour(Int)

    /// The days that a stretch of the calendar has; nil for a day of the week and an hour of the day.
    public var days: ClosedRange<CalendarDay>? {
        switch self {
        case .day(let day): day...day
        case .week(let week): week.days
        case .month(let month): month.days
        case .weekday, .hour: nil
        }
    }

    /// What it is in plain text: `2026-11-20`, `2026-W47` or `2026-11-15` (``CalendarWeek/description``), `2026-11`, `Monday`, `09`.
    public var description: String {
        switch self {
        case .day(let day): day.description
        case .week(let week): week.description
        case .month(let month): month.description
        case .weekday(let weekday): weekday.description
        case .hour(let hour): zeroPadded(hour, to: 2)
        }
    }
}
