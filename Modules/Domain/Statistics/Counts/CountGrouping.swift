/// By what events are counted together.
public enum CountGrouping: String, Sendable, Hashable, CaseIterable {
    /// By stretches of the calendar.
    case day, week, month
    /// By the day of the week, of all weeks together.
    case weekday
    /// By the hour of the day, of all days together.
    case hour

    /// The stretches of the calendar that are counted by; nil for weekday and hour.
    public var period: CalendarPeriod? { CalendarPeriod(rawValue: rawValue) }
}
