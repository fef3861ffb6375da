package import TrendyTerminal

/// Horizontal bars, each between its label and its figure.
package struct BarChart {
    package struct Bar {
        package var label: String
        /// The value that sets the length of the bar; a negative value counts as zero.
        package var value: Double
        /// The value as it is written behind the bar.
        package var figure: String
        package var color: RGBColor?

        package init(label: String, value: Double, figure: String, color: RGBColor? = nil) {
            self.label = label
            self.value = value
            self.figure = figure
            self.color = color
        }
    }

    package var bars: [Bar]
    /// Whether labels are aligned to the right, like numbers.
    var alignsLabelsRight = false

    package init(bars: [Bar], alignsLabelsRight: Bool = false) {
        self.bars = bars
        self.alignsLabelsRight = alignsLabelsRight
    }

    private static let gap = 2

    /// The lines, a bar each, as wide as the screen.
    package func lines(_ screen: Screen) -> [String] {
        let widest = bars.map(\.label.columns).max() ?? 0
        let labelWidth = min(widest, max(8, screen.width / 3))
        let figureWidth = bars.map(\.figure.columns).max() ?? 0
        let room = max(1, screen.width - labelWidth - Self.gap - 1 - figureWidth)
        let largest = bars.map(\.value).filter(\.isFinite).max() ?? 0
        return bars.map { bar in
            let label = bar.label.truncated(toColumns: labelWidth, ellipsis: screen.glyphs.ellipsis)
            let blocks = Self.blocks(bar.value, of: largest, room: room, isASCII: screen.glyphs.isASCII)
            let head = alignsLabelsRight ? label.padded(fromColumns: labelWidth) : label.padded(toColumns: labelWidth)
            let body = blocks.isEmpty ? "" : screen.style.colored(blocks, bar.color) + " "
            return head + String(repeating: " ", count: Self.gap) + body + bar.figure
        }
    }

    /// The bar of a value. The bar of the largest value takes all the room.
    ///
    /// Its length is rounded to an eighth of a column (Unicode, "Block Elements", U+2588 to U+258F). A value above zero
    /// always has a bar.
    package static func blocks(_ value: Double, of largest: Double, room: Int, isASCII: Bool) -> String {
        guard value.isFinite, value > 0, largest > 0, room > 0 else { return "" }
        let share = min(value / largest, 1) * Double(room)
        if isASCII { return String(repeating: "#", count: min(room, max(1, Int(share.rounded())))) }
        let eighths = min(8 * room, max(1, Int((share * 8).rounded())))
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + rest
    }
}
