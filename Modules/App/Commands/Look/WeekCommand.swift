import ArgumentParser
import TrendyDomain

struct WeekCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "week", abstract: "Show this week day by day, from Monday on.",
        discussion: "Example:\n  trendy week\n  trendy week run --json")

    @Argument(help: "Only of these types.")
    var types: [String] = []

    @OptionGroup var shape: EventShape
    @OptionGroup var common: CommonOptions

    func check() throws { try shape.check(isJSON: common.json) }

    func run(in context: CommandContext) async throws {
        let today = context.process.zone.civil(context.now).startOfDay
        let monday = today.advanced(byDays: -today.daysAfterMonday)
        try DayReport(context: context, shape: shape).write(monday, days: 7, types: types)
    }
}
