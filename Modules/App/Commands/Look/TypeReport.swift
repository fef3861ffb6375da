import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// The number of events of each type, as bars or as JSON.
@MainActor
struct TypeReport {
    private struct Row {
        var id: String
        var name: String
        var color: RGBColor?
        var count: Int
    }

    private let rows: [Row]
    private let window: CountWindow
    /// The answer if there are no events; nil if there are some.
    private let empty: EmptyLook?

    init(_ context: CommandContext, _ query: EventQuery, _ order: BarOrder?) async throws {
        let histories = try StatisticsReader(context: context, query.filter.atAnyTime)
        let (since, until) = (query.filter.since, query.filter.until)
        let counts = try await context.root.repository.countsByType(matching: query.filter)
        let rows = counts.map { id, count in
            let face = histories.face(id)
            return Row(id: id, name: face.name, color: face.color, count: count)
        }
        let largestFirst = rows.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
        self.rows = order?.sorted(largestFirst, value: { Double($0.count) }, name: \.name) ?? largestFirst
        window = CountWindow(
            .hour, since: since, until: until, zone: histories.zone, today: histories.today,
            weekStart: histories.weekStart)
        let others = rows.isEmpty ? try histories.days(of: .all, type: nil) : nil
        let option = CountWindow.option(others, hasEnd: until != nil)
        empty = rows.isEmpty ? EmptyLook(query: query, stretch: window.stretch, others: others, option: option) : nil
    }

    /// Writes bars, or JSON with `--json`.
    func write(to context: CommandContext, on screen: Screen) throws {
        let total = rows.reduce(0) { $0 + $1.count }
        if context.wantsJSON {
            let buckets = rows.map { BucketsJSON.Bucket(bucket: .string($0.name), eventTypeId: $0.id, count: $0.count) }
            return try context.output.json(
                BucketsJSON(
                    by: "type", first: window.first?.description, last: window.last?.description, total: total,
                    elsewhere: empty?.others, buckets: buckets))
        }
        let chart = BarChart(
            bars: rows.map {
                .init(label: $0.name, value: Double($0.count), figure: FigureText.text($0.count), color: $0.color)
            })
        let summary =
            "\(FigureText.counted(total, "event")) of \(counted(rows.count, "type"))"
            + (window.name.map { ", \($0)" } ?? "")
        let foot = TextWrap.lines(summary, columns: screen.width)
        try context.show(chart.lines(screen) + [""] + foot, or: empty, on: screen)
    }
}
