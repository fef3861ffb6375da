import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

struct TrendCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trend", abstract: "Show a trend over time: a line chart, its average and a sentence.",
        discussion: """
            Example:
              trendy trend coffee
              trendy trend run 'km>5' --prop km --agg median --by month

            The default period is the last 90 days, 52 weeks or 36 months. The whole duration
            of an event counts on the day of its start.
            """)

    @OptionGroup var query: QueryArgument

    @Option(
        name: .long,
        help: "Show this number or duration; 'time' is from start to end (default: the number of events).")
    var prop: String?

    @Option(
        name: .long, help: "count, sum, mean, median, min or max (default: sum).",
        transform: choice)
    var agg: Aggregation?

    @Option(name: .long, help: "Group by day, week or month (default: week).", transform: choice)
    var by = CalendarPeriod.week

    @Option(name: .long, parsing: .unconditional, help: "Use only events at or after this time.")
    var since: String?

    @OptionGroup var screen: ScreenOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        if query.filter.isEmpty {
            throw CommandFailure.usage("'trend' needs one type, as in 'trendy trend coffee'")
        }
    }

    func run(in context: CommandContext) async throws {
        var texts = query.texts
        texts.since = since
        let query = try context.query(texts)
        guard let type = query.type else {
            throw CommandFailure.usage(
                "'trend' needs one type, and '\(query.name ?? "")' is not one; name a type, as in 'trendy trend coffee'"
            )
        }
        let histories = try StatisticsReader(
            context: context, query.filter.atAnyTime.and(.began(query.filter.interval.withoutStart)))
        let since = query.filter.since.map { histories.zone.day(of: $0) }
        if let since, since > histories.today {
            throw CommandFailure.usage("--since \(since) is in the future; name an earlier day")
        }
        let usual = CountWindow.first(
            by, histories.today, count: TrendReport.usualCount(by), weekStart: histories.weekStart)
        let asked = (since ?? usual)...histories.today
        let shown = CountWindow.bounded(
            asked, by: by, today: histories.today, weekStart: histories.weekStart)
        let first = shown == asked ? since ?? usual : shown.lowerBound
        if shown != asked { try context.remark(CountWindow.remark(shown, by: by, weekStart: histories.weekStart)) }
        let measure =
            try prop.map { try Measure($0, of: type, context.lookup, for: "a trend") }
            ?? (agg == nil || agg == .count ? nil : Measure(meantBy: query, context.lookup))
        let name = query.name ?? type.name
        let report =
            try measure.map {
                try TrendReport(
                    of: $0, of: type, name, by: by, aggregation: agg ?? .sum, from: first, in: histories)
            } ?? TrendReport(of: type, name, histories.tally(of: type.id), by: by, from: first, today: histories.today)
        let days = first...histories.today
        let empty = report.isEmpty ? try emptyPeriod(report, query, days, histories) : nil
        try report.write(to: context, on: screen.screen(in: context), days: days, empty: empty)
    }

    /// The answer for a period without events.
    @MainActor
    private func emptyPeriod(
        _ report: TrendReport, _ query: EventQuery, _ days: ClosedRange<CalendarDay>, _ histories: StatisticsReader
    ) throws -> EmptyPeriod {
        let others = try histories.days(of: report.measure?.part ?? .all, type: report.type.id)
        // The period ends today, so longer buckets reach farther back.
        let reaching = others.flatMap { others in
            [by, .week, .month].first { period in
                others.first <= days.upperBound
                    && CountWindow.first(
                        period, days.upperBound, count: CountWindow.mostStretches, weekStart: histories.weekStart)
                        <= others.last
            }
        }
        let period = reaching.map { $0 == by ? "" : "--by \($0.rawValue) " }
        let since = CountWindow.option(others, hasEnd: false)
        return EmptyPeriod(
            measure: report.measure, query: query,
            stretch: "between \(days.lowerBound) and \(days.upperBound)", others: others,
            option: period.flatMap { period in since.map { period + $0 } })
    }
}
