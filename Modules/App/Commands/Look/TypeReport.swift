import TrendyData
import TrendyDomain

/// How many events each type has, as bars or as JSON.
@MainActor
struct TypeReport {
    private struct Row {
        var id: String
        var name: String
        var color: RGBColor?
        var count: Int
    }

    private let rows: [Row]

    init(_ context: CommandContext, since: Timestamp?, until: Timestamp?) async throws {
        let histories = try Histories(context: context)
        let counts = try await context.root.repository.countsByType(
            matching: EventFilter(since: since, until: until).byDays(in: histories.zone))
        let rows = counts.map { id, count in
            let face = histories.face(id)
            return Row(id: id, name: face.name, color: face.color, count: count)
        }
        self.rows = rows.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    /// Writes bars for a person, or JSON where that was asked for.
    func write(to context: CommandContext, on screen: Screen) throws {
        let total = rows.reduce(0) { $0 + $1.count }
        if context.wantsJSON {
            let buckets = rows.map { TypeJSON.Bucket(bucket: $0.name, eventTypeId: $0.id, count: $0.count) }
            return try context.output.json(TypeJSON(total: total, buckets: buckets))
        }
        if rows.isEmpty {
            try context.output.line("no events")
            return try context.remarkBeforeFirstSync()
        }
        let chart = BarChart(
            bars: rows.map {
                .init(label: $0.name, value: Double($0.count), figure: FigureText.text($0.count), color: $0.color)
            })
        let summary = "\(FigureText.counted(total, "event")) of \(counted(rows.count, "type"))"
        let foot = TextWrap.lines(summary, columns: screen.width)
        try context.show(chart.lines(screen) + [""] + foot, on: screen)
    }
}

/// Counts by type as JSON.
private struct TypeJSON: Encodable {
    struct Bucket: Encodable {
        var bucket: String
        var eventTypeId: String
        var count: Int

        enum CodingKeys: String, CodingKey {
            case bucket, count
            case eventTypeId = "event_type_id"
        }
    }

    var by = "type"
    var total: Int
    var buckets: [Bucket]
}
