import ArgumentParser

struct WeekCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "week", abstract: "Show this week day by day, from Monday on.",
        discussion: "Example:\n  trendy week\n  trendy week run --json")

    @OptionGroup var days: DayOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try days.shape.shape.check(isJSON: common.json) }

    func run(in context: CommandContext) async throws {
        try await days.request(.week).run(in: context)
    }
}
