import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

struct CalendarCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calendar", abstract: "Show the events of a year as a calendar heat map.",
        discussion:
            "Example:\n  trendy calendar run 'km>10'\n  trendy calendar --year 2025\n\nWithout --year, it shows the last 53 weeks."
    )

    @OptionGroup var query: QueryArgument

    @Option(name: .long, help: "Show this year, like 2025.")
    var year: String?

    @OptionGroup var screen: ScreenOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        guard let year else { return }
        let number = Int(year)
        if let number, Self.years.contains(number) { return }
        let problem = number.map { "the year \($0) cannot be shown" } ?? "'\(year)' is not a year"
        let meant = number.flatMap { (0..<100).contains($0) ? 2000 + $0 : nil } ?? 2020
        throw CommandFailure.usage("\(problem); write it with four digits (1000 to 9998), such as \(meant)")
    }

    func run(in context: CommandContext) async throws {
        let query = try context.query(query.texts)
        let histories = try StatisticsReader(context: context, query.filter)
        let days = days(histories.today, histories.weekStart)
        let presence = try histories.presence(on: days)
        let (counts, events) = (presence.counts, presence.events(on: days))
        let others = counts.total(in: days) == 0 ? try histories.days(of: .all, type: nil) : nil
        if context.wantsJSON {
            return try context.output.json(CalendarJSON(query.type, days, counts, events, others))
        }
        let empty = EmptyPeriod(
            query: query, stretch: "between \(days.lowerBound) and \(days.upperBound)", others: others,
            option: others.flatMap(Self.option),
            showsAll: others.map { $0.first.date.year == $0.last.date.year } ?? true)
        let screen = screen.screen(in: context)
        try context.show(lines(query, days, counts, events, empty, screen), on: screen)
    }

    /// The option that shows the latest events; nil if their year cannot be shown.
    private static func option(_ others: EventDays) -> String? {
        let year = others.last.date.year
        return years.contains(year) ? "--year \(year)" : nil
    }

    private static let years = 1000...9998

    /// A calendar year, or whole weeks up to today.
    private func days(_ today: CalendarDay, _ weekStart: Weekday) -> ClosedRange<CalendarDay> {
        if let year = year.flatMap({ Int($0) }), let first = CalendarDay(year: year, month: 1, day: 1),
            let last = CalendarDay(year: year, month: 12, day: 31)
        {
            return first...last
        }
        return CalendarWeek(containing: today, from: weekStart).advanced(by: -52).firstDay...today
    }

    private func lines(
        _ query: EventQuery, _ days: ClosedRange<CalendarDay>, _ counts: DayCounts, _ events: Int,
        _ empty: EmptyPeriod, _ screen: Screen
    ) -> [String] {
        if counts.total(in: days) == 0 { return TextWrap.lines(empty.text(), columns: screen.width) }
        var head = LineBuilder(screen)
        let name = query.name.map(TextTable.singleLine) ?? "all types"
        head.add("\(name), \(days.lowerBound) to \(days.upperBound)") { screen.style.bold($0) }
        let foot = TextWrap.lines(counts.summary(of: days, events: events), columns: screen.width)
        let map = HeatMap(days: days, counts: counts)
        let chart = HeatMapChart(
            weeks: map.weeks.map { week in week.map { $0?.level } },
            months: map.monthStarts.map { .init(text: CivilTime.monthNames[$0.month.month - 1], week: $0.column) },
            levels: map.levels, weekdays: map.weekStart.week.map { String($0.description.prefix(3)) },
            color: query.type.flatMap { RGBColor(hex: $0.color) })
        return [head.line, ""] + chart.lines(screen) + [""] + foot
    }
}

/// The days with events, as JSON.
private struct CalendarJSON: Encodable {
    struct Day: Encodable {
        var day: String
        var count: Int
    }

    var eventType: String?
    var eventTypeId: String?
    var first: String
    var last: String
    var total: Int
    var days: [Day]
    /// The period of the events, if there are none on these days.
    var elsewhere: EventDays?

    init(
        _ type: EventType?, _ range: ClosedRange<CalendarDay>, _ counts: DayCounts, _ events: Int,
        _ elsewhere: EventDays?
    ) {
        self.elsewhere = elsewhere
        eventType = type?.name
        eventTypeId = type?.id
        first = range.lowerBound.description
        last = range.upperBound.description
        total = events
        days = counts.loggedDays.filter(range.contains).map { Day(day: $0.description, count: counts[$0]) }
    }

    enum CodingKeys: String, CodingKey {
        case first, last, total, days, elsewhere
        case eventType = "event_type"
        case eventTypeId = "event_type_id"
    }
}
