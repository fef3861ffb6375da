import ArgumentParser

struct WeekCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "week", abstract: "Show a week day by day: this one, or another.",
        discussion: """
            Example:
              trendy week
              trendy week --of last
              trendy week run --of 2026-W10 --json

            It begins with the day that the setting week-start names; a week with a number
            begins on Monday.
            """)

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Show this week: last, 2026-W10, '3 weeks ago' or a day of it.", valueName: "week"))
    var of: String?

    @OptionGroup var days: DayOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try days.shape.shape.check(isJSON: common.json) }

    func run(in context: CommandContext) async throws {
        try await days.request(.week, of: of).run(in: context)
    }
}
