import TrendyNotation

/// Whether the day or the month comes first in a date of numbers.
package enum DateOrder: String, CaseIterable, Sendable {
    /// `24.12.2025`, `24/12/2025`.
    case dayFirst = "dmy"
    /// `12/24/2025`.
    case monthFirst = "mdy"

    /// The order in words.
    package var text: String { self == .dayFirst ? "day first" : "month first" }
}

/// Whether the dates of numbers in a file have the day or the month first, as all of its rows together tell.
@MainActor
package struct DateOrderFinding {
    /// How many rows are looked through for a date of numbers, before a file counts as one without.
    private static let patience = 1000

    /// The order in which they are read; nil where there are none, or where nothing tells.
    package private(set) var order: DateOrder?
    private let isAsked: Bool
    /// A date that can be read in both orders.
    private var open: (text: String, date: NumericDate)?
    /// A date that can be read in one order alone, of each.
    private var proofs: [DateOrder: (line: Int, text: String, date: NumericDate)] = [:]

    /// Looks at columns of a file.
    ///
    /// - Parameters:
    ///   - columns: The names of those that hold times.
    ///   - asked: The order that the person gives; nothing is looked at then.
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
            // Dots tell something, so that one without them counts.
            open = (text, date)
        }
    }

    private mutating func decide() {
        switch proofs.count {
        case 1: order = proofs.keys.first
        // With dots between them nobody writes the month first.
        case 0: if open?.date.separator == "." { order = .dayFirst }
        default: break
        }
    }

    /// How they are read, for a person; nil where there are none.
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
        return "\(order.text), as is usual with dots; --dates mdy reads them month first"
    }

    /// What a person has to know who has named all columns, and is shown nothing.
    package var remark: String? {
        guard !isAsked, let order, proofs[order]?.date.hasShortYear ?? true else { return nil }
        return text.map { "dates are read \($0)" }
    }

    /// Refuses a file whose dates can be read in two ways.
    ///
    /// - Throws: ``InputError`` that says how to choose.
    package func requireOne() throws {
        if let day = proofs[.dayFirst], let month = proofs[.monthFirst] {
            throw InputError.data(
                "'\(day.text)' in line \(day.line) has the day first, and '\(month.text)' in line \(month.line) the month; "
                    + "add --dates dmy or --dates mdy, and the others are bad rows")
        }
        guard order == nil, let open else { return }
        throw InputError.data(
            "no date of the file tells whether the day or the month comes first: \(Self.both(open)); "
                + "add --dates dmy or --dates mdy")
    }

    private static func both(_ open: (text: String, date: NumericDate)) -> String {
        let days = DateOrder.allCases.compactMap { open.date.day($0)?.dayText }
        return "'\(open.text)' can be \(days.joined(separator: " or "))"
    }
}

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
