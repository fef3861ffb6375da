import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

struct TrendCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trend", abstract: "Show where something is going: a line, its average and a sentence.",
        discussion: """
            Example:
              trendy trend coffee
              trendy trend run --prop km --agg mean --by month

            Without --since: the last 90 days, 52 weeks or 36 months. All the time of an
            event counts on the day of its start.
            """)

    @Argument(help: "The type: its name or id.")
    var type: String

    @Option(
        name: .long,
        help: "Look at this number or duration; 'time', where it has none, is start to end. Else how many events.")
    var prop: String?

    @Option(
        name: .long, help: "What to make of a property's values: sum, mean or max (default: sum).", transform: choice)
    var agg: Aggregation?

    @Option(name: .long, help: "The length of the stretches: day, week or month (default: week).", transform: choice)
    var by = CalendarPeriod.week

    @Option(name: .long, parsing: .unconditional, help: "Only at or after this time.")
    var since: String?

    @OptionGroup var screen: ScreenOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        if agg != nil, prop == nil {
            throw CommandFailure.usage("--agg says what to make of a property's values; give --prop KEY, too")
        }
    }

    func run(in context: CommandContext) async throws {
        let type = try context.lookup.type(type).entity
        let histories = try Histories(context: context)
        let since = try since.map { histories.zone.day(of: try context.times.parseSince($0)) }
        if let since, since > histories.today {
            throw CommandFailure.usage("a trend ends today, which is before --since \(since); name an earlier day")
        }
        let usual = CountWindow.first(by, histories.today, count: TrendReport.usualCount(by))
        let asked = (since ?? usual)...histories.today
        let shown = CountWindow.bounded(asked, by: by, today: histories.today)
        let first = shown == asked ? since ?? usual : shown.lowerBound
        if shown != asked { try context.remark(CountWindow.remark(shown, by: by)) }
        let report =
            try prop.map { key in
                let measure = try Measure(key, of: type, context.lookup, for: "a trend")
                return try TrendReport(
                    of: measure, of: type, by: by, aggregation: agg ?? .sum, from: first, in: histories)
            } ?? TrendReport(of: type, histories.tally(of: type.id), by: by, from: first, today: histories.today)
        let days = first...histories.today
        let empty = report.isEmpty ? try emptyLook(report, days, histories) : nil
        try report.write(to: context, on: screen.screen(in: context), days: days, empty: empty)
    }

    /// What is said of days that have nothing of what was asked for.
    @MainActor
    private func emptyLook(
        _ report: TrendReport, _ days: ClosedRange<CalendarDay>, _ histories: Histories
    ) throws -> EmptyLook {
        let others = try histories.days(of: report.measure?.part ?? .all, type: report.type.id)
        // A trend ends today, and reaches farther back by longer stretches.
        let reaching = others.flatMap { others in
            [by, .week, .month].first { period in
                others.first <= days.upperBound
                    && CountWindow.first(period, days.upperBound, count: CountWindow.mostStretches) <= others.last
            }
        }
        let period = reaching.map { $0 == by ? "" : "--by \($0.rawValue) " }
        let since = CountWindow.option(others, hasEnd: false)
        return EmptyLook(
            measure: report.measure, type: report.type,
            stretch: "between \(days.lowerBound) and \(days.upperBound)", others: others,
            option: period.flatMap { period in since.map { period + $0 } })
    }
}
