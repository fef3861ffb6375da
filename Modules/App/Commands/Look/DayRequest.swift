import TrendyNotation

/// The request for the events of today or of a week.
struct DayRequest: CommandAction, Equatable {
    enum Span {
        case today, week
    }

    var span: Span
    /// The week, as the person typed it; nil for this week.
    var week: String?
    var query = QueryInput()
    var shape = EventShape()

    func run(in context: CommandContext) async throws {
        let query = try context.query(query)
        let report = DayReport(context: context, shape: shape)
        switch span {
        case .today:
            let today = context.process.zone.civil(context.now).startOfDay
            try report.write(today, days: 1, query: query, showsTimers: true)
        case .week:
            let weeks = WeekParser(times: context.times)
            try report.write(try week.map(weeks.firstDay) ?? weeks.current, days: 7, query: query)
        }
    }
}
