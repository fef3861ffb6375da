import TrendyDomain
import TrendyNotation

/// Whether the times of a CSV file are days, without a time of day in any row.
@MainActor
package struct DayColumns {
    /// What the rows of a file have.
    package enum Finding: Equatable {
        /// Times of day, or no days.
        case times
        /// Days alone.
        case days
        /// Days, beside a column of times of day that nothing is read from.
        case unreadClocks(column: String)
    }

    /// How many rows tell whether a column has times of day.
    private static let patience = 1000

    package let times: ColumnTimes

    package init(times: ColumnTimes) {
        self.times = times
    }

    /// Makes the events of a file events of whole days, where its times are days and nobody has said otherwise.
    package func complete(
        _ request: inout ImportColumns.Request, of file: some RereadableFile, delimiter: UInt8
    ) throws -> Finding {
        guard request.allDay == nil, request.clock == nil else { return .times }
        let finding = try finding(request, in: file, delimiter: delimiter)
        if finding == .days { request.allDay = "=yes" }
        return finding
    }

    /// Looks until the first time of day; what is no time at all is a bad row, and tells nothing.
    private func finding(
        _ request: ImportColumns.Request, in file: some RereadableFile, delimiter: UInt8
    ) throws -> Finding {
        var csv = CSVReader(try file.source(), delimiter: delimiter)
        let names = ImportColumns.names(try csv.header()) ?? []
        let folded = names.map { $0.lowercased() }
        let place = { (column: String) in folded.firstIndex(of: Names.trimmed(column).lowercased()) }
        let wanted = request.times.compactMap(place)
        let read = Set((request.named + request.known.map { $0.column }).compactMap(place))
        var others = UnreadColumns(names.indices.filter { !read.contains($0) && !Self.namesLengths(names[$0]) })
        var (hasDay, rows) = (false, 0)
        while let next = try csv.next() {
            guard case .success(let row) = next, row.count == names.count else { continue }
            rows += 1
            if rows <= Self.patience { others.look(at: row) }
            for column in wanted {
                guard let text = row.text(column) else { continue }
                if times.isDay(text) {
                    hasDay = true
                } else if times.moment(text) != nil {
                    return .times
                }
            }
        }
        guard hasDay else { return .times }
        if let column = others.clocks { return .unreadClocks(column: names[column]) }
        return .days
    }

    /// Whether a column has lengths of time by its name: `0:45` is no time of day there.
    private static func namesLengths(_ name: String) -> Bool {
        let plain = ColumnGuess.plain(name)
        return ["duration", "dauer", "length", "elapsed", "hours", "stunden", "break", "pause"]
            .contains { plain.contains($0) }
    }
}

/// Counts the times of day in columns that nothing is read from.
private struct UnreadColumns {
    private let columns: [Int]
    private var counts: [(clocks: Int, filled: Int)]

    init(_ columns: [Int]) {
        self.columns = columns
        counts = columns.map { _ in (0, 0) }
    }

    mutating func look(at row: CSVRow) {
        for (place, column) in columns.enumerated() {
            guard let text = row.text(column).map(Names.trimmed), !text.isEmpty else { continue }
            counts[place].filled += 1
            if ClockTime.isAlone(in: text) { counts[place].clocks += 1 }
        }
    }

    /// The first column that mostly has times of day.
    var clocks: Int? {
        counts.firstIndex { $0.clocks * 2 > $0.filled }.map { columns[$0] }
    }
}

extension DayColumns.Finding {
    /// What a person has to know of it, where the columns are named.
    package var remark: String? {
        switch self {
        case .times: nil
        case .days: "no row has a time of day, so that the events last whole days; --all-day =no changes that"
        case .unreadClocks(let column):
            "the events do not last whole days, because the column \(quoted(column)) has times of day, which are not "
                + "read; --clock \(quoted(column)) reads them, --all-day =yes makes whole days"
        }
    }
}
