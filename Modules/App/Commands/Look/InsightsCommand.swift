import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

struct InsightsCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insights", abstract: "Find patterns in the events, with the figures that support them.",
        discussion: """
            It looks at the 52 weeks up to yesterday, or up to another day.

            Example:
              trendy insights
              trendy insights --until 2025-12-31
              trendy insights note~holiday --json
            """)

    @Option(name: .long, parsing: .unconditional, help: "Look at the 52 weeks up to this day.")
    var until: String?

    @OptionGroup var query: QueryArgument
    @OptionGroup var screen: ScreenOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let query = try context.query(query.texts)
        let histories = try StatisticsReader(context: context, query.filter)
        let today = try today(histories, in: context)
        // What comes after '--until' must not count, not even as the beginning of a day that is not over.
        let end = today < histories.today ? histories.zone.start(of: today) : nil
        let input = InsightInput(
            histories: try histories.typesInUse().map { id in
                InsightInput.History(
                    eventTypeId: id, name: histories.face(id).name, days: try histories.tally(of: id, until: end).days,
                    properties: try histories.insightProperties(of: id, in: context))
            },
            today: today)
        let insights = try await context.root.insightGenerator.generate(from: input)
        if context.wantsJSON { return try context.output.jsonArray(insights) }
        let screen = screen.screen(in: context)
        let shared = InsightText.sharedDetail(insights)
        let lines =
            insights.isEmpty
            ? ["no patterns found"] : insights.flatMap { Self.lines($0, showsDetail: shared == nil, screen) }
        try context.show(lines + Self.foot(insights, input, screen), on: screen)
        if input.histories.isEmpty { try context.remarkBeforeFirstSync() }
    }

    /// The day after the last one of the period: today, or the day after `--until`.
    @MainActor
    private func today(_ histories: StatisticsReader, in context: CommandContext) throws -> CalendarDay {
        let range = try context.times.parseRange(since: nil, until: until)
        return range.until.map { min(histories.today, histories.zone.day(of: $0)) } ?? histories.today
    }

    /// The period; if some types have no events in it, with the option that shows them.
    private static func foot(_ insights: [Insight], _ input: InsightInput, _ screen: Screen) -> [String] {
        guard let examined = InsightText.examined(insights) else { return [] }
        let missing = insights.filter { $0.figures[Insight.lastEventDay] != nil }
        let ids = Set(missing.flatMap(\.eventTypeIds))
        // Without any events, no type is named.
        let histories =
            missing.contains { $0.eventTypeIds.isEmpty }
            ? input.histories : input.histories.filter { ids.contains($0.eventTypeId) }
        let last = missing.isEmpty ? nil : histories.compactMap { $0.days.lastDay(before: input.today) }.max()
        let advice = last.map { "; 'trendy insights --until \($0)' shows the others" } ?? ""
        let foot = [examined + advice, InsightText.sharedDetail(insights)].compactMap(\.self)
        return [""]
            + foot.flatMap { TextWrap.lines($0, columns: screen.width) }.map { screen.style.faint($0) }
    }

    /// The sentence, with its certainty below.
    private static func lines(_ insight: Insight, showsDetail: Bool, _ screen: Screen) -> [String] {
        let room = screen.width - 2
        let sentence = TextWrap.lines(TextTable.singleLine(insight.sentence), columns: room)
        let marked = sentence.enumerated().map { ($0 == 0 ? "\(screen.glyphs.bullet) " : "  ") + $1 }
        guard showsDetail, let detail = insight.detail else { return marked }
        return marked
            + TextWrap.lines(TextTable.singleLine(detail), columns: room).map { "  " + screen.style.faint($0) }
    }
}

extension StatisticsReader {
    /// The values of the numeric properties of a type, durations in minutes.
    func insightProperties(of id: String, in context: CommandContext) throws -> [InsightInput.Property] {
        guard let type = type(id) else { return [] }
        return try context.lookup.properties(of: id).map(\.entity).filter(\.hasNumbers).map { definition in
            InsightInput.Property(definition, try values(of: definition, of: type))
        }
    }
}

extension InsightInput.Property {
    /// A property with its collected values, durations in minutes.
    init(_ definition: PropertyDefinition, _ values: ValueTally) {
        self.init(
            key: TextTable.singleLine(definition.key), unit: definition.propertyType == .duration ? " min" : "",
            values: values)
    }
}
