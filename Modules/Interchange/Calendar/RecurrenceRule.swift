import TrendyDomain
import TrendyNotation

/// A recurrence rule (RFC 5545, section 3.3.10).
///
/// It supports FREQ, INTERVAL, COUNT, UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS and WKST. A rule with another part is
/// refused, because its times would be wrong.
struct RecurrenceRule: Hashable {
    enum Frequency: String {
        case secondly = "SECONDLY"
        case minutely = "MINUTELY"
        case hourly = "HOURLY"
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// A day of the week, 0 for Monday, with its ordinal in the month or year: 0 for all, -1 for the last.
    struct Day: Hashable {
        var weekday: Int
        var ordinal: Int
    }

    var frequency: Frequency
    var interval = 1
    var count: Int?
    var until: CompactTime?
    var days: [Day] = []
    var monthDays: [Int] = []
    var months: Set<Int> = []
    var positions: [Int] = []
    /// The first day of a week.
    var weekStart = 0

    /// - Throws: ``RowError`` with the wrong or unsupported part.
    init(_ text: String) throws(RowError) {
        var parts: [String: String] = [:]
        for part in text.split(separator: ";") {
            let sides = part.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else { throw RowError("'\(part)' is not a part of a recurrence rule") }
            parts[sides[0].uppercased()] = sides[1].uppercased()
        }
        let name = parts.removeValue(forKey: "FREQ") ?? ""
        guard let frequency = Frequency(rawValue: name) else {
            throw RowError("the recurrence rule has an unsupported frequency: FREQ=\(name)")
        }
        self.frequency = frequency
        for (name, value) in parts.sorted(by: { $0.key < $1.key }) { try take(name, value) }
    }

    private mutating func take(_ name: String, _ value: String) throws(RowError) {
        let wrong = RowError("the recurrence rule has a wrong part: \(name)=\(value)")
        switch name {
        case "INTERVAL":
            guard let number = Int(value), (1...10_000).contains(number) else { throw wrong }
            interval = number
        case "COUNT":
            guard let number = Int(value), number > 0 else { throw wrong }
            count = number
        case "UNTIL":
            guard let time = CompactTime(value) else { throw wrong }
            until = time
        case "BYDAY":
            days = try Self.days(value, wrong)
        case "BYMONTHDAY":
            monthDays = try Self.numbers(value, -31...31, wrong)
        case "BYMONTH":
            months = Set(try Self.numbers(value, 1...12, wrong))
        case "BYSETPOS":
            positions = try Self.numbers(value, -366...366, wrong)
        case "WKST":
            guard let day = Self.weekdays.firstIndex(of: value) else { throw wrong }
            weekStart = day
        default:
            throw RowError("the recurrence rule has an unsupported part: \(name)")
        }
    }

    private static let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    private static func numbers(
        _ text: String, _ range: ClosedRange<Int>, _ wrong: RowError
    ) throws(RowError) -> [Int] {
        let numbers = text.split(separator: ",").map { Int($0) }
        guard !numbers.isEmpty, numbers.allSatisfy({ $0.map { range.contains($0) && $0 != 0 } ?? false }) else {
            throw wrong
        }
        return numbers.compactMap { $0 }
    }

    private static func days(_ text: String, _ wrong: RowError) throws(RowError) -> [Day] {
        var days: [Day] = []
        for part in text.split(separator: ",") {
            guard let weekday = weekdays.firstIndex(of: String(part.suffix(2))) else { throw wrong }
            let number = part.dropLast(2)
            guard number.isEmpty || Int(number).map({ (-53...53).contains($0) && $0 != 0 }) == true else {
                throw wrong
            }
            days.append(Day(weekday: weekday, ordinal: Int(number) ?? 0))
        }
        return days
    }
}
