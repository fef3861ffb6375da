import TrendyTerminal

/// A field of dots, two by four in each column and row of a terminal.
struct BrailleCanvas {
    let columns: Int
    let rows: Int
    private var cells: [UInt8]

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = [UInt8](repeating: 0, count: columns * rows)
    }

    var dotColumns: Int { columns * 2 }
    var dotRows: Int { rows * 4 }

    /// The bit of each dot, by its column and row within a cell (Unicode, "Braille Patterns": U+2800 and the dots 1 to
    /// 8 as bits).
    private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

    /// Sets a dot, counted from the left and from the top; what is outside is left out.
    mutating func set(_ x: Int, _ y: Int) {
        guard (0..<dotColumns).contains(x), (0..<dotRows).contains(y) else { return }
        cells[y / 4 * columns + x / 2] |= Self.bits[x % 2][y % 4]
    }

    /// Sets the dots from one to another.
    mutating func line(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) {
        let steps = max(abs(end.x - start.x), abs(end.y - start.y), 1)
        for step in 0...steps {
            let share = Double(step) / Double(steps)
            set(
                start.x + Int((Double(end.x - start.x) * share).rounded()),
                start.y + Int((Double(end.y - start.y) * share).rounded()))
        }
    }

    /// Whether the cell has a dot.
    func isSet(column: Int, row: Int) -> Bool { cells[row * columns + column] != 0 }

    /// The cell as a character; a blank where it has no dot.
    func character(column: Int, row: Int) -> Character {
        let bits = cells[row * columns + column]
        guard bits != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(bits)) else { return " " }
        return Character(scalar)
    }
}
