import TrendyDomain
import TrendyNotation

/// Days as cells, a column for each week and a row for each weekday, like a contribution graph.
///
/// The weeks are cut into parts of some months. Side by side the parts are one strip; on a narrow screen they stand
/// one under the other, with cells of the same size.
struct CalendarFigure {
    let id: String
    let heading: String
    /// What is counted: `coffee`.
    let name: String
    let days: ClosedRange<CalendarDay>
    let presence: Presence
    /// The text where no day has an event.
    let empty: String?

    private static let pitch = 14.0
    private static let cell = 11.0
    /// Room above the cells for the names of the months.
    private static let top = 18.0
    private static let weeksInPart = 18

    var figure: ChartFigure {
        let map = HeatMap(days: days, counts: presence.counts)
        let starts = Array(stride(from: 0, to: map.weeks.count, by: Self.weeksInPart))
        let parts = starts.enumerated().map { number, start in
            part(number, start..<min(start + Self.weeksInPart, map.weeks.count), map)
        }
        let subject = "\(name) by day of the calendar, \(ReportDate.text(days))"
        return ChartFigure(
            id: "\(id)-figure", heading: heading, subject: subject,
            summary: empty ?? summary(of: days),
            drawings: [.element(.div, [.class: "calendar"], parts)], legend: legend(map), table: table(map))
    }

    private func part(_ number: Int, _ range: Range<Int>, _ map: HeatMap) -> HTMLNode {
        let cells = range.flatMap { week in
            map.weeks[week].enumerated().compactMap { weekday, cell in
                cell.map { mark($0, column: week - range.lowerBound, row: weekday) }
            }
        }
        let shown = map.weeks[range].joined().compactMap { $0 }
        let span = shown.first.flatMap { first in shown.last.map { first.day...$0.day } } ?? days
        let width = SVG.number(Double(range.count) * Self.pitch)
        let height = Self.top + 7 * Self.pitch
        return ChartFigure.drawing(
            id: "\(id)-\(number)", title: "\(name), \(ReportDate.text(span))",
            description: summary(of: span), class: "part", height: height,
            viewBox: "0 0 \(width) \(SVG.number(height))", width: width,
            months(range, map) + names(map) + cells)
    }

    private func summary(of days: ClosedRange<CalendarDay>) -> String {
        presence.counts.summary(of: days, events: presence.events(on: days), date: ReportDate.text)
    }

    private func mark(_ cell: HeatMap.Cell, column: Int, row: Int) -> HTMLNode {
        .element(
            .rect,
            [
                .class: "day level-\(cell.level)", .x: SVG.number(Double(column) * Self.pitch),
                .y: SVG.number(Self.top + Double(row) * Self.pitch), .width: SVG.number(Self.cell),
                .height: SVG.number(Self.cell), .rx: "2",
            ],
            cell.count == 0
                ? [] : [.element(.title, [:], "\(ReportDate.text(.day(cell.day))): \(counted(cell.count, "event"))")])
    }

    /// The names of every other weekday, beside the first week.
    private func names(_ map: HeatMap) -> [HTMLNode] {
        weekdays(map).enumerated().compactMap { row, name -> HTMLNode? in
            guard row % 2 == 0, row < 6 else { return nil }
            let y = Self.top + Double(row) * Self.pitch + 9
            return .element(.text, [.class: "weekday", .x: "-6", .y: SVG.number(y), .textAnchor: "end"], name)
        }
    }

    /// Short names of the weekdays, in the order of the rows.
    private func weekdays(_ map: HeatMap) -> [String] { map.weekStart.week.map { String($0.description.prefix(3)) } }

    /// The names of the months above their first weeks, where there is room.
    private func months(_ range: Range<Int>, _ map: HeatMap) -> [HTMLNode] {
        let starts = map.monthStarts.filter { range.contains($0.column) }
        return zip(starts, starts.dropFirst().map(\.column) + [range.upperBound + 2]).compactMap { start, next in
            guard next - start.column >= 2 else { return nil }
            let x = Double(start.column - range.lowerBound) * Self.pitch
            let name = CivilTime.monthNames[start.month.month - 1]
            return .element(.text, [.class: "month", .x: SVG.number(x), .y: "10"], name)
        }
    }

    private func legend(_ map: HeatMap) -> HTMLNode {
        let keys =
            [(0, "0")]
            + map.levels.enumerated().compactMap { place, range in
                range.map { (place + 1, $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)") }
            }
        return .element(
            .p, [.class: "legend"],
            [.text("Events a day: ")]
                + keys.map { level, text in
                    .element(
                        .span, [:],
                        [.element(.span, [.class: "key level-\(level)", .ariaHidden: "true"]), .text(text)])
                })
    }

    /// The counts, a row for each week with events.
    private func table(_ map: HeatMap) -> DataTable {
        let rows = map.weeks.compactMap { week -> [String]? in
            guard week.contains(where: { ($0?.count ?? 0) > 0 }), let first = week.lazy.compactMap(\.self).first else {
                return nil
            }
            let start = CalendarWeek(containing: first.day, from: map.weekStart).firstDay
            return [ReportDate.text(start)] + week.map { $0.map { FigureText.text($0.count) } ?? "" }
        }
        return DataTable(header: ["Week of"] + weekdays(map), rows: rows)
    }
}
