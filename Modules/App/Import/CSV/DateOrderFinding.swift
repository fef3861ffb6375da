import TrendyNotation
import TrendyTerminal

/// Whether the dates of numbers in a file have the day or the month first, as all of its rows together tell.
@MainActor
struct DateOrderFinding {
    /// How many rows are looked through for a date of numbers, before a file counts as one without.
    private static let patience = 1000

    /// The order in which they are read; nil where there are none, or where nothing tells.
    private(set) var order: DateOrder?
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
    init(
        in file: ImportFile, delimiter: UInt8, columns: [String], asked: DateOrder?, times: ColumnTimes
    ) throws {
        isAsked = asked != nil
        order = asked
        if asked == nil { try look(file, delimiter, columns, times) }
    }

    private mutating func look(
        _ file: ImportFile, _ delimiter: UInt8, _ columns: [String], _ times: ColumnTimes
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
    var text: String? {
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
    var remark: String? {
        guard !isAsked, let order, proofs[order]?.date.hasShortYear ?? true else { return nil }
        return text.map { "dates are read \($0)" }
    }

    /// Refuses a file whose dates can be read in two ways.
    ///
    /// - Throws: ``CommandFailure`` that says how to choose.
    func requireOne() throws {
        if let day = proofs[.dayFirst], let month = proofs[.monthFirst] {
            throw CommandFailure.data(
                "'\(day.text)' in line \(day.line) has the day first, and '\(month.text)' in line \(month.line) the month; "
                    + "add --dates dmy or --dates mdy, and the others are bad rows")
        }
        guard order == nil, let open else { return }
        throw CommandFailure.data(
            "no date of the file tells whether the day or the month comes first: \(Self.both(open)); "
                + "add --dates dmy or --dates mdy")
    }

    private static func both(_ open: (text: String, date: NumericDate)) -> String {
        let days = DateOrder.allCases.compactMap { open.date.day($0)?.dayText }
        return "'\(open.text)' can be \(days.joined(separator: " or "))"
    }
}
