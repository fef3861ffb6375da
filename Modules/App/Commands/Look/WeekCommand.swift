import ArgumentParser

struct WeekCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "week", abstract: "Show a week day by day, from Monday on: this one, or another.",
        discussion: "Example:\n  trendy week\n  trendy week --of last\n  trendy week run --of 2026-W10 --json")

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Another: last, 2026-W10, '3 weeks ago', a day in it.", valueName: "week"))
    var of: String?

    @OptionGroup var days: DayOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try days.shape.shape.check(isJSON: common.json) }

    func run(in context: CommandContext) async throws {
        try await days.request(.week, of: of).run(in: context)
    }
}
