import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// What the command `stats` shows: bars between a title and a summary, or the same as JSON.
@MainActor
struct BarReport {
    /// What is asked for.
    struct Request {
        var query: EventQuery
        /// What is measured; nil where events are counted.
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

        /// What all bars come to together, of how many events.
        func summary(_ value: Double?, _ count: Int) -> String {
            let events = FigureText.counted(count, "event")
            if measure == nil { return events }
            return "\(value.map(figure) ?? "nothing")\(aggregation.way) in \(events)"
        }

        /// What is said where no bar has an event.
        @MainActor
        func empty(_ histories: Histories, _ stretch: String?) throws -> EmptyLook {
            let others = try histories.days(of: measure?.part ?? .all, type: nil)
            return EmptyLook(
                measure: measure, query: query, stretch: stretch, others: others,
                option: CountWindow.option(others, hasEnd: until != nil))
        }
    }

    /// One bar.
    struct Row {
        var label: String
        /// How the type of the bar is shown, where each bar is of a type.
        var face: TypeFace?
        var typeId: String?
        /// What the bar is of, for programs; nil for the events without a value of the property.
        var bucket: JSONValue?
        /// How long the bar is; nil where there is no value.
        var value: Double?
        var count: Int
    }

    let request: Request
    /// What the bars are by: `week`, `type` or the key of a property.
    let by: String
    let window: CountWindow
    var title: String?
    let rows: [Row]
    /// How many bars people are shown; programs get all.
    var most = Int.max
    /// What all bars come to together.
    var value: Double?
    let count: Int
    /// Whether programs read the number of events as `total`.
    var hasTotal = false
    let summary: String
    /// The events that no bar can have, as all-day events by hour; nil where there are no such bars.
    var withoutBucket: Int?
    /// What is said where there are too many stretches to show all of them.
    var remark: String?
    /// How many events are on days that are not shown; nil where all of them are.
    var leftOut: Int?
    /// What is said where there is nothing to show; nil where there is something.
    let empty: EmptyLook?

    /// Writes bars for a person, or JSON where that was asked for.
    func write(to context: CommandContext, on screen: Screen) throws {
        if let remark { try context.remark(remark) }
        if context.wantsJSON { return try context.output.json(json) }
        guard let empty else { return try context.show(lines(screen), on: screen) }
        try context.show(TextWrap.lines(empty.text(), columns: screen.width), on: screen)
        try context.remarkBeforeFirstSync()
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

    private var json: BarJSON {
        let measure = request.measure
        let isDuration = measure?.isDuration == true && request.aggregation != .count
        let number = { (value: Double?) in measure == nil || isDuration ? nil : value }
        let seconds = { (value: Double?) in isDuration ? value.map(Measure.seconds) : nil }
        return BarJSON(
            by: by, property: measure?.key, aggregation: measure == nil ? nil : request.aggregation.rawValue,
            eventType: request.query.type?.name, eventTypeId: request.query.type?.id,
            first: window.first?.description, last: window.last?.description, value: number(value),
            seconds: seconds(value), total: hasTotal ? count : nil, count: hasTotal ? nil : count,
            withoutBucket: withoutBucket, leftOut: leftOut, elsewhere: empty?.others,
            buckets: rows.map { row in
                BarJSON.Bucket(
                    bucket: row.bucket, eventTypeId: row.typeId, value: number(row.value), seconds: seconds(row.value),
                    count: row.count)
            })
    }
}

/// Bars as JSON: numbers as `value`, lengths of time as `seconds`.
private struct BarJSON: Encodable {
    struct Bucket: Encodable {
        var bucket: JSONValue?
        var eventTypeId: String?
        var value: Double?
        var seconds: Double?
        var count: Int

        enum CodingKeys: String, CodingKey {
            case bucket, value, seconds, count
            case eventTypeId = "event_type_id"
        }
    }

    var by: String
    var property: String?
    var aggregation: String?
    var eventType: String?
    var eventTypeId: String?
    /// The first and the last day that are looked at, where there are such.
    var first: String?
    var last: String?
    var value: Double?
    var seconds: Double?
    /// How many events the bars have.
    var total: Int?
    /// How many events have a value.
    var count: Int?
    var withoutBucket: Int?
    var leftOut: Int?
    /// Where the events are, where the bars have none.
    var elsewhere: EventDays?
    var buckets: [Bucket]

    enum CodingKeys: String, CodingKey {
        case by, property, aggregation, first, last, value, seconds, total, count, elsewhere, buckets
        case eventType = "event_type"
        case eventTypeId = "event_type_id"
        case withoutBucket = "without_bucket"
        case leftOut = "left_out"
    }
}
