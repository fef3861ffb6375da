package import TrendyDomain
import TrendyNotation

/// Days and stretches of time as a report writes them.
package enum ReportDate {
    /// `10 Mar 2026`.
    @Sendable
    package static func text(_ day: CalendarDay) -> String {
        "\(day.date.day) \(monthName(day.date.month)) \(day.date.year)"
    }

    /// `10 Mar 2026, 12:30`, or the day alone at midnight.
    static func text(_ moment: Timestamp, in zone: LocalZone) -> String {
        let day = zone.day(of: moment)
        return zone.start(of: day) == moment ? text(day) : "\(text(day)), \(zone.clockText(moment))"
    }

    /// The bucket in full: `Tue 10 Mar 2026`, `week of 9 Mar 2026`, `Mar 2026`, `Monday`, `09:00`.
    static func text(_ bucket: TimeBucket) -> String {
        switch bucket {
        case .day(let day): "\(day.weekday.description.prefix(3)) \(text(day))"
        case .week(let week): "week of \(text(week.firstDay))"
        case .month(let month): "\(monthName(month.month)) \(month.year)"
        case .weekday(let weekday): weekday.description
        case .hour(let hour): "\(twoDigits(hour)):00"
        }
    }

    /// The bucket below an axis: `10 Mar`, `Mar 2026`, `Mon`, `09`.
    static func label(_ bucket: TimeBucket) -> String {
        switch bucket {
        case .day(let day): short(day)
        case .week(let week): short(week.firstDay)
        case .month(let month): "\(monthName(month.month)) \(month.year)"
        case .weekday(let weekday): String(weekday.description.prefix(3))
        case .hour(let hour): twoDigits(hour)
        }
    }

    /// `10 Mar 2026 to 12 Mar 2026`, or the one day.
    static func text(_ days: ClosedRange<CalendarDay>) -> String {
        let first = text(days.lowerBound)
        return days.lowerBound == days.upperBound ? first : "\(first) to \(text(days.upperBound))"
    }

    /// A word as the head of a column: `Week`.
    static func title(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    private static func short(_ day: CalendarDay) -> String { "\(day.date.day) \(monthName(day.date.month))" }

    private static func monthName(_ month: Int) -> String { CivilTime.monthNames[month - 1] }
}
