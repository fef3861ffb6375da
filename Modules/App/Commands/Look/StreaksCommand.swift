import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

struct StreaksCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "streaks", abstract: "Show the current and the longest streak of days.",
        discussion: "Example:\n  trendy streaks\n  trendy streaks run 'km>5'")

    @OptionGroup var query: QueryArgument

    @OptionGroup var screen: ScreenOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let query = try context.query(query.texts)
        let histories = try StatisticsReader(context: context, query.filter)
        // A named type is shown even if it has no events.
        let named = query.isSpecial ? nil : query.filter.eventTypeIds
        let ids = try named.map(Array.init) ?? histories.typesInUse()
        let rows = try ids.map { id in
            let counts = try histories.tally(of: id).days
            return StreakRow(
                id: id, face: histories.face(id), counts: counts, streaks: Streaks(counts, today: histories.today))
        }
        .filter { !query.isSpecial || $0.counts.total > 0 }
        .sorted { $0.precedes($1) }
        if context.wantsJSON { return try context.output.jsonArray(rows) }
        let screen = screen.screen(in: context)
        if rows.isEmpty {
            try context.output.line(EmptyPeriod(query: query, stretch: nil, others: nil).text())
            return try context.remarkBeforeFirstSync()
        }
        try context.show(StreakRow.table(rows, today: histories.today, screen), on: screen)
    }
}

/// The streaks of a type.
private struct StreakRow: Encodable {
    let id: String
    let face: TypeFace
    let counts: DayCounts
    let streaks: Streaks

    private var name: String { face.name }

    private static let days = 14
    private static let titles = ["TYPE", "NOW", "LAST \(days) DAYS", "LONGEST"]

    /// Sorts current streaks before past ones, and long ones before short ones.
    func precedes(_ other: StreakRow) -> Bool {
        let key = { (row: StreakRow) in (row.streaks.current?.length ?? 0, row.streaks.longest?.length ?? 0) }
        return key(self) == key(other) ? (name, id) < (other.name, other.id) : key(self) > key(other)
    }

    static func table(_ rows: [StreakRow], today: CalendarDay, _ screen: Screen) -> [String] {
        let labels = TypeFace.labels(rows.map(\.face), on: screen)
        let names = min(max(titles[0].columns, labels.map(\.columns).max() ?? 0), max(8, screen.width / 4))
        let now = max(titles[1].columns, rows.map { $0.now(screen).columns }.max() ?? 0)
        let widths = [names, now, max(days, titles[2].columns)]
        var head = LineBuilder(screen)
        for (place, title) in titles.enumerated() {
            head.add(title, width: place < widths.count ? widths[place] : nil) { screen.style.bold($0) }
            head.skip(2)
        }
        return [head.line] + zip(rows, labels).map { $0.line($1, widths, today, screen) }
    }

    private func line(_ label: String, _ widths: [Int], _ today: CalendarDay, _ screen: Screen) -> String {
        var line = LineBuilder(screen)
        line.add(label, width: widths[0])
        line.skip(2)
        line.add(now(screen), width: widths[1])
        line.skip(2)
        let days = today.advanced(by: 1 - Self.days)...today
        let marks = days.map { HeatMapChart.mark(counts[$0] > 0 ? 4 : 0, screen.glyphs) }.joined()
        line.add(marks, width: widths[2]) { screen.style.colored($0, face.color) }
        line.skip(2)
        line.add(
            streaks.longest.map(Self.text) ?? screen.glyphs.none)
        return line.line
    }

    private static func text(_ streak: Streak) -> String {
        let days = streak.length == 1 ? "\(streak.first)" : "\(streak.first) to \(streak.last)"
        return "\(counted(streak.length, "day")), \(days)"
    }

    private func now(_ screen: Screen) -> String {
        streaks.current.map { counted($0.length, "day") } ?? screen.glyphs.none
    }

    private struct Row: Encodable {
        var days: Int
        var first: String
        var last: String

        init(_ streak: Streak) {
            days = streak.length
            first = streak.first.description
            last = streak.last.description
        }
    }

    private enum CodingKeys: String, CodingKey {
        case current, longest
        case eventType = "event_type"
        case eventTypeId = "event_type_id"
        case isTodayLogged = "is_today_logged"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .eventType)
        try container.encode(id, forKey: .eventTypeId)
        try container.encodeIfPresent(streaks.current.map(Row.init), forKey: .current)
        try container.encodeIfPresent(streaks.longest.map(Row.init), forKey: .longest)
        try container.encode(streaks.isTodayLogged, forKey: .isTodayLogged)
    }
}
