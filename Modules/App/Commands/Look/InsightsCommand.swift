import ArgumentParser
import TrendyDomain
import TrendyReport
import TrendyTerminal

struct InsightsCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insights", abstract: "Say what the events show, with the figures that support it.",
        discussion: "Example:\n  trendy insights\n  trendy insights note~holiday --json")

    @OptionGroup var query: QueryArgument
    @OptionGroup var screen: ScreenOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let query = try context.query(query.texts)
        let histories = try Histories(context: context, query.filter)
        let input = InsightInput(
            histories: try histories.typesInUse().map { id in
                InsightInput.History(
                    eventTypeId: id, name: histories.face(id).name, days: try histories.tally(of: id).days)
            },
            today: histories.today)
        let insights = try await context.root.insightGenerator.generate(from: input)
        if context.wantsJSON { return try context.output.jsonArray(insights) }
        let screen = screen.screen(in: context)
        let lines = insights.isEmpty ? ["nothing stands out"] : insights.flatMap { Self.lines($0, screen) }
        try context.show(lines + Self.foot(insights, input, screen), on: screen)
        if input.histories.isEmpty { try context.remarkBeforeFirstSync() }
    }

    /// Which days were looked at, and where nothing is on them, what shows the others.
    private static func foot(_ insights: [Insight], _ input: InsightInput, _ screen: Screen) -> [String] {
        guard let examined = InsightText.examined(insights) else { return [] }
        let days = input.histories.compactMap(\.days.days)
        let isEmpty = insights.contains { $0.figures["first_event_day"] != nil }
        let first = isEmpty ? days.map(\.lowerBound).min() : nil
        let advice = first.map { "; 'trendy stats --by month --since \($0)' shows the others" } ?? ""
        return [""] + TextWrap.lines(examined + advice, columns: screen.width).map { screen.style.faint($0) }
    }

    /// The sentence, and below it its figures.
    private static func lines(_ insight: Insight, _ screen: Screen) -> [String] {
        let room = screen.width - 2
        let sentence = TextWrap.lines(TextTable.singleLine(insight.sentence), columns: room)
        let figures = InsightText.figures(insight).map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        let marked = sentence.enumerated().map { ($0 == 0 ? "\(screen.glyphs.bullet) " : "  ") + $1 }
        return marked + TextWrap.lines(figures, columns: room).map { "  " + screen.style.faint($0) }
    }
}
