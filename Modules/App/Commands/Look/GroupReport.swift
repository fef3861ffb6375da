import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// How many events have each value of a property, or what a measure of them comes to, as bars or as JSON.
@MainActor
struct GroupReport {
    /// What is asked for.
    struct Request {
        /// The property whose values events are put together by.
        var key: String
        /// What is measured; nil where events are counted.
        var measure: Measure?
        var aggregation: Aggregation
        var query: EventQuery
    }

    private struct Row {
        let value: PropertyValue?
        let label: String
        let count: Int
        /// What was measured, or how many events there are.
        let figure: Double?
    }

    /// People are shown as many values; programs get all.
    private static let most = 40

    private let request: Request
    private let rows: [Row]
    /// What all events come to together.
    private let whole: Double?
    private let count: Int
    private let window: CountWindow
    /// What is said where there is nothing to show; nil where there is something.
    private let empty: EmptyLook?

    init(_ context: CommandContext, _ request: Request, _ order: BarOrder?) throws {
        self.request = request
        let filter = request.query.filter
        let histories = try Histories(context: context, filter.atAnyTime)
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

    /// Numbers by size, texts by their letters, events without a value last.
    private static func precedes(_ one: Row, _ other: Row) -> Bool {
        guard let first = one.value, let second = other.value else { return one.value != nil && other.value == nil }
        if let low = first.statisticalValue, let high = second.statisticalValue { return low < high }
        return (one.label.lowercased(), one.label) < (other.label.lowercased(), other.label)
    }

    /// Writes bars for a person, or JSON where that was asked for.
    func write(to context: CommandContext, on screen: Screen) throws {
        if context.wantsJSON { return try context.output.json(json) }
        if let empty {
            try context.show(TextWrap.lines(empty.text(), columns: screen.width), on: screen)
            return try context.remarkBeforeFirstSync()
        }
        try context.show(lines(screen), on: screen)
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

    private var json: GroupJSON {
        let isDuration = request.measure?.isDuration == true && request.aggregation != .count
        let measured = { (value: Double?) in request.measure == nil || isDuration ? nil : value }
        let seconds = { (value: Double?) in isDuration ? value.map(Measure.seconds) : nil }
        return GroupJSON(
            by: request.key, eventType: request.query.type?.name, eventTypeId: request.query.type?.id,
            property: request.measure?.key, aggregation: request.measure == nil ? nil : request.aggregation.rawValue,
            first: window.first?.description, last: window.last?.description, value: measured(whole),
            seconds: seconds(whole), count: count, elsewhere: empty?.others,
            buckets: rows.map { row in
                GroupJSON.Bucket(
                    bucket: row.value?.value, value: measured(row.figure), seconds: seconds(row.figure),
                    count: row.count)
            })
    }
}

/// Values of a property as JSON, with the numbers of their events.
private struct GroupJSON: Encodable {
    struct Bucket: Encodable {
        /// The value; nil for the events that have none.
        var bucket: JSONValue?
        var value: Double?
        var seconds: Double?
        var count: Int
    }

    var by: String
    var eventType: String?
    var eventTypeId: String?
    var property: String?
    var aggregation: String?
    var first: String?
    var last: String?
    var value: Double?
    var seconds: Double?
    var count: Int
    /// Where the events are, where there are none here.
    var elsewhere: EventDays?
    var buckets: [Bucket]

    enum CodingKeys: String, CodingKey {
        case by, property, aggregation, first, last, value, seconds, count, elsewhere, buckets
        case eventType = "event_type"
        case eventTypeId = "event_type_id"
    }
}
