package import TrendyDomain

/// With which day a person's weeks begin.
package enum WeekStart: Sendable, Hashable {
    case on(Weekday)
    /// As in the person's locale; with Monday, as in ISO 8601, where none is named.
    case ofLocale(EnvironmentLocale)

    package var weekday: Weekday {
        switch self {
        case .on(let weekday): weekday
        case .ofLocale(let locale): locale.firstWeekday ?? .monday
        }
    }
}

extension CivilTime {
    /// Midnight at the start of a day.
    package init(_ day: CalendarDay) { self.init(localMilliseconds: Int64(day.daysSince1970) * 86_400_000) }

    /// Days since 1970-01-01.
    package var dayNumber: Int { Int(CivilDate.toDays(year: Int64(year), month: Int64(month), day: Int64(day))) }

    /// The day of the week, 0 for Monday.
    package var weekday: Int {
        // 1970-01-01 was a Thursday.
        let rest = (dayNumber + 3) % 7
        return rest < 0 ? rest + 7 : rest
    }

    /// The beginning of the week that has this time.
    func startOfWeek(from start: Weekday) -> CivilTime {
        startOfDay.advanced(byDays: -((weekday - start.rawValue + 8) % 7))
    }

    /// The weekday in English.
    package var weekdayName: String { Self.weekdayNames[weekday] }

    /// Monday to Sunday.
    static let weekdayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// January to December, as three letters.
    package static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
