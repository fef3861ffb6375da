/// Rows of text in aligned columns, as wide as a terminal shows them.
struct TextTable {
    private let header: [String]
    private var rows: [[String]] = []

    init(_ header: String...) {
        self.header = header
    }

    var isEmpty: Bool { rows.isEmpty }

    mutating func add(_ cells: String...) {
        add(cells)
    }

    mutating func add(_ cells: [String]) {
        rows.append(cells.map(Self.singleLine))
    }

    /// The lines of the table; the last column is not padded.
    var lines: [String] {
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

    /// The lines of the table as a screen has room for them.
    ///
    /// Where they have to fit, cells of the widest columns are cut. The first column stays whole for as long as there is
    /// room for it: records are named by what stands there.
    func fitted(to screen: Screen) -> [String] {
        guard let limit = screen.limit else { return lines }
        let wanted = wantedWidths
        var least = header.map(ColumnWidths.least)
        if let first = wanted.first { least[0] = first }
        let widths = ColumnWidths.fitted(wanted, atLeast: least, limit: limit)
        return ([header] + rows).map { row in
            var line = LineBuilder(screen)
            for (column, cell) in row.enumerated() {
                if column > 0 { line.skip(ColumnWidths.gap) }
                line.add(cell, width: widths[column])
            }
            return line.line
        }
    }

    /// The columns that each column of the table takes where it has all that it wants.
    private var wantedWidths: [Int] {
        var widths = [Int](repeating: 0, count: header.count)
        for row in [header] + rows {
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.columns) }
        }
        return widths
    }

    /// Line breaks and control characters as blanks, and nothing that turns the direction of writing: a cell never
    /// breaks the table, steers the terminal or shows its text in another order than it is stored.
    static func singleLine(_ text: String) -> String {
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
