import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// What the values of a property, or the times of events, come to in each of some buckets, as bars or as JSON.
@MainActor
struct ValueReport {
    /// What is asked for.
    struct Request {
        var measure: Measure
        var aggregation: Aggregation
        /// Chooses the events: of one type where a property is measured.
        var query: EventQuery

        /// The type of the events, nil for several.
        var type: EventType? { query.type }
        var since: Timestamp? { query.filter.since }
        var until: Timestamp? { query.filter.until }

        func value(_ value: Double?) -> String? { value.map { measure.figure($0, aggregation) } }
    }

    private struct Row {
        var label: String
        var bucket: String
        var typeId: String?
        var value: Double?
        var count: Int
        var color: RGBColor?
    }

    private let request: Request
    private let by: String
    /// What stands above the bars; nil for nothing.
    private let title: String?
    private let rows: [Row]
    /// What all rows come to together.
    private let value: Double?
    private let count: Int
    /// The values that no bucket can have; nil where there is no such thing.
    private let withoutBucket: Int?
    /// What follows how many events there were.
    private let more: String
    /// What is said where there are too many stretches to show all of them.
    private let remark: String?
    /// How many values are of days that are not shown; nil where all of them are.
    private let leftOut: Int?
    private let window: CountWindow
    /// What is said where there is nothing to show; nil where there is something.
    private let empty: EmptyLook?

    /// Looks at what was asked for by a grouping.
    init(_ context: CommandContext, _ request: Request, by grouping: CountGrouping, _ order: BarOrder?) throws {
        let histories = try Histories(context: context, request.query.filter.atAnyTime)
        let usual = CountWindow(
            grouping, since: request.since, until: request.until, zone: histories.zone, today: histories.today)
        let tally = try histories.values(of: request, since: usual.since, until: usual.until)
        // What was not there yet does not lower an average.
        let first = try histories.hasEvents(of: nil, before: usual.since) ? nil : tally.days?.lowerBound
        let window = usual.beginning(on: first)
        let whole = [tally.days, window.covering].compactMap { $0 }
        var shown: ClosedRange<CalendarDay>?
        var isCut = false
        if let period = grouping.period, let lower = whole.map(\.lowerBound).min(),
            let upper = whole.map(\.upperBound).max()
        {
            shown = CountWindow.bounded(
                lower...upper, by: period, today: histories.today, hasBeginning: request.since != nil)
            isCut = shown != lower...upper
        }
        let series = tally.values(by: grouping, aggregation: request.aggregation, in: shown)
        try request.measure.requireFinite(series.buckets.map(\.value) + [series.value], of: request.type)
        leftOut = isCut ? tally.count - series.count : nil
        if isCut, let shown, let period = grouping.period {
            remark = CountWindow.remark(shown, by: period, leftOut: tally.count - series.count)
        } else {
            remark = nil
        }
        let color = request.type.flatMap { RGBColor(hex: $0.color) }
        let rows = series.buckets.map { bucket in
            Row(
                label: CountReport.label(bucket.bucket), bucket: bucket.bucket.description, value: bucket.value,
                count: bucket.count, color: color)
        }
        self.rows = order?.sorted(rows, value: \.value) ?? rows
        more = Self.rate(series, since: first, request.measure, today: histories.today)
        let name = TextTable.singleLine("\(request.measure.title) of \(request.query.name ?? "all types")")
        let ending = window.name.map { ", \($0)" } ?? ""
        title = "\(name) by \(grouping.rawValue), \(request.aggregation.rawValue)\(ending)"
        by = grouping.rawValue
        value = series.value
        count = series.count
        withoutBucket = series.withoutBucket
        self.request = request
        self.window = window
        let stretch = isCut ? shown.map { "between \($0.lowerBound) and \($0.upperBound)" } : window.stretch
        empty =
            series.count == 0 && series.withoutBucket == 0
            ? try histories.emptyLook(request, during: stretch) : nil
    }

    /// Looks at what was asked for of each type.
    init(byTypeOf request: Request, _ context: CommandContext, _ order: BarOrder?) throws {
        let histories = try Histories(context: context, request.query.filter.atAnyTime)
        var rows: [Row] = []
        var totals = ValueTotals()
        for id in try histories.typesInUse() {
            let tally = try histories.values(of: request, type: id, since: request.since, until: request.until)
            guard tally.count > 0 else { continue }
            let face = histories.face(id)
            rows.append(
                Row(
                    label: face.name, bucket: face.name, typeId: id,
                    value: tally.value(aggregation: request.aggregation), count: tally.count, color: face.color))
            totals.add(tally.totals)
        }
        value = totals.value(request.aggregation)
        count = totals.count
        let largestFirst = rows.sorted { ($1.value ?? 0, $0.label) < ($0.value ?? 0, $1.label) }
        self.rows = order?.sorted(largestFirst, value: \.value, name: \.label) ?? largestFirst
        self.request = request
        by = "type"
        more = " of \(FigureText.counted(rows.count, "type"))"
        (withoutBucket, remark, leftOut) = (nil, nil, nil)
        window = CountWindow(
            .hour, since: request.since, until: request.until, zone: histories.zone, today: histories.today)
        title = window.name.map { "\(request.measure.title), \($0)" }
        empty = count == 0 ? try histories.emptyLook(request, during: window.stretch) : nil
    }

    /// How much that is for each stretch of the calendar, where it is added up over several.
    ///
    /// - Parameter first: The first day that counts, nil for all.
    private static func rate(
        _ series: ValueSeries, since first: CalendarDay?, _ measure: Measure, today: CalendarDay
    ) -> String {
        guard let period = series.grouping.period, series.aggregation == .sum, let value = series.value else {
            return ""
        }
        let counting = series.buckets.filter { bucket in
            guard let first, let days = bucket.bucket.days else { return true }
            return days.upperBound >= first
        }
        guard counting.count > 1 else { return "" }
        let rate = measure.figure(value / Double(counting.count))
        let open = period.openEnd(counting.last?.bucket, today)
        return " over \(FigureText.counted(counting.count, period.rawValue)), \(rate) a \(period.rawValue)\(open)"
    }

    /// Writes bars for a person, or JSON where that was asked for.
    func write(to context: CommandContext, on screen: Screen) throws {
        if let remark { try context.remark(remark) }
        if context.wantsJSON { return try context.output.json(json) }
        if let empty {
            try context.show(TextWrap.lines(empty.text(), columns: screen.width), on: screen)
            return try context.remarkBeforeFirstSync()
        }
        try context.show(lines(screen), on: screen)
    }

    private func lines(_ screen: Screen) -> [String] {
        let chart = BarChart(
            bars: rows.map { row in
                BarChart.Bar(
                    label: row.label, value: row.value ?? 0,
                    figure: request.value(row.value) ?? screen.glyphs.none, color: row.color)
            })
        var head: [String] = []
        if let title {
            var line = LineBuilder(screen)
            line.add(title) { screen.style.bold($0) }
            head = [line.line, ""]
        }
        return head + chart.lines(screen) + [""] + TextWrap.lines(summary(screen), columns: screen.width)
    }

    private func summary(_ screen: Screen) -> String {
        let figure = request.value(value) ?? screen.glyphs.none
        var others = ""
        if let withoutBucket, withoutBucket > 0 {
            others = ", and \(FigureText.counted(withoutBucket, "all-day event")) without an hour"
        }
        return "\(figure)\(request.aggregation.way) in \(FigureText.counted(count, "event"))\(more)\(others)"
    }

    private var json: ValueJSON {
        let isDuration = request.measure.isDuration && request.aggregation != .count
        let number = { (value: Double?) in isDuration ? nil : value }
        let seconds = { (value: Double?) in isDuration ? value.map(Measure.seconds) : nil }
        return ValueJSON(
            by: by, property: request.measure.key, aggregation: request.aggregation.rawValue,
            eventType: request.type?.name, eventTypeId: request.type?.id, first: window.first?.description,
            last: window.last?.description, value: number(value), seconds: seconds(value), count: count,
            withoutBucket: withoutBucket, leftOut: leftOut, elsewhere: empty?.others,
            buckets: rows.map { row in
                ValueJSON.Bucket(
                    bucket: row.bucket, eventTypeId: row.typeId, value: number(row.value),
                    seconds: seconds(row.value), count: row.count)
            })
    }
}

extension Histories {
    /// Collects what was asked for, durations in seconds.
    fileprivate func values(
        of request: ValueReport.Request, type: String? = nil, since: Timestamp?, until: Timestamp?
    ) throws -> ValueTally {
        let keepsValues = request.aggregation == .median
        guard case .property(let definition) = request.measure else {
            return try lengths(of: type, since: since, until: until, keepsValues: keepsValues)
        }
        return try values(
            of: definition.key, type: type, since: since, until: until, keepsValues: keepsValues)
    }

    /// What is said of a stretch that has nothing of what was asked for.
    fileprivate func emptyLook(_ request: ValueReport.Request, during stretch: String?) throws -> EmptyLook {
        let others = try days(of: request.measure.part, type: nil)
        return EmptyLook(
            measure: request.measure, query: request.query, stretch: stretch, others: others,
            option: CountWindow.option(others, hasEnd: request.until != nil))
    }
}

/// Values as JSON: numbers as `value`, lengths of time as `seconds`.
private struct ValueJSON: Encodable {
    struct Bucket: Encodable {
        var bucket: String
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
    var property: String
    var aggregation: String
    var eventType: String?
    var eventTypeId: String?
    /// The first and the last day that are looked at, where there are such.
    var first: String?
    var last: String?
    var value: Double?
    var seconds: Double?
    /// How many events have a value.
    var count: Int
    var withoutBucket: Int?
    /// The values of days that are not among the buckets, where those are not all.
    var leftOut: Int?
    /// Where the events with such a value are, where there are none among the buckets.
    var elsewhere: EventDays?
    var buckets: [Bucket]

    enum CodingKeys: String, CodingKey {
        case by, property, aggregation, first, last, value, seconds, count, elsewhere, buckets
        case eventType = "event_type"
        case eventTypeId = "event_type_id"
        case withoutBucket = "without_bucket"
        case leftOut = "left_out"
    }
}
