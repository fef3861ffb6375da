extension PropertyValue {
    private static let dayLength: Int64 = 86_400_000

    /// A day of the calendar, the same one wherever the value is read.
    ///
    /// It is noon of that day in universal time: a client that shows it as a moment shows the same day between twelve
    /// hours west of Greenwich and nearly twelve hours east.
    public static func day(_ day: CalendarDay) -> PropertyValue {
        .date(Timestamp(milliseconds: Int64(day.daysSince1970) * dayLength + dayLength / 2))
    }

    /// The moment of a date, however it is written; nil for any other value.
    public var moment: Timestamp? {
        switch self {
        case .date(let moment): moment
        case .other(.date, .string(let text)): Timestamp(text)
        default: nil
        }
    }

    /// The day of the calendar that the value names in every time zone; nil for any other value.
    ///
    /// Noon in universal time is how ``day(_:)`` writes it, midnight how programs do that write a date without a time.
    /// Any other moment is on a day only where somebody is.
    public var day: CalendarDay? {
        guard let milliseconds = moment?.milliseconds, milliseconds % (Self.dayLength / 2) == 0 else { return nil }
        let halfDays = milliseconds / (Self.dayLength / 2)
        // Rounded down, also before 1970.
        return CalendarDay(daysSince1970: Int(halfDays < 0 ? (halfDays - 1) / 2 : halfDays / 2))
    }
}
