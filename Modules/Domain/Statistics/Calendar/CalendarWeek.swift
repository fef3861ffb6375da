/// Seven days in a row, from the day of the week on that a person's weeks begin with.
public struct CalendarWeek: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The day on which the week begins.
    public let firstDay: CalendarDay

    /// Makes the week that a day is in.
    ///
    /// - Parameter start: The day with which weeks begin; by default that of ISO 8601.
    public init(containing day: CalendarDay, from start: Weekday = .monday) {
        firstDay = day.advanced(by: -day.weekday.place(inWeekFrom: start))
    }

    private init(firstDay: CalendarDay) {
        self.firstDay = firstDay
    }

    /// The seven days.
    public var days: ClosedRange<CalendarDay> { firstDay...firstDay.advanced(by: 6) }

    /// The week so many weeks later.
    public func advanced(by weeks: Int) -> CalendarWeek { CalendarWeek(firstDay: firstDay.advanced(by: 7 * weeks)) }

    /// Whether it is a week of ISO 8601: those alone have numbers.
    public var isNumbered: Bool { firstDay.weekday == .monday }

    /// A week from Monday to Sunday as ISO 8601 writes it: `2026-W47`; any other one by its first day: `2026-11-15`.
    public var description: String {
        guard isNumbered else { return firstDay.description }
        // It is of the year that has its Thursday.
        let thursday = firstDay.advanced(by: 3)
        let year = thursday.date.year
        let newYear = CivilDate.toDays(year: Int64(year), month: 1, day: 1)
        let number = (thursday.daysSince1970 - Int(newYear)) / 7 + 1
        return "\(zeroPadded(year, to: 4))-W\(zeroPadded(number, to: 2))"
    }

    /// Whether the left week begins before the right one.
    public static func < (left: CalendarWeek, right: CalendarWeek) -> Bool { left.firstDay < right.firstDay }
}
