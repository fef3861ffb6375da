/// A week of ISO 8601: from Monday to Sunday, and of the year that has its Thursday.
public struct CalendarWeek: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The day on which the week begins.
    public let monday: CalendarDay

    /// Makes the week that a day is in.
    public init(containing day: CalendarDay) {
        monday = day.advanced(by: 1 - day.weekday.rawValue)
    }

    /// The year that the week counts to; the first and last days of January and December can be of another one.
    public var year: Int { monday.advanced(by: 3).date.year }

    /// The number of the week within ``year``, 1 to 53.
    public var number: Int {
        let thursday = monday.advanced(by: 3)
        let newYear = CivilDate.toDays(year: Int64(thursday.date.year), month: 1, day: 1)
        return (thursday.daysSince1970 - Int(newYear)) / 7 + 1
    }

    /// The seven days.
    public var days: ClosedRange<CalendarDay> { monday...monday.advanced(by: 6) }

    /// The week so many weeks later.
    public func advanced(by weeks: Int) -> CalendarWeek {
        CalendarWeek(containing: monday.advanced(by: 7 * weeks))
    }

    /// The week as ISO 8601 writes it: `2026-W47`.
    public var description: String { "\(zeroPadded(year, to: 4))-W\(zeroPadded(number, to: 2))" }

    /// Whether the left week is before the right one.
    public static func < (left: CalendarWeek, right: CalendarWeek) -> Bool { left.monday < right.monday }
}
