package import TrendyTerminal

/// Days as cells, a column for each week and a row for each weekday, like a contribution graph.
package struct HeatMapChart {
    /// A label above the week in which something begins.
    package struct Label {
        package var text: String
        package var week: Int

        package init(text: String, week: Int) {
            self.text = text
            self.week = week
        }
    }

    /// The weeks in order of time, each with a level from 0 to 4 for every weekday; nil for days that are not shown.
    package var weeks: [[Int?]]
    /// The names of the months.
    package var months: [Label]
    /// The counts that the levels from 1 to 4 stand for; nil for a level that no day has.
    package var levels: [ClosedRange<Int>?]
    /// The names of the rows, of three columns.
    package var weekdays: [String]
    package var color: RGBColor?

    package init(
        weeks: [[Int?]], months: [Label], levels: [ClosedRange<Int>?], weekdays: [String], color: RGBColor? = nil
    ) {
        self.weekdays = weekdays
        self.weeks = weeks
        self.months = months
        self.levels = levels
        self.color = color
    }

    private static let labelWidth = 4

    /// The lines of the map and of its legend. Where the screen is too narrow the weeks are broken into several rows.
    package func lines(_ screen: Screen) -> [String] {
        let room = max(1, screen.width - Self.labelWidth)
        let cellWidth = weeks.count * 2 <= room ? 2 : 1
        let perRow = max(1, room / cellWidth)
        // As many weeks in each row, so that the last one is not a stub.
        let rows = max(1, (weeks.count + perRow - 1) / perRow)
        let length = max(1, (weeks.count + rows - 1) / rows)
        var lines: [String] = []
        for start in stride(from: 0, to: weeks.count, by: length) {
            if start > 0 { lines.append("") }
            let range = start..<min(start + length, weeks.count)
            lines += part(range, cellWidth, screen)
        }
        return lines + ["", legend(screen)]
    }

    private func part(_ range: Range<Int>, _ cellWidth: Int, _ screen: Screen) -> [String] {
        var lines = [head(range, cellWidth)]
        for weekday in weekdays.indices {
            var line = weekdays[weekday].padded(toColumns: Self.labelWidth)
            var isEmpty = true
            for week in range {
                let level = weekday < weeks[week].count ? weeks[week][weekday] : nil
                isEmpty = isEmpty && level == nil
                let mark = level.map { cell($0, screen) } ?? " "
                line += mark + (cellWidth == 2 ? " " : "")
            }
            while line.last == " " { line.removeLast() }
            lines.append(isEmpty ? weekdays[weekday] : line)
        }
        return lines
    }

    /// The names of the months over the weeks in which they begin; those without room are left out.
    private func head(_ range: Range<Int>, _ cellWidth: Int) -> String {
        var line = String(repeating: " ", count: Self.labelWidth)
        let width = Self.labelWidth + range.count * cellWidth
        for month in labels(range, cellWidth) {
            let column = Self.labelWidth + (month.week - range.lowerBound) * cellWidth
            let isFirst = line.allSatisfy { $0 == " " }
            guard column >= line.columns + (isFirst ? 0 : 1), column + month.text.columns <= width else { continue }
            line = line.padded(toColumns: column) + month.text
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// The months that begin within some weeks, after the month before them where it has room.
    private func labels(_ range: Range<Int>, _ cellWidth: Int) -> [Label] {
        var shown = months.filter { range.contains($0.week) }
        if var before = months.last(where: { $0.week < range.lowerBound }), shown.first?.week != range.lowerBound {
            before.week = range.lowerBound
            shown.insert(before, at: 0)
        }
        guard shown.count > 1 else { return shown }
        let room = (shown[1].week - shown[0].week) * cellWidth
        return room > shown[0].text.columns ? shown : Array(shown.dropFirst())
    }

    /// What the levels mean: `· 0  ░ 1  ▒ 2-3`.
    private func legend(_ screen: Screen) -> String {
        var line = LineBuilder(screen)
        line.skip(Self.labelWidth)
        line.add("\(Self.mark(0, screen.glyphs)) 0")
        for (place, range) in levels.enumerated() {
            guard let range else { continue }
            let counts =
                range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)\(screen.glyphs.none)\(range.upperBound)"
            line.skip(2)
            line.add(Self.mark(place + 1, screen.glyphs)) { screen.style.colored($0, color) }
            line.add(" \(counts)")
        }
        return line.line
    }

    private func cell(_ level: Int, _ screen: Screen) -> String {
        let mark = Self.mark(level, screen.glyphs)
        return level == 0 ? screen.style.faint(mark) : screen.style.colored(mark, color)
    }

    /// The mark of a level. Higher levels have denser marks, which can be read without colours.
    package static func mark(_ level: Int, _ glyphs: Glyphs) -> String {
        let marks = glyphs.isASCII ? [".", "-", "+", "*", "#"] : ["·", "░", "▒", "▓", "█"]
        return marks[min(max(level, 0), marks.count - 1)]
    }
}
