/// A day of the week; the week begins on Monday, as in ISO 8601.
public enum Weekday: Int, Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
    /// The days from Monday, 1, to Sunday, 7.
    case monday = 1, tuesday, wednesday, thursday, friday, saturday, sunday

    /// The English name: `Monday`.
    public var description: String {
        switch self {
        case .monday: "Monday"
        case .tuesday: "Tuesday"
        case .wednesday: "Wednesday"
        case .thursday: "Thursday"
        case .friday: "Friday"
        case .saturday: "Saturday"
        case .sunday: "Sunday"
        }
    }

    /// True for Saturday and Sunday.
    public var isWeekend: Bool { self >= .saturday }

    /// Whether the left day comes earlier in a week.
    public static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }
}
