/// A day of the week, with its number in ISO 8601.
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

    /// The days of a week that begins with this one.
    public var week: [Weekday] { (0..<7).compactMap { Weekday(rawValue: (rawValue - 1 + $0) % 7 + 1) } }

    /// The place of the day in a week that begins with another, from 0.
    public func place(inWeekFrom start: Weekday) -> Int { (rawValue - start.rawValue + 7) % 7 }

    /// True for Saturday and Sunday.
    public var isWeekend: Bool { self >= .saturday }

    /// Whether the left day comes earlier in a week that begins on Monday.
    public static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }
}
