import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// The aggregate of a property, or of the durations of events, for each bucket, as bars or as JSON.
@MainActor
struct ValueReport {
    struct Request {
        var measure: Measure
        var aggregation: Aggregation
        /// Chooses the events. For a property they have one type.
        var query: EventQuery

        /// The type of the events; nil for several types.
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
    /// The title above the bars; nil for none.
    private let title: String?
    private let rows: [Row]
    /// The aggregate of all values.
    private let value: Double?
    private let count: Int
    /// The number of values that fit no bucket; nil if that cannot happen.
    private let withoutBucket: Int?
    /// The words after the number of events.
    private let more: String
    /// The remark if there are too many buckets to show.
    private let remark: String?
    /// The number of values that are not shown; nil if all are.
    private let leftOut: Int?
    private let window: CountWindow
    /// The answer if there are no values; nil if there are some.
    private let empty: EmptyLook?

    /// Aggregates by a calendar grouping.
    init(_ context: CommandContext, _ request: Request, by grouping: CountGrouping, _ order: BarOrder?) throws {
        let histories = try StatisticsReader(context: context, request.query.filter.atAnyTime)
        let window = CountWindow(
            grouping, since: request.since, until: request.until, zone: histories.zone, today: histories.today,
            weekStart: histories.weekStart)
        let tally = try histories.values(of: request, since: window.since, until: window.until)
        let whole = [tally.days, window.covering].compactMap { $0 }
        var shown: ClosedRange<CalendarDay>?
        var isCut = false
        if let period = grouping.period, let lower = whole.map(\.lowerBound).min(),
            let upper = whole.map(\.upperBound).max()
        {
            shown = CountWindow.bounded(
                lower...upper, by: period, today: histories.today, weekStart: histories.weekStart,
                hasBeginning: request.since != nil)
            isCut = shown != lower...upper
        }
        let series = tally.values(by: grouping, aggregation: request.aggregation, in: shown)
        try request.measure.requireFinite(series.buckets.map(\.value) + [series.value], of: request.type)
        leftOut = isCut ? tally.count - series.count : nil
        if isCut, let shown, let period = grouping.period {
            remark = CountWindow.remark(
                shown, by: period, weekStart: histories.weekStart, leftOut: tally.count - series.count)
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
        // Days before the first event must not lower an average.
        let first = try histories.hasEvents(of: nil, before: window.since) ? nil : tally.days?.lowerBound
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

    /// Aggregates by type.
    init(byTypeOf request: Request, _ context: CommandContext, _ order: BarOrder?) throws {
        let histories = try StatisticsReader(context: context, request.query.filter.atAnyTime)
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
            .hour, since: request.since, until: request.until, zone: histories.zone, today: histories.today,
            weekStart: histories.weekStart)
        title = window.name.map { "\(request.measure.title), \($0)" }
        empty = count == 0 ? try histories.emptyLook(request, during: window.stretch) : nil
    }

    /// The average per day, week or month, for a sum over several of them.
    ///
    /// - Parameter first: The first day of the period; nil for all days.
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

    /// Writes bars, or JSON with `--json`.
    func write(to context: CommandContext, on screen: Screen) throws {
        if let remark { try context.remark(remark) }
        if context.wantsJSON { return try context.output.json(json) }
        try context.show(lines(screen), or: empty, on: screen)
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

    private var json: BucketsJSON {
        let isDuration = request.measure.isDuration && request.aggregation != .count
        let number = { (value: Double?) in isDuration ? nil : value }
        let seconds = { (value: Double?) in isDuration ? value.map(Measure.seconds) : nil }
        return BucketsJSON(
            by: by, property: request.measure.key, aggregation: request.aggregation.rawValue,
            eventType: request.type?.name, eventTypeId: request.type?.id, first: window.first?.description,
            last: window.last?.description, value: number(value), seconds: seconds(value), count: count,
            withoutBucket: withoutBucket, leftOut: leftOut, elsewhere: empty?.others,
            buckets: rows.map { row in
                BucketsJSON.Bucket(
                    bucket: .string(row.bucket), eventTypeId: row.typeId, value: number(row.value),
                    seconds: seconds(row.value), count: row.count)
            })
    }
}

extension StatisticsReader {
    /// Collects the values of a request, durations in seconds.
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

    /// The answer for a period without values.
    fileprivate func emptyLook(_ request: ValueReport.Request, during stretch: String?) throws -> EmptyLook {
        let others = try days(of: request.measure.part, type: nil)
        return EmptyLook(
            measure: request.measure, query: request.query, stretch: stretch, others: others,
            option: CountWindow.option(others, hasEnd: request.until != nil))
    }
}
