import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Counts as columns side by side.
struct ColumnChart {
    var id: String
    var heading: String
    /// What is counted: `coffee`.
    var name: String
    var series: CountSeries
    /// The current day. A stretch that is not over is drawn lighter.
    var today: CalendarDay
    /// The first day that the chart shows.
    var first: CalendarDay?
    /// The text where there are no events.
    var empty: String?

    private static let height = 120.0
    /// The part of its place that a column takes.
    private static let fill = 0.76

    var figure: ChartFigure {
        let largest = max(1, series.largest)
        let axis = ChartAxis(
            scale: AxisScale(from: 0, to: Double(largest), most: 4, isWhole: true), height: Self.height)
        let subject = "\(name) by \(series.grouping.rawValue)"
        let drawing = ChartFigure.drawing(
            id: id, title: subject, description: description, class: axis.roomClass, height: axis.totalHeight,
            axis.grid + columns(axis) + labels(axis))
        let unit = ReportDate.title(series.grouping.rawValue)
        return ChartFigure(
            id: "\(id)-figure", heading: heading, subject: subject, summary: summary, drawings: [drawing],
            table: DataTable(
                header: [unit, "Events"],
                rows: series.buckets.map { [ReportDate.text($0.bucket), FigureText.text($0.count)] }))
    }

    private var summary: String {
        if let empty { return empty }
        let summary = series.summary(from: first.map { " since \(ReportDate.text($0))" } ?? "")
        return isLastOpen ? "\(summary); the last \(series.grouping.rawValue) is not over" : summary
    }

    private var description: String {
        guard let most = series.buckets.max(by: { $0.count < $1.count }), most.count > 0 else { return summary }
        return "\(summary). Largest: \(ReportDate.text(most.bucket)), \(FigureText.text(most.count))."
    }

    private var isLastOpen: Bool { series.buckets.last.map(isOpen) ?? false }

    /// A week or month that has just begun would look like a fall. The column of today is drawn as usual.
    private func isOpen(_ bucket: CountSeries.Bucket) -> Bool {
        bucket.bucket.days.map { $0.contains(today) && $0.upperBound > today } ?? false
    }

    private func start(_ place: Int) -> Double { Double(place) / Double(max(1, series.buckets.count)) }

    private func columns(_ axis: ChartAxis) -> [HTMLNode] {
        let floor = axis.y(0)
        return series.buckets.enumerated().compactMap { place, bucket -> HTMLNode? in
            guard bucket.count > 0 else { return nil }
            // What is not zero is always seen.
            let height = max(1.5, floor - axis.y(Double(bucket.count)))
            let width = 1 / Double(series.buckets.count)
            return .element(
                .rect,
                [
                    .class: isOpen(bucket) ? "mark open" : "mark",
                    .x: SVG.percent(start(place) + width * (1 - Self.fill) / 2), .y: SVG.number(floor - height),
                    .width: SVG.percent(width * Self.fill), .height: SVG.number(height), .rx: "1.5",
                ],
                [.element(.title, [:], "\(ReportDate.text(bucket.bucket)): \(counted(bucket.count, "event"))")])
        }
    }

    private func labels(_ axis: ChartAxis) -> [HTMLNode] {
        let labels = series.buckets.map { ReportDate.label($0.bucket) }
        switch series.grouping {
        case .weekday:
            return labels.enumerated().map { place, label in
                axis.label(label, at: start(place) + start(1) / 2, anchor: "middle")
            }
        case .hour:
            return stride(from: 0, to: labels.count, by: 3).map { place in
                axis.label(
                    labels[place], at: start(place) + start(1) / 2, anchor: "middle",
                    class: place % 6 == 0 ? "time" : "time wide")
            }
        case .day, .week, .month:
            return axis.labels(labels, at: labels.indices.map(start), of: series.grouping.period)
        }
    }
}
