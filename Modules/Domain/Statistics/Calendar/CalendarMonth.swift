/// A month of a year of the Gregorian calendar.
public struct CalendarMonth: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The year.
    public let year: Int
    /// The month of the year, from 1.
    public let month: Int

    /// Makes the month that a day is in.
    public init(containing day: CalendarDay) {
        let date = day.date
        year = date.year
        month = date.month
    }

    /// The days from the first to the last.
    public var days: ClosedRange<CalendarDay> {
        let first = CivilDate.toDays(year: Int64(year), month: Int64(month), day: 1)
        let length = CivilDate.daysInMonth(Int64(month), year: Int64(year))
        return CalendarDay(daysSince1970: Int(first))...CalendarDay(daysSince1970: Int(first + length - 1))
    }

    /// The month after this one.
    public var next: CalendarMonth { CalendarMonth(containing: days.upperBound.advanced(by: 1)) }

    /// The month as ISO 8601 writes it: `2026-11`.
    public var description: String { "\(zeroPadded(year, to: 4))-\(zeroPadded(month, to: 2))" }

    /// Whether the left month is before the right one.
    public static func < (left: CalendarMonth, right: CalendarMonth) -> Bool {
        (left.year, left.month) < (right.year, right.month)
    }
}
