import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// What the command `stats` shows: bars between a title and a summary, or the same as JSON.
@MainActor
struct BarReport {
    struct Request {
        var query: EventQuery
        /// The aggregated value; nil to count events.
        var measure: Measure?
        var aggregation: Aggregation
        var order: BarOrder?

        var since: Timestamp? { query.filter.since }
        var until: Timestamp? { query.filter.until }

        /// The title: what is measured, of which events, by what and when.
        func title(by name: String, _ window: CountWindow) -> String {
            let events = query.name ?? "all types"
            let subject = measure.map { "\($0.title) of \(events)" } ?? events
            let way = measure == nil ? "" : ", \(aggregation.rawValue)"
            return "\(subject) by \(name)\(way)" + (window.name.map { ", \($0)" } ?? "")
        }

        /// A value as people write it.
        func figure(_ value: Double) -> String { measure?.figure(value, aggregation) ?? FigureText.text(value) }

        /// The aggregate of all bars, and the number of events.
        func summary(_ value: Double?, _ count: Int) -> String {
            let events = FigureText.counted(count, "event")
            if measure == nil { return events }
            return "\(value.map(figure) ?? "nothing")\(aggregation.way) in \(events)"
        }

        /// The answer if no bar has an event.
        @MainActor
        func empty(_ histories: StatisticsReader, _ stretch: String?) throws -> EmptyPeriod {
            let others = try histories.days(of: measure?.part ?? .all, type: nil)
            return EmptyPeriod(
                measure: measure, query: query, stretch: stretch, others: others,
                option: CountWindow.option(others, hasEnd: until != nil))
        }
    }

    /// One bar.
    struct Row {
        var label: String
        /// How the type of the bar is shown, if each bar is a type.
        var face: TypeFace?
        var typeId: String?
        /// The label in JSON; nil for events without a value of the property.
        var bucket: JSONValue?
        /// The length of the bar; nil if there is no value.
        var value: Double?
        var count: Int
    }

    let request: Request
    /// The grouping: `week`, `type` or the key of a property.
    let by: String
    let window: CountWindow
    var title: String?
    let rows: [Row]
    /// How many bars are shown; JSON has all.
    var most = Int.max
    /// The aggregate of all bars.
    var value: Double?
    let count: Int
    /// Whether the number of events is `total` in JSON, and not `count`.
    var hasTotal = false
    let summary: String
    /// The number of events that fit no bar, as all-day events by hour; nil if that cannot happen.
    var withoutBucket: Int?
    /// The remark if there are too many bars to show.
    var remark: String?
    /// The number of events that are not shown; nil if all are.
    var leftOut: Int?
    /// The answer if there are no events; nil if there are some.
    let empty: EmptyPeriod?

    /// Writes bars, or JSON with `--json`.
    func write(to context: CommandContext, on screen: Screen) throws {
        if let remark { try context.remark(remark) }
        if context.wantsJSON { return try context.output.json(json) }
        try context.show(lines(screen), or: empty, on: screen)
    }

    private func lines(_ screen: Screen) -> [String] {
        let shown = rows.prefix(most)
        let faces = shown.compactMap(\.face)
        let labels = faces.count == shown.count ? TypeFace.labels(faces, on: screen) : shown.map(\.label)
        let color = request.query.type.flatMap { RGBColor(hex: $0.color) }
        let chart = BarChart(
            bars: zip(shown, labels).map { row, label in
                BarChart.Bar(
                    label: label, value: row.value ?? 0,
                    figure: row.value.map(request.figure) ?? screen.glyphs.none, color: row.face?.color ?? color)
            })
        var head: [String] = []
        if let title {
            var line = LineBuilder(screen)
            line.add(TextTable.singleLine(title)) { screen.style.bold($0) }
            head = [line.line, ""]
        }
        return head + chart.lines(screen) + [""] + TextWrap.lines(summary, columns: screen.width)
    }

    private var json: BucketsJSON {
        let measure = request.measure
        let isDuration = measure?.isDuration == true && request.aggregation != .count
        let number = { (value: Double?) in measure == nil || isDuration ? nil : value }
        let seconds = { (value: Double?) in isDuration ? value.map(Measure.seconds) : nil }
        return BucketsJSON(
            by: by, property: measure?.key, aggregation: measure == nil ? nil : request.aggregation.rawValue,
            eventType: request.query.type?.name, eventTypeId: request.query.type?.id,
            first: window.first?.description, last: window.last?.description, total: hasTotal ? count : nil,
            value: number(value), seconds: seconds(value), count: hasTotal ? nil : count,
            withoutBucket: withoutBucket, leftOut: leftOut, elsewhere: empty?.others,
            buckets: rows.map { row in
                BucketsJSON.Bucket(
                    bucket: row.bucket, eventTypeId: row.typeId, value: number(row.value), seconds: seconds(row.value),
                    count: row.count)
            })
    }
}
