import TrendyDomain
import TrendyNotation

/// Detects CSV files whose times are days without a time of day.
@MainActor
package struct DayColumns {
    package enum Finding: Equatable {
        /// There are times of day, or no days.
        case times
        /// There are only days.
        case days
        /// There are only days, but a column with times of day is not read.
        case unreadClocks(column: String)
    }

    /// The number of rows to examine for times of day.
    private static let patience = 1000

    package let times: ColumnTimes

    package init(times: ColumnTimes) {
        self.times = times
    }

    /// Makes the events all-day events if the times are days and the person did not decide otherwise.
    package func complete(
        _ request: inout ImportColumns.Request, of file: some RereadableFile, delimiter: UInt8
    ) throws -> Finding {
        guard request.allDay == nil, request.clock == nil else { return .times }
        let finding = try finding(request, in: file, delimiter: delimiter)
        if finding == .days { request.allDay = "=yes" }
        return finding
    }

    /// Searches for the first time of day; bad rows are ignored.
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

    /// Whether the name of a column means durations, so that `0:45` is not a time of day.
    private static func namesLengths(_ name: String) -> Bool {
        let plain = ColumnGuess.plain(name)
        return ["duration", "dauer", "length", "elapsed", "hours", "stunden", "break", "pause"]
            .contains { plain.contains($0) }
    }
}

/// Counts the times of day in unread columns.
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

    /// The first column with mostly times of day.
    var clocks: Int? {
        counts.firstIndex { $0.clocks * 2 > $0.filled }.map { columns[$0] }
    }
}

extension DayColumns.Finding {
    /// The remark if the person named the columns.
    package var remark: String? {
        switch self {
        case .times: nil
        case .days: "no row has a time of day, so all events are all-day events; to change that, add --all-day =no"
        case .unreadClocks(let column):
            "the column \(quoted(column)) has times of day, but it is not used; add --clock \(quoted(column)) to use it, "
                + "or --all-day =yes for all-day events"
        }
    }
}
