import TrendyNotation
package import TrendyTerminal

/// Values over time as marks, with a line through them, usually their moving average.
package struct LineChart {
    /// One stretch of time.
    package struct Point {
        /// What is written below it, where there is room.
        package var label: String
        /// Its value, nil where it has none.
        package var value: Double?
        /// The height of the line, nil where it has none.
        package var average: Double?

        package init(label: String, value: Double? = nil, average: Double? = nil) {
            self.label = label
            self.value = value
            self.average = average
        }
    }

    package var points: [Point]
    package var color: RGBColor?
    /// Whether the values are counts: then the axis has no fractions.
    package var isWhole: Bool

    package init(points: [Point], color: RGBColor? = nil, isWhole: Bool = false) {
        self.points = points
        self.color = color
        self.isWhole = isWhole
    }

    private static let labelGap = 3

    /// The lines of the chart, its axis and the labels below it, as wide as the screen.
    package func lines(_ screen: Screen) -> [String] {
        let shown = points.flatMap { [$0.value, $0.average] }.compactMap(\.self).filter(\.isFinite)
        guard let least = shown.min(), let largest = shown.max() else { return [] }
        let leastRows = min(16, max(8, screen.width / 10))
        let scale = AxisScale(from: least, to: largest, most: leastRows / 2, isWhole: isWhole)
        let ticks = scale.ticks
        // Each step takes the same number of rows.
        let steps = max(1, ticks.count - 1)
        let rows = (leastRows - 1 + steps - 1) / steps * steps + 1
        let labels = Dictionary(
            ticks.map { (Plot.row(scale.share($0), rows), FigureText.text($0)) },
            uniquingKeysWith: { first, _ in first })
        let labelWidth = labels.values.map(\.columns).max() ?? 0
        let plot = Plot(points: points, scale: scale, columns: max(4, screen.width - labelWidth - 3), rows: rows)
        let axis: (tick: String, line: String, corner: String, floor: String) =
            screen.glyphs.isASCII ? ("+", "|", "+", "-") : ("┤", "│", "└", "─")
        var lines = (0..<rows).map { row in
            let label = (labels[row] ?? "").padded(fromColumns: labelWidth)
            return "\(label) \(labels[row] == nil ? axis.line : axis.tick)" + plot.line(row, color, screen)
        }
        let blank = String(repeating: " ", count: labelWidth + 1)
        lines.append(blank + axis.corner + String(repeating: axis.floor, count: plot.columns))
        lines.append(blank + " " + timeLabels(plot))
        return lines
    }

    /// The labels below the points, from the first on, as many as have room, each as many points after the one before.
    private func timeLabels(_ plot: Plot) -> String {
        let width = points.map(\.label.columns).max() ?? 0
        let step = points.indices.dropFirst().first { plot.column($0) >= width + Self.labelGap } ?? max(1, points.count)
        var line = ""
        for place in stride(from: 0, to: points.count, by: step) {
            let label = points[place].label
            var start = plot.column(place)
            // The label of the last point ends with the chart.
            if place == points.count - 1 { start = min(start, plot.columns - label.columns) }
            let gap = place == 0 ? 0 : Self.labelGap
            guard start >= line.columns + gap, start + label.columns <= plot.columns else { break }
            line = line.padded(toColumns: start) + label
        }
        return line
    }
}

/// The field between the axes.
private struct Plot {
    let columns: Int
    private let count: Int
    private var canvas: BrailleCanvas
    private var marks: Set<[Int]> = []

    init(points: [LineChart.Point], scale: AxisScale, columns: Int, rows: Int) {
        self.columns = columns
        count = points.count
        canvas = BrailleCanvas(columns: columns, rows: rows)
        var before: (x: Int, y: Int)?
        for (place, point) in points.enumerated() {
            if let value = point.value, value.isFinite {
                marks.insert([column(place), Self.row(scale.share(value), rows)])
            }
            guard let average = point.average, average.isFinite else {
                before = nil
                continue
            }
            let height = Double(canvas.dotRows - 1) * (1 - scale.share(average))
            let dot = (x: position(place, of: canvas.dotColumns), y: Int(height.rounded()))
            canvas.line(from: before ?? dot, to: dot)
            before = dot
        }
    }

    /// The column of a point.
    func column(_ place: Int) -> Int { position(place, of: columns) }

    /// The row at which a share of the height lies, from the top.
    static func row(_ share: Double, _ rows: Int) -> Int {
        min(rows - 1, max(0, Int((Double(rows - 1) * (1 - share)).rounded())))
    }

    private func position(_ place: Int, of width: Int) -> Int {
        count < 2 ? 0 : Int((Double(place) * Double(width - 1) / Double(count - 1)).rounded())
    }

    /// A row of the field; a value hides the line behind it.
    func line(_ row: Int, _ color: RGBColor?, _ screen: Screen) -> String {
        let isASCII = screen.glyphs.isASCII
        var line = ""
        var blanks = 0
        for column in 0..<columns {
            let mark: String
            if marks.contains([column, row]) {
                mark = screen.style.colored(LineChart.valueMark(isASCII), color)
            } else if canvas.isSet(column: column, row: row) {
                mark = isASCII ? LineChart.lineMark(true) : String(canvas.character(column: column, row: row))
            } else {
                blanks += 1
                continue
            }
            line += String(repeating: " ", count: blanks) + mark
            blanks = 0
        }
        return line
    }
}

extension LineChart {
    /// The mark of a value.
    package static func valueMark(_ isASCII: Bool) -> String { isASCII ? "o" : "•" }
    /// The mark of the line in a legend.
    package static func lineMark(_ isASCII: Bool) -> String { isASCII ? "." : "⠒" }
}

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

    /// Sets a dot, counted from the left and from the top. A dot outside is ignored.
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
