/// The events of today or of this week, and the shape in which they are shown.
struct DayRequest: CommandAction, Equatable {
    /// Which days are shown.
    enum Span {
        case today, week
    }

    var span: Span
    /// The types that were named; empty for all.
    var types: [String] = []
    var shape = EventShape()

    func run(in context: CommandContext) async throws {
        let today = context.process.zone.civil(context.now).startOfDay
        let report = DayReport(context: context, shape: shape)
        switch span {
        case .today: try report.write(today, days: 1, types: types)
        case .week: try report.write(today.advanced(byDays: -today.weekday), days: 7, types: types)
        }
    }
}
