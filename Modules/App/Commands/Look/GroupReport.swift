import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// The number of events for each value of a property, or an aggregate of them, as bars or as JSON.
@MainActor
struct GroupReport {
    struct Request {
        /// The property that groups the events.
        var key: String
        /// The aggregated value; nil to count events.
        var measure: Measure?
        var aggregation: Aggregation
        var query: EventQuery
    }

    private struct Row {
        let value: PropertyValue?
        let label: String
        let count: Int
        /// The aggregate, or the number of events.
        let figure: Double?
    }

    /// How many bars are shown; JSON has all.
    private static let most = 40

    private let request: Request
    private let rows: [Row]
    /// The aggregate of all events.
    private let whole: Double?
    private let count: Int
    private let window: CountWindow
    /// The answer if there are no events; nil if there are some.
    private let empty: EmptyLook?

    init(_ context: CommandContext, _ request: Request, _ order: BarOrder?) throws {
        self.request = request
        let filter = request.query.filter
        let histories = try StatisticsReader(context: context, filter.atAnyTime)
        window = CountWindow(
            .hour, since: filter.since, until: filter.until, zone: histories.zone, today: histories.today,
            weekStart: histories.weekStart)
        let part = request.measure?.part ?? .all
        let groups = try histories.repository.groups(
            by: request.key, measuring: part, keepsValues: request.aggregation == .median, matching: filter)
        var all = ValueTotals()
        for group in groups { all.add(group.totals) }
        count = groups.reduce(0) { $0 + $1.count }
        whole = request.measure == nil ? Double(count) : all.value(request.aggregation)
        if let measure = request.measure {
            try measure.requireFinite(
                [whole] + groups.map { $0.totals.value(request.aggregation) }, of: request.query.type)
        }
        let properties = context.properties
        let rows = groups.map { group in
            Row(
                value: group.value, label: TextTable.singleLine(group.value.map(properties.text) ?? "(none)"),
                count: group.count,
                figure: request.measure == nil ? Double(group.count) : group.totals.value(request.aggregation))
        }
        .sorted { Self.precedes($0, $1) }
        self.rows = try (order ?? BarOrder("-value")).sorted(rows, value: \.figure)
        let others = count == 0 ? try histories.days(of: part, type: nil) : nil
        empty =
            count == 0
            ? EmptyLook(
                measure: request.measure, query: request.query, stretch: window.stretch, others: others,
                option: CountWindow.option(others, hasEnd: filter.until != nil)) : nil
    }

    /// Numbers by size, texts alphabetically, events without a value last.
    private static func precedes(_ one: Row, _ other: Row) -> Bool {
        guard let first = one.value, let second = other.value else { return one.value != nil && other.value == nil }
        if let low = first.statisticalValue, let high = second.statisticalValue { return low < high }
        return (one.label.lowercased(), one.label) < (other.label.lowercased(), other.label)
    }

    /// Writes bars, or JSON with `--json`.
    func write(to context: CommandContext, on screen: Screen) throws {
        if context.wantsJSON { return try context.output.json(json) }
        try context.show(lines(screen), or: empty, on: screen)
    }

    private func figure(_ value: Double?) -> String? {
        value.map { request.measure?.figure($0, request.aggregation) ?? FigureText.text($0) }
    }

    private func lines(_ screen: Screen) -> [String] {
        let color = request.query.type.flatMap { RGBColor(hex: $0.color) }
        let chart = BarChart(
            bars: rows.prefix(Self.most).map { row in
                BarChart.Bar(
                    label: row.label, value: row.figure ?? 0, figure: figure(row.figure) ?? screen.glyphs.none,
                    color: color)
            })
        var head = LineBuilder(screen)
        let name = request.query.name ?? "all types"
        let subject = request.measure.map { "\($0.title) of \(name)" } ?? name
        let way = request.measure == nil ? "" : ", \(request.aggregation.rawValue)"
        let ending = window.name.map { ", \($0)" } ?? ""
        head.add(TextTable.singleLine("\(subject) by \(request.key)\(way)\(ending)")) { screen.style.bold($0) }
        let total = FigureText.counted(count, "event")
        let summary =
            request.measure == nil
            ? total : "\(figure(whole) ?? screen.glyphs.none)\(request.aggregation.way) in \(total)"
        let others = rows.dropFirst(Self.most)
        let rest =
            others.isEmpty
            ? ""
            : "; \(FigureText.counted(others.count, "other value")) of \(FigureText.counted(others.reduce(0) { $0 + $1.count }, "event")) not shown"
        return [head.line, ""] + chart.lines(screen) + [""] + TextWrap.lines(summary + rest, columns: screen.width)
    }

    private var json: BucketsJSON {
        let isDuration = request.measure?.isDuration == true && request.aggregation != .count
        let measured = { (value: Double?) in request.measure == nil || isDuration ? nil : value }
        let seconds = { (value: Double?) in isDuration ? value.map(Measure.seconds) : nil }
        return BucketsJSON(
            by: request.key, property: request.measure?.key,
            aggregation: request.measure == nil ? nil : request.aggregation.rawValue,
            eventType: request.query.type?.name, eventTypeId: request.query.type?.id,
            first: window.first?.description, last: window.last?.description, value: measured(whole),
            seconds: seconds(whole), count: count, elsewhere: empty?.others,
            buckets: rows.map { row in
                BucketsJSON.Bucket(
                    bucket: row.value?.value, value: measured(row.figure), seconds: seconds(row.figure),
                    count: row.count)
            })
    }
}
