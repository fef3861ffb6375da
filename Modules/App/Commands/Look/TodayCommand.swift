import ArgumentParser
import TrendyTerminal

struct TodayCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "today", abstract: "Show the events of today, oldest first.",
        discussion: "Example:\n  trendy today\n  trendy today coffee --columns clock,type,note")

    @OptionGroup var days: DayOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try days.shape.shape.check(isJSON: common.json) }

    func run(in context: CommandContext) async throws {
        try await days.request(.today).run(in: context)
    }
}
