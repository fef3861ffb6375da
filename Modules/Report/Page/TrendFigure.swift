import TrendyDomain
import TrendyNotation

/// Values over time as dots, and their moving average as a line.
@MainActor
struct TrendFigure {
    let id: String
    let heading: String
    let report: TrendReport

    private static let height = 150.0
    /// The largest number of dots. More would run together.
    private static let mostDots = 200
    /// The width of the coordinates of the line, which is stretched to the chart.
    private static let fieldWidth = 1000.0

    private var points: [TrendSeries.Point] { report.series.points }

    /// Nil where there is nothing to draw.
    var figure: ChartFigure? {
        let shown = points.flatMap { [$0.value, $0.movingAverage] }.compactMap(\.self).filter(\.isFinite)
        guard let least = shown.min(), let largest = shown.max() else { return nil }
        let axis = ChartAxis(
            scale: AxisScale(from: least, to: largest, most: 4, isWhole: report.isCount), height: Self.height)
        let series = report.series
        let way = report.property == nil ? "" : ", \(series.aggregation.rawValue)"
        let subject = "\(report.title) by \(series.period.rawValue)\(way)"
        let labels = points.map { ReportDate.label($0.bucket) }
        let drawing = ChartFigure.drawing(
            id: id, title: subject, description: report.statement, class: axis.roomClass, height: axis.totalHeight,
            axis.grid + dots(axis) + [lines(axis)]
                + axis.labels(labels, at: points.indices.map(share), of: series.period))
        return ChartFigure(
            id: "\(id)-figure", heading: "\(heading) since \(ReportDate.text(report.first))", subject: subject,
            summary: report.statement, drawings: [drawing],
            legend: legend, table: table)
    }

    private var legend: HTMLNode {
        let series = report.series
        let mark = { (name: String) in HTMLNode.element(.span, [.class: name, .ariaHidden: "true"]) }
        let name = report.property == nil ? "events" : series.aggregation.rawValue
        return .element(
            .p, [.class: "legend"],
            [
                .element(.span, [:], [mark("dot"), .text("\(name) of one \(series.period.rawValue)")]),
                .element(
                    .span, [:],
                    [mark("dash"), .text("average of \(counted(series.window, series.period.rawValue))")]),
            ])
    }

    private var table: DataTable {
        let figure = { (value: Double?) in value.map(FigureText.text) ?? "–" }
        return DataTable(
            header: [
                ReportDate.title(report.series.period.rawValue),
                report.property == nil ? "Events" : ReportDate.title(report.series.aggregation.rawValue), "Average",
            ],
            rows: points.map { [ReportDate.text($0.bucket), figure($0.value), figure($0.movingAverage)] })
    }

    private func share(_ place: Int) -> Double {
        points.count < 2 ? 0 : Double(place) / Double(points.count - 1)
    }

    private func dots(_ axis: ChartAxis) -> [HTMLNode] {
        guard points.count <= Self.mostDots else { return [] }
        return points.enumerated().compactMap { place, point -> HTMLNode? in
            guard let value = point.value, value.isFinite else { return nil }
            return .element(
                .circle,
                [
                    .class: point.isComplete ? "dot" : "dot open", .cx: SVG.percent(share(place)),
                    .cy: SVG.number(axis.y(value)), .r: "2.75",
                ],
                [.element(.title, [:], "\(ReportDate.text(point.bucket)): \(FigureText.text(value))")])
        }
    }

    /// The line in a drawing of its own, which is stretched to the width of the chart.
    private func lines(_ axis: ChartAxis) -> HTMLNode {
        var stretches: [[String]] = [[]]
        for (place, point) in points.enumerated() {
            if let average = point.movingAverage, average.isFinite {
                let x = SVG.number(share(place) * Self.fieldWidth)
                stretches[stretches.count - 1].append("\(x),\(SVG.number(axis.y(average)))")
            } else if stretches.last?.isEmpty == false {
                stretches.append([])
            }
        }
        let height = SVG.number(axis.totalHeight)
        return .element(
            .svg,
            [
                .class: "field", .width: "100%", .height: height, .preserveAspectRatio: "none",
                .viewBox: "0 0 \(SVG.number(Self.fieldWidth)) \(height)",
            ],
            stretches.filter { !$0.isEmpty }.map { stretch in
                // A single point is seen as a dot of the line's width.
                let ends = stretch.count == 1 ? stretch + stretch : stretch
                return .element(
                    .polyline,
                    [.class: "average", .vectorEffect: "non-scaling-stroke", .points: ends.joined(separator: " ")])
            })
    }
}
