import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

extension BarReport {
    /// Counts or aggregates events by day, week, month, weekday or hour.
    init(_ context: CommandContext, _ request: Request, by grouping: CountGrouping) throws {
        let histories = try StatisticsReader(context: context, request.query.filter.atAnyTime)
        let usual = CountWindow(
            grouping, since: request.since, until: request.until, zone: histories.zone, today: histories.today,
            weekStart: histories.weekStart)
        // The day of the first event; nil where it is before the window.
        let firstDay = { (days: ClosedRange<CalendarDay>?) in
            try histories.hasEvents(of: nil, before: usual.since) ? nil : days?.lowerBound
        }
        guard let measure = request.measure else {
            let tally = try histories.tally(of: nil, since: usual.since, until: usual.until)
            let first = try firstDay(tally.days.days)
            try self.init(request, grouping, usual.beginning(on: first), tally, since: first, histories)
            return
        }
        let tally = try histories.values(of: measure, request, since: usual.since, until: usual.until)
        let first = try firstDay(tally.days)
        try self.init(request, measure, grouping, usual.beginning(on: first), tally, since: first, histories)
    }

    private init(
        _ request: Request, _ grouping: CountGrouping, _ window: CountWindow, _ tally: EventTally,
        since first: CalendarDay?, _ histories: StatisticsReader
    ) throws {
        let days = window.days(with: tally.days.days, by: grouping, today: histories.today)
        let series =
            if let days, let period = grouping.period {
                tally.days.counts(by: period, in: days.shown)
            } else {
                tally.counts(by: grouping)
            }
        let rows = series.buckets.map {
            Row(
                label: Self.label($0.bucket), bucket: .string($0.bucket.description), value: Double($0.count),
                count: $0.count)
        }
        self.init(
            request: request, by: grouping.rawValue, window: window,
            title: request.title(by: grouping.rawValue, window),
            rows: request.order?.sorted(rows, value: \.value) ?? rows, count: series.total, hasTotal: true,
            summary: series.summary(since: first, today: histories.today), withoutBucket: series.withoutBucket,
            remark: days?.remark(leftOut: tally.days.total - series.total),
            leftOut: days?.isCut == true ? tally.days.total - series.total : nil,
            empty: series.total == 0 && series.withoutBucket == 0
                ? try request.empty(histories, days?.stretch ?? window.stretch) : nil)
    }

    private init(
        _ request: Request, _ measure: Measure, _ grouping: CountGrouping, _ window: CountWindow, _ tally: ValueTally,
        since first: CalendarDay?, _ histories: StatisticsReader
    ) throws {
        let days = window.days(with: tally.days, by: grouping, today: histories.today)
        let series = tally.values(by: grouping, aggregation: request.aggregation, in: days?.shown)
        try measure.requireFinite(series.buckets.map(\.value) + [series.value], of: request.query.type)
        let rows = series.buckets.map {
            Row(
                label: Self.label($0.bucket), bucket: .string($0.bucket.description), value: $0.value, count: $0.count)
        }
        let others =
            series.withoutBucket > 0
            ? ", and \(FigureText.counted(series.withoutBucket, "all-day event")) without an hour" : ""
        let rate = Self.rate(series, since: first, request, today: histories.today)
        self.init(
            request: request, by: grouping.rawValue, window: window,
            title: request.title(by: grouping.rawValue, window),
            rows: request.order?.sorted(rows, value: \.value) ?? rows, value: series.value, count: series.count,
            summary: request.summary(series.value, series.count) + rate + others, withoutBucket: series.withoutBucket,
            remark: days?.remark(leftOut: tally.count - series.count),
            leftOut: days?.isCut == true ? tally.count - series.count : nil,
            empty: series.count == 0 && series.withoutBucket == 0
                ? try request.empty(histories, days?.stretch ?? window.stretch) : nil)
    }

    /// The average per day, week or month, for a sum over several of them.
    ///
    /// - Parameter first: The first day of the period; nil for all days.
    private static func rate(
        _ series: ValueSeries, since first: CalendarDay?, _ request: Request, today: CalendarDay
    ) -> String {
        guard let period = series.grouping.period, series.aggregation == .sum, let value = series.value else {
            return ""
        }
        let counting = series.buckets.filter { bucket in
            guard let first, let days = bucket.bucket.days else { return true }
            return days.upperBound >= first
        }
        guard counting.count > 1 else { return "" }
        let rate = request.figure(value / Double(counting.count))
        let open = period.openEnd(counting.last?.bucket, today)
        return " over \(FigureText.counted(counting.count, period.rawValue)), \(rate) a \(period.rawValue)\(open)"
    }

    /// The label of a bar.
    private static func label(_ bucket: TimeBucket) -> String {
        switch bucket {
        case .day(let day): "\(day) \(day.weekday.description.prefix(3))"
        case .week(let week):
            week.isNumbered
                ? "\(week)  from \(week.firstDay.description.dropFirst(5))" : "from \(week.firstDay)"
        case .hour: "\(bucket):00"
        case .month, .weekday: bucket.description
        }
    }
}

extension StatisticsReader {
    /// Collects the values of a request, durations in seconds.
    ///
    /// - Parameter type: The type of the events, nil for all.
    func values(
        of measure: Measure, _ request: BarReport.Request, type: String? = nil, since: Timestamp?, until: Timestamp?
    ) throws -> ValueTally {
        let keepsValues = request.aggregation == .median
        guard case .property(let definition) = measure else {
            return try lengths(of: type, since: since, until: until, keepsValues: keepsValues)
        }
        return try values(of: definition.key, type: type, since: since, until: until, keepsValues: keepsValues)
    }
}
