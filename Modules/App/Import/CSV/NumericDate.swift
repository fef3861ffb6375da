import TrendyNotation

/// A date of numbers at the beginning of a text: `24.12.2025 18:30`, `12/24/25`, `2025/12/24`.
struct NumericDate {
    /// The numbers as they stand, the year apart.
    private let first: Int
    private let second: Int
    private let year: Int
    /// Whether the year comes first, and so the month before the day.
    private let beginsWithYear: Bool
    /// Whether the year has two digits.
    let hasShortYear: Bool
    /// What is between the numbers.
    let separator: Character
    /// What follows the date: a time of day, or nothing.
    let rest: Substring

    /// Reads one; nil for anything else, and for the dates of ISO 8601, which need no reading here.
    ///
    /// - Parameter thisYear: The year by which one of two digits gets its century.
    init?(_ text: String, thisYear: Int) {
        let date = text.prefix { $0 != " " && $0 != "," && $0 != "\t" }
        guard let separator = date.first(where: { !$0.isNumber }), "./-".contains(separator) else { return nil }
        let parts = date.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { digits($0) }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        let lengths = parts.map(\.count)
        beginsWithYear = lengths[0] == 4
        guard beginsWithYear ? separator != "-" : Self.endsWithYear(lengths, separator) else { return nil }
        guard lengths[1] <= 2, lengths[beginsWithYear ? 2 : 0] <= 2 else { return nil }
        hasShortYear = !beginsWithYear && lengths[2] == 2
        year = beginsWithYear ? numbers[0] : lengths[2] == 2 ? Self.year(numbers[2], thisYear) : numbers[2]
        (first, second) = beginsWithYear ? (numbers[1], numbers[2]) : (numbers[0], numbers[1])
        self.separator = separator
        let after = text[date.endIndex...]
        rest = after.first == "," ? after.dropFirst() : after
    }

    /// `24-12-25` can be of 2024 or of 2025.
    private static func endsWithYear(_ lengths: [Int], _ separator: Character) -> Bool {
        lengths[2] == 4 || lengths[2] == 2 && separator != "-"
    }

    /// A year of two digits: the last one that ends in them, or one of the next ten.
    private static func year(_ short: Int, _ thisYear: Int) -> Int {
        let latest = thisYear + 10
        return latest - (latest - short) % 100
    }

    /// The order that the date can only have, because one of its numbers is over 12; nil where it can have both.
    var proof: DateOrder? {
        if beginsWithYear || (first > 12) == (second > 12) { return nil }
        return first > 12 ? .dayFirst : .monthFirst
    }

    /// Whether its day depends on the order.
    var isOpen: Bool { !beginsWithYear && first != second && [first, second].allSatisfy { (1...12).contains($0) } }

    /// Its day; nil where the calendar has none.
    func day(_ order: DateOrder) -> CivilTime? {
        let isDayFirst = order == .dayFirst && !beginsWithYear
        let (month, day) = isDayFirst ? (second, first) : (first, second)
        let civil = CivilTime(year: year, month: month, day: day)
        return civil.isValid ? civil : nil
    }
}
