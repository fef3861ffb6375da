import ArgumentParser
import TrendyDomain

struct TodayCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "today", abstract: "Show today's events, the first of the day first.",
        discussion: "Example:\n  trendy today\n  trendy today coffee --columns clock,type,note")

    @Argument(help: "Only of these types.")
    var types: [String] = []

    @OptionGroup var shape: EventShape
    @OptionGroup var common: CommonOptions

    func check() throws { try shape.check(isJSON: common.json) }

    func run(in context: CommandContext) async throws {
        let today = context.process.zone.civil(context.now).startOfDay
        try DayReport(context: context, shape: shape).write(today, days: 1, types: types)
    }
}
