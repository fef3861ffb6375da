import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// How many events there were in each of some buckets, as bars or as JSON.
@MainActor
struct CountReport {
    private let series: CountSeries
    private let query: EventQuery
    /// In which order the bars stand; nil for that of the calendar.
    private let order: BarOrder?
    private let window: CountWindow
    /// The first day that ever had such an event, where it is one of those looked at.
    private let first: CalendarDay?
    /// What is said where there are too many stretches to show all of them.
    private let remark: String?
    /// How many events are on days that are not shown; nil where all of them are.
    private let leftOut: Int?
    private let today: CalendarDay
    /// What is said where there is nothing to show; nil where there is something.
    private let empty: EmptyLook?

    init(_ context: CommandContext, _ query: EventQuery, _ grouping: CountGrouping, _ order: BarOrder?) throws {
        let histories = try Histories(context: context, query.filter.atAnyTime)
        let (since, until) = (query.filter.since, query.filter.until)
        let usual = CountWindow(
            grouping, since: since, until: until, zone: histories.zone, today: histories.today)
        let tally = try histories.tally(of: nil, since: usual.since, until: usual.until)
        first = try histories.hasEvents(of: nil, before: usual.since) ? nil : tally.days.days?.lowerBound
        window = usual.beginning(on: first)
        let whole = [tally.days.days, window.covering].compactMap { $0 }
        var stretch = window.stretch
        if let period = grouping.period, let lower = whole.map(\.lowerBound).min(),
            let upper = whole.map(\.upperBound).max(),
            case let shown = CountWindow.bounded(
                lower...upper, by: period, today: histories.today, hasBeginning: since != nil),
            shown != lower...upper
        {
            series = tally.days.counts(by: period, in: shown)
            stretch = "between \(shown.lowerBound) and \(shown.upperBound)"
            remark = CountWindow.remark(shown, by: period, leftOut: tally.days.total - series.total)
        } else {
            series = tally.counts(by: grouping, covering: window.covering)
            remark = nil
        }
        self.query = query
        self.order = order
        today = histories.today
        leftOut = remark == nil ? nil : tally.days.total - series.total
        guard series.total == 0, series.withoutBucket == 0 else {
            empty = nil
            return
        }
        let others = try histories.days(of: .all, type: nil)
        empty = EmptyLook(
            query: query, stretch: stretch, others: others, option: CountWindow.option(others, hasEnd: until != nil))
    }

    /// Writes bars for a person, or JSON where that was asked for.
    func write(to context: CommandContext, on screen: Screen) throws {
        if let remark { try context.remark(remark) }
        if context.wantsJSON { return try context.output.json(json) }
        try context.show(lines(screen), on: screen)
        if empty != nil { try context.remarkBeforeFirstSync() }
    }

    private var buckets: [CountSeries.Bucket] {
        order?.sorted(series.buckets) { Double($0.count) } ?? series.buckets
    }

    private func lines(_ screen: Screen) -> [String] {
        if let empty { return TextWrap.lines(empty.text(), columns: screen.width) }
        let color = query.type.flatMap { RGBColor(hex: $0.color) }
        let chart = BarChart(
            bars: buckets.map { bucket in
                BarChart.Bar(
                    label: Self.label(bucket.bucket), value: Double(bucket.count),
                    figure: FigureText.text(bucket.count),
                    color: color)
            })
        var head = LineBuilder(screen)
        let name = query.name.map(TextTable.singleLine) ?? "all types"
        let title = "\(name) by \(series.grouping.rawValue)" + (window.name.map { ", \($0)" } ?? "")
        head.add(title) { screen.style.bold($0) }
        let summary = series.summary(since: first, today: today)
        return [head.line, ""] + chart.lines(screen) + [""] + TextWrap.lines(summary, columns: screen.width)
    }

    /// A stretch of time as it stands before its bar.
    static func label(_ bucket: TimeBucket) -> String {
        switch bucket {
        case .day(let day): "\(day) \(day.weekday.description.prefix(3))"
        case .week(let week): "\(week)  from \(week.monday.description.dropFirst(5))"
        case .hour: "\(bucket):00"
        case .month, .weekday: bucket.description
        }
    }

    private var json: CountJSON {
        CountJSON(
            by: series.grouping.rawValue, eventType: query.type?.name, eventTypeId: query.type?.id,
            first: window.first?.description, last: window.last?.description, total: series.total,
            withoutBucket: series.withoutBucket, leftOut: leftOut, elsewhere: empty?.others,
            buckets: buckets.map { .init(bucket: $0.bucket.description, count: $0.count) })
    }
}

/// Counts as JSON.
private struct CountJSON: Encodable {
    struct Bucket: Encodable {
        var bucket: String
        var count: Int
    }

    var by: String
    var eventType: String?
    var eventTypeId: String?
    /// The first and the last day that are looked at, where there are such.
    var first: String?
    var last: String?
    var total: Int
    var withoutBucket: Int
    /// The events of days that are not among the buckets, where those are not all.
    var leftOut: Int?
    /// Where the events are, where there are none among the buckets.
    var elsewhere: EventDays?
    var buckets: [Bucket]

    enum CodingKeys: String, CodingKey {
        case by, first, last, total, elsewhere, buckets
        case eventType = "event_type"
        case eventTypeId = "event_type_id"
        case withoutBucket = "without_bucket"
        case leftOut = "left_out"
    }
}
