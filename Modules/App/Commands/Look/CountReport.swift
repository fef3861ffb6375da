import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// The number of events in each bucket, as bars or as JSON.
@MainActor
struct CountReport {
    private let series: CountSeries
    private let query: EventQuery
    /// The order of the bars; nil for calendar order.
    private let order: BarOrder?
    private let window: CountWindow
    /// The first day with such an event, if it is within the period.
    private let first: CalendarDay?
    /// The remark if there are too many buckets to show.
    private let remark: String?
    /// The number of events that are not shown; nil if all are.
    private let leftOut: Int?
    private let today: CalendarDay
    /// The answer if there are no events; nil if there are some.
    private let empty: EmptyLook?

    init(_ context: CommandContext, _ query: EventQuery, _ grouping: CountGrouping, _ order: BarOrder?) throws {
        let histories = try StatisticsReader(context: context, query.filter.atAnyTime)
        let (since, until) = (query.filter.since, query.filter.until)
        window = CountWindow(
            grouping, since: since, until: until, zone: histories.zone, today: histories.today,
            weekStart: histories.weekStart)
        let tally = try histories.tally(of: nil, since: window.since, until: window.until)
        let whole = [tally.days.days, window.covering].compactMap { $0 }
        var stretch = window.stretch
        if let period = grouping.period, let lower = whole.map(\.lowerBound).min(),
            let upper = whole.map(\.upperBound).max(),
            case let shown = CountWindow.bounded(
                lower...upper, by: period, today: histories.today, weekStart: histories.weekStart,
                hasBeginning: since != nil),
            shown != lower...upper
        {
            series = tally.days.counts(by: period, in: shown)
            stretch = "between \(shown.lowerBound) and \(shown.upperBound)"
            remark = CountWindow.remark(
                shown, by: period, weekStart: histories.weekStart, leftOut: tally.days.total - series.total)
        } else {
            series = tally.counts(by: grouping, covering: window.covering)
            remark = nil
        }
        first = try histories.hasEvents(of: nil, before: window.since) ? nil : tally.days.days?.lowerBound
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

    /// Writes bars, or JSON with `--json`.
    func write(to context: CommandContext, on screen: Screen) throws {
        if let remark { try context.remark(remark) }
        if context.wantsJSON { return try context.output.json(json) }
        try context.show(lines(screen), or: empty, on: screen)
    }

    private var buckets: [CountSeries.Bucket] {
        order?.sorted(series.buckets) { Double($0.count) } ?? series.buckets
    }

    private func lines(_ screen: Screen) -> [String] {
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

    /// The label of a bar.
    static func label(_ bucket: TimeBucket) -> String {
        switch bucket {
        case .day(let day): "\(day) \(day.weekday.description.prefix(3))"
        case .week(let week):
            week.isNumbered
                ? "\(week)  from \(week.firstDay.description.dropFirst(5))" : "from \(week.firstDay)"
        case .hour: "\(bucket):00"
        case .month, .weekday: bucket.description
        }
    }

    private var json: BucketsJSON {
        BucketsJSON(
            by: series.grouping.rawValue, eventType: query.type?.name, eventTypeId: query.type?.id,
            first: window.first?.description, last: window.last?.description, total: series.total,
            withoutBucket: series.withoutBucket, leftOut: leftOut, elsewhere: empty?.others,
            buckets: buckets.map { .init(bucket: .string($0.bucket.description), count: $0.count) })
    }
}
