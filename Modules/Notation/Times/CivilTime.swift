import TrendyDomain

/// A date and a time of day without a time zone.
public struct CivilTime: Sendable, Hashable {
    /// The year of the Gregorian calendar.
    public var year: Int
    /// The month, from 1.
    public var month: Int
    /// The day of the month, from 1.
    public var day: Int
    /// The hour of the day, 0 to 23.
    public var hour: Int
    /// The minute of the hour, 0 to 59.
    public var minute: Int
    /// The second of the minute, 0 to 59.
    public var second: Int
    /// The millisecond of the second, 0 to 999.
    public var millisecond: Int

    /// Creates a date and a time from its parts, without validation.
    public init(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millisecond = millisecond
    }

    /// The civil time so many milliseconds after 1970-01-01 00:00.
    package init(localMilliseconds total: Int64) {
        var days = total / 86_400_000
        var rest = total % 86_400_000
        if rest < 0 {
            rest += 86_400_000
            days -= 1
        }
        let date = CivilDate.fromDays(days)
        self.init(
            year: Int(date.year), month: Int(date.month), day: Int(date.day), hour: Int(rest / 3_600_000),
            minute: Int(rest / 60_000 % 60), second: Int(rest / 1000 % 60), millisecond: Int(rest % 1000))
    }

    /// The milliseconds since 1970-01-01 00:00.
    package var localMilliseconds: Int64 {
        let days = CivilDate.toDays(year: Int64(year), month: Int64(month), day: Int64(day))
        let seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        return seconds * 1000 + Int64(millisecond)
    }

    /// Whether the date and the time exist.
    package var isValid: Bool {
        (0...9999).contains(year) && (1...12).contains(month) && day >= 1
            && Int64(day) <= CivilDate.daysInMonth(Int64(month), year: Int64(year))
            && (0..<24).contains(hour) && (0..<60).contains(minute) && (0..<60).contains(second)
    }

    /// The same time of day so many days later.
    package func advanced(byDays days: Int) -> CivilTime {
        CivilTime(localMilliseconds: localMilliseconds + Int64(days) * 86_400_000)
    }

    /// The same time of day so many months later, or on the last day of a shorter month.
    package func advanced(byMonths months: Int) -> CivilTime {
        let total = year * 12 + month - 1 + months
        var moved = self
        moved.year = (total - (total % 12 + 12) % 12) / 12
        moved.month = total - moved.year * 12 + 1
        moved.day = min(day, Int(CivilDate.daysInMonth(Int64(moved.month), year: Int64(moved.year))))
        return moved
    }

    /// The same day at midnight.
    package var startOfDay: CivilTime { CivilTime(year: year, month: month, day: day) }
}
