import TrendyNotation

/// The order of day and month in numeric dates.
package enum DateOrder: String, CaseIterable, Sendable {
    /// `24.12.2025`, `24/12/2025`.
    case dayFirst = "dmy"
    /// `12/24/2025`.
    case monthFirst = "mdy"

    /// The order in words.
    package var text: String { self == .dayFirst ? "day first" : "month first" }
}

/// Finds the order of day and month in the numeric dates of a file, from all its rows.
@MainActor
package struct DateOrderFinding {
    /// The number of rows without a numeric date after which the search stops.
    private static let patience = 1000

    /// The order; nil if there are no numeric dates, or if it is ambiguous.
    package private(set) var order: DateOrder?
    private let isAsked: Bool
    /// An ambiguous date.
    private var open: (text: String, date: NumericDate)?
    /// For each order, a date that is valid only in this order.
    private var proofs: [DateOrder: (line: Int, text: String, date: NumericDate)] = [:]

    /// Examines columns of a file.
    ///
    /// - Parameters:
    ///   - columns: The names of those that hold times.
    ///   - asked: The order that the person gives; nothing is checked then.
    package init(
        in file: some RereadableFile, delimiter: UInt8, columns: [String], asked: DateOrder?, times: ColumnTimes
    ) throws {
        isAsked = asked != nil
        order = asked
        if asked == nil { try look(file, delimiter, columns, times) }
    }

    private mutating func look(
        _ file: some RereadableFile, _ delimiter: UInt8, _ columns: [String], _ times: ColumnTimes
    ) throws {
        var csv = CSVReader(try file.source(), delimiter: delimiter)
        let names = (ImportColumns.names(try csv.header()) ?? []).map { $0.lowercased() }
        let wanted = columns.compactMap { names.firstIndex(of: Names.trimmed($0).lowercased()) }
        var rows = 0
        while let next = try csv.next() {
            rows += 1
            if rows > Self.patience, open == nil, proofs.isEmpty { return }
            guard case .success(let row) = next else { continue }
            for column in wanted where column < row.count { note(row, column, times) }
        }
        decide()
    }

    private mutating func note(_ row: CSVRow, _ column: Int, _ times: ColumnTimes) {
        guard let text = row.text(column).map(Names.trimmed), let date = times.numericDate(text) else { return }
        if let proof = date.proof {
            if proofs[proof] == nil { proofs[proof] = (row.line, text, date) }
        } else if date.isOpen, open == nil || open?.date.separator == "." && date.separator != "." {
            // Dots suggest an order, so an ambiguous date without dots matters more.
            open = (text, date)
        }
    }

    private mutating func decide() {
        switch proofs.count {
        case 1: order = proofs.keys.first
        // Dates with dots have the day first everywhere.
        case 0: if open?.date.separator == "." { order = .dayFirst }
        default: break
        }
    }

    /// The order for people; nil if there are no numeric dates.
    package var text: String? {
        if isAsked { return order?.text }
        guard let order else {
            if !proofs.isEmpty { return "some day first, some month first" }
            return open.map { "day or month first: \(Self.both($0))" }
        }
        if let proof = proofs[order] {
            // Of two digits the year may come first.
            let day = proof.date.hasShortYear ? proof.date.day(order).map { ", which is \($0.dayText)" } : nil
            return "\(order.text), as in '\(proof.text)'\(day ?? "")"
        }
        return "\(order.text), as usual with dots; for month first add --dates mdy"
    }

    /// The remark for a person who named all columns and sees no layout.
    package var remark: String? {
        guard !isAsked, let order, proofs[order]?.date.hasShortYear ?? true else { return nil }
        return text.map { "dates are read \($0)" }
    }

    /// Refuses a file with ambiguous dates.
    ///
    /// - Throws: ``InputError`` with the options that help.
    package func requireOne() throws {
        if let day = proofs[.dayFirst], let month = proofs[.monthFirst] {
            throw InputError.data(
                "'\(day.text)' in line \(day.line) has the day first, and '\(month.text)' in line \(month.line) has the "
                    + "month first; choose with --dates dmy or --dates mdy, then the other rows are bad rows")
        }
        guard order == nil, let open else { return }
        throw InputError.data(
            "all dates of the file are ambiguous: \(Self.both(open)); "
                + "add --dates dmy (day first) or --dates mdy (month first)")
    }

    private static func both(_ open: (text: String, date: NumericDate)) -> String {
        let days = DateOrder.allCases.compactMap { open.date.day($0)?.dayText }
        return "'\(open.text)' can be \(days.joined(separator: " or "))"
    }
}

/// A numeric date at the beginning of a text: `24.12.2025 18:30`, `12/24/25`, `2025/12/24`.
struct NumericDate {
    /// The numbers of day and month in their order.
    private let first: Int
    private let second: Int
    private let year: Int
    /// Whether the year comes first, and then the month.
    private let beginsWithYear: Bool
    /// Whether the year has two digits.
    let hasShortYear: Bool
    /// The separator of the numbers.
    let separator: Character
    /// The rest of the text: a time of day, or nothing.
    let rest: Substring

    /// Reads a numeric date; nil for other texts, and for dates of ISO 8601, which are read elsewhere.
    ///
    /// - Parameter thisYear: The present year, to find the century of a two-digit year.
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

    /// Whether the year is at the end; `24-12-25` can be in 2024 or 2025.
    private static func endsWithYear(_ lengths: [Int], _ separator: Character) -> Bool {
        lengths[2] == 4 || lengths[2] == 2 && separator != "-"
    }

    /// The year of two digits: the latest one up to ten years from now.
    private static func year(_ short: Int, _ thisYear: Int) -> Int {
        let latest = thisYear + 10
        return latest - (latest - short) % 100
    }

    /// The only possible order, because one number is larger than 12; nil if both are possible.
    var proof: DateOrder? {
        if beginsWithYear || (first > 12) == (second > 12) { return nil }
        return first > 12 ? .dayFirst : .monthFirst
    }

    /// Whether its day depends on the order.
    var isOpen: Bool { !beginsWithYear && first != second && [first, second].allSatisfy { (1...12).contains($0) } }

    /// The day; nil if it is not in the calendar.
    func day(_ order: DateOrder) -> CivilTime? {
        let isDayFirst = order == .dayFirst && !beginsWithYear
        let (month, day) = isDayFirst ? (second, first) : (first, second)
        let civil = CivilTime(year: year, month: month, day: day)
        return civil.isValid ? civil : nil
    }
}
