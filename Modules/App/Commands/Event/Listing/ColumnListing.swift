import TrendyDomain
import TrendyTerminal

/// Events as a table of chosen columns, in constant memory.
///
/// The first rows determine the widths of the columns. A longer value in a later row is cut if lines must fit the
/// screen, and otherwise moves the rest of its line to the right.
@MainActor
struct ColumnListing {
    private static let measuredRows = 200

    private let columns: [EventColumn]
    private let text: EventText
    private let screen: Screen
    private var rows: [[String]] = []
    private var widths: [Int]?

    init(_ columns: [EventColumn], _ text: EventText, _ screen: Screen) {
        self.columns = columns
        self.text = text
        self.screen = screen
    }

    /// The lines that can be shown after one more event.
    mutating func lines(_ record: LocalRecord<Event>) -> [String] {
        let row = columns.map { text.text($0, record) }
        if let widths { return [line(row, widths)] }
        rows.append(row)
        return rows.count < Self.measuredRows ? [] : start()
    }

    /// The remaining lines, after the last event.
    mutating func end() -> [String] {
        widths == nil && !rows.isEmpty ? start() : []
    }

    /// Sets the widths, and returns the lines so far.
    private mutating func start() -> [String] {
        let titles = columns.map(\.title)
        var widths = titles.map(\.columns)
        for row in rows {
            for (place, cell) in row.enumerated() { widths[place] = max(widths[place], cell.columns) }
        }
        widths = fitted(widths, titles)
        self.widths = widths
        defer { rows = [] }
        let head = screen.style.bold(line(titles, widths))
        return [head] + rows.map { line($0, widths) }
    }

    /// Narrows the widest columns until all fit, but none below its title.
    private func fitted(_ wanted: [Int], _ titles: [String]) -> [Int] {
        guard let limit = screen.limit else { return wanted }
        return ColumnWidths.fitted(wanted, atLeast: titles.map(ColumnWidths.least), limit: limit)
    }

    private func line(_ row: [String], _ widths: [Int]) -> String {
        var line = LineBuilder(screen)
        for (place, cell) in row.enumerated() {
            if place > 0 { line.skip(ColumnWidths.gap) }
            if screen.limit != nil {
                line.add(cell, width: widths[place])
            } else {
                line.add(cell)
                if place + 1 < row.count { line.skip(max(0, widths[place] - cell.columns)) }
            }
        }
        return line.line
    }
}
