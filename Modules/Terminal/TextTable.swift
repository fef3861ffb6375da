/// A table with aligned columns.
package struct TextTable {
    private let header: [String]
    private let spare: [String]
    private let elastic: String?
    private var rows: [[String]] = []

    /// - Parameters:
    ///   - header: The titles of the columns.
    ///   - spare: The titles of columns that can be left out, the least important first. Columns without text are left out
    ///     before them.
    ///   - elastic: The title of a column that is cut before a spare column with text is left out.
    package init(_ header: String..., spare: [String] = [], elastic: String? = nil) {
        self.header = header
        self.spare = spare
        self.elastic = elastic
    }

    package var isEmpty: Bool { rows.isEmpty }

    package mutating func add(_ cells: String...) {
        add(cells)
    }

    package mutating func add(_ cells: [String]) {
        rows.append(cells.map(Self.singleLine))
    }

    /// The lines of the table; the last column is not padded.
    package var lines: [String] {
        let widths = wantedWidths
        return ([header] + rows).map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if column + 1 < row.count {
                    line += String(repeating: " ", count: widths[column] - cell.columns + ColumnWidths.gap)
                }
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The lines of the table for a screen.
    ///
    /// If they must fit, spare columns are left out, and then the widest columns are cut. The first column is cut last,
    /// because it has the ids or names of records.
    package func fitted(to screen: Screen) -> [String] {
        guard let limit = screen.limit else { return lines }
        let wanted = wantedWidths
        let shown = shownColumns(wanted, limit)
        let widths = ColumnWidths.fitted(
            shown.map { wanted[$0] }, atLeast: leastWidths(shown, wanted, limit), limit: limit)
        return ([header] + rows).map { row in
            var line = LineBuilder(screen)
            for (place, column) in shown.enumerated() {
                if place > 0 { line.skip(ColumnWidths.gap) }
                line.add(row[column], width: widths[place])
            }
            return line.line
        }
    }

    /// The positions of the shown columns.
    private func shownColumns(_ wanted: [Int], _ limit: Int) -> [Int] {
        var shown = Array(header.indices)
        for column in leaving {
            if ColumnWidths.total(uncutWidths(shown, wanted)) <= limit { break }
            shown.removeAll { $0 == column }
        }
        return shown
    }

    /// The positions of the columns that can be left out, in this order.
    private var leaving: [Int] {
        if spare.isEmpty { return [] }
        let empty = header.indices.dropFirst().filter { column in rows.allSatisfy { $0[column].isEmpty } }
        return empty + spare.compactMap { title in header.firstIndex(of: title) }
    }

    /// The widths at which only the elastic column is cut.
    private func uncutWidths(_ shown: [Int], _ wanted: [Int]) -> [Int] {
        shown.map { column in
            let title = header[column]
            return title == elastic ? min(wanted[column], ColumnWidths.least(title)) : wanted[column]
        }
    }

    /// The minimum widths of the shown columns.
    private func leastWidths(_ shown: [Int], _ wanted: [Int], _ limit: Int) -> [Int] {
        let uncut = uncutWidths(shown, wanted)
        if ColumnWidths.total(uncut) <= limit { return uncut }
        return shown.map { $0 == 0 ? wanted[0] : ColumnWidths.least(header[$0]) }
    }

    /// The natural widths of the columns.
    private var wantedWidths: [Int] {
        var widths = [Int](repeating: 0, count: header.count)
        for row in [header] + rows {
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.columns) }
        }
        return widths
    }

    /// The text without line breaks, control characters and direction marks, so that a cell cannot break the table, control
    /// the terminal, or show its text in a wrong order.
    package static func singleLine(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: result.append(" ")
            case .format where isDirection(scalar): break
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// The embeddings, overrides and isolates of the bidirectional algorithm (Unicode Standard Annex #9, section 2).
    private static func isDirection(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
}

/// Distributes the width of a screen among the columns of a table.
package enum ColumnWidths {
    /// The number of blanks between two columns.
    package static let gap = 2

    /// Narrows the widest columns until all fit, but none below its minimum.
    ///
    /// If that is not enough, the widths are still too large, and lines must be cut.
    package static func fitted(_ wanted: [Int], atLeast least: [Int], limit: Int) -> [Int] {
        var widths = wanted
        var excess = total(widths) - limit
        while excess > 0 {
            let places = widths.indices.filter { widths[$0] > least[$0] }
            guard let widest = places.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    /// The total width of columns.
    package static func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + gap * (widths.count - 1) }

    /// The minimum width for a readable title.
    package static func least(_ title: String) -> Int { max(4, title.columns) }
}

/// A list of facts, one per line, with their names in a column.
package enum FactLines {
    /// The lines, without facts that have no value.
    ///
    /// - Parameter keepsLines: Whether line breaks of values are kept.
    package static func of(_ facts: [(name: String, value: String?)], keepsLines: Bool = false) -> [String] {
        let present = facts.compactMap { fact in fact.value.map { (fact.name, $0) } }
        let width = (present.map(\.0.columns).max() ?? 0) + 2
        return present.flatMap { name, value -> [String] in
            let texts = keepsLines ? lines(of: value) : [value]
            return texts.enumerated().map { place, text -> String in
                let title = place == 0 ? name : ""
                if place > 0, text.isEmpty { return "" }
                return title + String(repeating: " ", count: width - title.columns) + TextTable.singleLine(text)
            }
        }
    }

    /// The lines of a text, without empty lines at the end.
    private static func lines(of text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        while lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
