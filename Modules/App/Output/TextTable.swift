/// Rows of text in aligned columns.
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
        let all = [header] + rows
        var widths = [Int](repeating: 0, count: header.count)
        for row in all {
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) }
        }
        return all.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if column + 1 < row.count {
                    line += String(repeating: " ", count: widths[column] - cell.count + 2)
                }
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Line breaks and control characters as blanks: a cell never breaks the table or steers the terminal.
    static func singleLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(result)
    }
}
