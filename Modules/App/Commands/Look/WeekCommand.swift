import ArgumentParser

struct WeekCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "week", abstract: "Show this week day by day, from Monday on.",
        discussion: "Example:\n  trendy week\n  trendy week run --json")

    @OptionGroup var days: DayOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try days.shape.check(isJSON: common.json) }

    func run(in context: CommandContext) async throws {
        try days.write(days: 7, in: context) { $0.advanced(byDays: -$0.weekday) }
    }
}
