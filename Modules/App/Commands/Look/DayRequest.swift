import TrendyNotation

/// The events of today or of a week, and the shape in which they are shown.
struct DayRequest: CommandAction, Equatable {
    /// Which days are shown.
    enum Span {
        case today, week
    }

    var span: Span
    /// The week, as it was typed; nil for the one that has today.
    var week: String?
    var query = QueryTexts()
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
