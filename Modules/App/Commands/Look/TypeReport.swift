import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// How many events each type has, as bars or as JSON.
@MainActor
struct TypeReport {
    private struct Row {
        var id: String
        var face: TypeFace
        var count: Int

        var name: String { face.name }
    }

    private let rows: [Row]
    private let window: CountWindow
    /// What is said where there is nothing to show; nil where there is something.
    private let empty: EmptyLook?

    init(_ context: CommandContext, _ query: EventQuery, _ order: BarOrder?) async throws {
        let histories = try Histories(context: context, query.filter.atAnyTime)
        let (since, until) = (query.filter.since, query.filter.until)
        let counts = try await context.root.repository.countsByType(matching: query.filter)
        let rows = counts.map { id, count in
            Row(id: id, face: histories.face(id), count: count)
        }
        let largestFirst = rows.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
        self.rows = order?.sorted(largestFirst, value: { Double($0.count) }, name: \.name) ?? largestFirst
        window = CountWindow(.hour, since: since, until: until, zone: histories.zone, today: histories.today)
        let others = rows.isEmpty ? try histories.days(of: .all, type: nil) : nil
        let option = CountWindow.option(others, hasEnd: until != nil)
        empty = rows.isEmpty ? EmptyLook(query: query, stretch: window.stretch, others: others, option: option) : nil
    }

    /// Writes bars for a person, or JSON where that was asked for.
    func write(to context: CommandContext, on screen: Screen) throws {
        let total = rows.reduce(0) { $0 + $1.count }
        if context.wantsJSON {
            let buckets = rows.map { TypeJSON.Bucket(bucket: $0.name, eventTypeId: $0.id, count: $0.count) }
            return try context.output.json(
                TypeJSON(
                    first: window.first?.description, last: window.last?.description, total: total,
                    elsewhere: empty?.others, buckets: buckets))
        }
        if let empty {
            try context.show(TextWrap.lines(empty.text(), columns: screen.width), on: screen)
            return try context.remarkBeforeFirstSync()
        }
        let chart = BarChart(
            bars: zip(rows, TypeFace.labels(rows.map(\.face), on: screen)).map { row, label in
                .init(label: label, value: Double(row.count), figure: FigureText.text(row.count), color: row.face.color)
            })
        let summary =
            "\(FigureText.counted(total, "event")) of \(counted(rows.count, "type"))"
            + (window.name.map { ", \($0)" } ?? "")
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
    /// The first and the last day that are looked at, where there are such.
    var first: String?
    var last: String?
    var total: Int
    /// Where the events are, where there are none among the buckets.
    var elsewhere: EventDays?
    var buckets: [Bucket]
}
