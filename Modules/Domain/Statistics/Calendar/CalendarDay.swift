/// A day of the Gregorian calendar, without a time zone.
///
/// It counts days, not multiples of 24 hours: the day on which clocks change is one day like any other.
public struct CalendarDay: Sendable, Hashable, Comparable, Strideable, CustomStringConvertible {
    /// Days since 1970-01-01; negative before it.
    public let daysSince1970: Int

    /// Makes the day that many days after 1970-01-01.
    public init(daysSince1970: Int) {
        self.daysSince1970 = daysSince1970
    }

    /// Makes a day of its date, nil where the calendar has no such day or the year is not within 0 to 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Int(CivilDate.daysInMonth(Int64(month), year: Int64(year)))
        else { return nil }
        daysSince1970 = Int(CivilDate.toDays(year: Int64(year), month: Int64(month), day: Int64(day)))
    }

    /// The year, the month from 1 and the day of the month from 1.
    public var date: (year: Int, month: Int, day: Int) {
        let date = CivilDate.fromDays(Int64(daysSince1970))
        return (Int(date.year), Int(date.month), Int(date.day))
    }

    /// The day of the week.
    public var weekday: Weekday {
        // 1970-01-01 was a Thursday, three days after a Monday.
        let index = (daysSince1970 + 3) % 7
        return Weekday.allCases[index < 0 ? index + 7 : index]
    }

    /// The week of ISO 8601 that the day is in, from Monday.
    public var week: CalendarWeek { CalendarWeek(containing: self) }

    /// The month that the day is in.
    public var month: CalendarMonth { CalendarMonth(containing: self) }

    /// The date as ISO 8601 writes it: `2026-11-20`.
    public var description: String {
        let (year, month, day) = date
        return "\(zeroPadded(year, to: 4))-\(zeroPadded(month, to: 2))-\(zeroPadded(day, to: 2))"
    }

    /// Whether the left day is before the right one.
    public static func < (left: CalendarDay, right: CalendarDay) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }

    /// The day so many days later.
    public func advanced(by days: Int) -> CalendarDay {
        CalendarDay(daysSince1970: daysSince1970 + days)
    }

    /// How many days later the other day is; negative where it is earlier.
    public func distance(to other: CalendarDay) -> Int {
        other.daysSince1970 - daysSince1970
    }
}

/// The digits of a number with zeros before them, and its sign first.
func zeroPadded(_ number: Int, to digits: Int) -> String {
    let text = String(number.magnitude)
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, digits - text.count)) + text
}
