import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

extension BarReport {
    /// Counts or aggregates the events of each type.
    init(_ context: CommandContext, byTypeOf request: Request) async throws {
        let histories = try StatisticsReader(context: context, request.query.filter.atAnyTime)
        var rows: [Row] = []
        var totals = ValueTotals()
        if let measure = request.measure {
            for id in try histories.typesInUse() {
                let tally = try histories.values(
                    of: measure, request, type: id, since: request.since, until: request.until)
                guard tally.count > 0 else { continue }
                rows.append(
                    Self.row(id, histories, tally.value(aggregation: request.aggregation), count: tally.count))
                totals.add(tally.totals)
            }
        } else {
            let counts = try await context.root.repository.countsByType(matching: request.query.filter)
            rows = counts.map { Self.row($0, histories, Double($1), count: $1) }
        }
        let count = rows.reduce(0) { $0 + $1.count }
        let value = request.measure == nil ? Double(count) : totals.value(request.aggregation)
        let window = CountWindow(
            .hour, since: request.since, until: request.until, zone: histories.zone, today: histories.today,
            weekStart: histories.weekStart)
        let largestFirst = rows.sorted { ($1.value ?? 0, $0.label) < ($0.value ?? 0, $1.label) }
        let title = request.measure.flatMap { measure in window.name.map { "\(measure.title), \($0)" } }
        let when = request.measure == nil ? window.name.map { ", \($0)" } ?? "" : ""
        let types = FigureText.counted(rows.count, "type")
        self.init(
            request: request, by: "type", window: window, title: title,
            rows: request.order?.sorted(largestFirst, value: \.value, name: \.label) ?? largestFirst, value: value,
            count: count, hasTotal: request.measure == nil,
            summary: "\(request.summary(value, count)) of \(types)\(when)",
            empty: count == 0 ? try request.empty(histories, window.stretch) : nil)
    }

    private static func row(_ id: String, _ histories: StatisticsReader, _ value: Double?, count: Int) -> Row {
        let face = histories.face(id)
        return Row(
            label: face.name, face: face, typeId: id, bucket: .string(face.name), value: value, count: count)
    }

    /// Counts or aggregates the events with each value of a property.
    init(_ context: CommandContext, _ request: Request, byProperty key: String) throws {
        let filter = request.query.filter
        let histories = try StatisticsReader(context: context, filter.atAnyTime)
        let groups = try histories.repository.groups(
            by: key, measuring: request.measure?.part ?? .all, keepsValues: request.aggregation == .median,
            matching: filter)
        var all = ValueTotals()
        for group in groups { all.add(group.totals) }
        let count = groups.reduce(0) { $0 + $1.count }
        let value = request.measure == nil ? Double(count) : all.value(request.aggregation)
        try request.measure?.requireFinite(
            [value] + groups.map { $0.totals.value(request.aggregation) }, of: request.query.type)
        let properties = context.properties
        let rows = groups.map { group in
            (
                value: group.value,
                row: Row(
                    label: TextTable.singleLine(group.value.map(properties.text) ?? "(none)"),
                    bucket: group.value?.value,
                    value: request.measure == nil ? Double(group.count) : group.totals.value(request.aggregation),
                    count: group.count)
            )
        }.sorted { Self.precedes($0, $1) }.map(\.row)
        let sorted = try (request.order ?? BarOrder("-value")).sorted(rows, value: \.value)
        let others = sorted.dropFirst(Self.mostGroups)
        let left = FigureText.counted(others.reduce(0) { $0 + $1.count }, "event")
        let rest =
            others.isEmpty ? "" : "; \(FigureText.counted(others.count, "other value")) of \(left) not shown"
        let window = CountWindow(
            .hour, since: filter.since, until: filter.until, zone: histories.zone, today: histories.today,
            weekStart: histories.weekStart)
        self.init(
            request: request, by: key, window: window, title: request.title(by: key, window), rows: sorted,
            most: Self.mostGroups, value: value, count: count, summary: request.summary(value, count) + rest,
            empty: count == 0 ? try request.empty(histories, window.stretch) : nil)
    }

    private static let mostGroups = 40

    /// Numbers by size, texts alphabetically, events without a value last.
    private static func precedes(_ one: (value: PropertyValue?, row: Row), _ other: (value: PropertyValue?, row: Row))
        -> Bool
    {
        guard let first = one.value, let second = other.value else { return one.value != nil && other.value == nil }
        if let low = first.statisticalValue, let high = second.statisticalValue { return low < high }
        return (one.row.label.lowercased(), one.row.label) < (other.row.label.lowercased(), other.row.label)
    }
}
