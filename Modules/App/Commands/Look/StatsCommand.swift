import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

struct StatsCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Count events, or aggregate a property, as a bar chart.",
        discussion: """
            Example:
              trendy stats
              trendy stats coffee --by weekday
              trendy stats flight --by airline 'distance>=500' --agg median
              trendy stats run --by month --since 2025-01-01
              trendy stats --prop time --since 'this week'

            The default is --by week for one type, and --by type otherwise. The whole duration
            of an event counts on the day, and in the hour, of its start.
            """)

    @OptionGroup var query: QueryOptions

    @Option(
        name: .long,
        help: "day, week, month, weekday, hour, type or a property.")
    var by: String?

    @Option(
        name: .long,
        help: "Aggregate this number or duration; 'time' is from start to end.")
    var prop: String?

    @Option(
        name: .long,
        help: "count, sum, mean, median, min or max (default: sum).", transform: choice)
    var agg: Aggregation?

    @Option(
        name: .long, parsing: .unconditional,
        help: "Sort by value or name; -value: largest first.")
    var sort: String?

    @OptionGroup var screen: ScreenOptions
    @OptionGroup var common: CommonOptions

    func check() throws { _ = try sort.map { try BarOrder($0) } }

    func run(in context: CommandContext) async throws {
        var query = try context.query(query.texts)
        let measure = try measure(query, context.lookup)
        let order = try sort.map { try BarOrder($0) }
        let report: BarReport
        func request(_ query: EventQuery) -> BarReport.Request {
            BarReport.Request(query: query, measure: measure, aggregation: agg ?? .sum, order: order)
        }
        switch try by.map({ try Grouping($0, query, in: context) }) ?? (query.type == nil ? .type : .time(.week)) {
        case .property(let key, let types):
            query.filter = query.filter.and(.type(in: types))
            report = try BarReport(context, request(query), byProperty: key)
        case .time(let grouping): report = try BarReport(context, request(query), by: grouping)
        case .type: report = try await BarReport(context, byTypeOf: request(query))
        }
        try report.write(to: context, on: screen.screen(in: context))
    }

    /// The aggregated value; nil to count events.
    private func measure(_ query: EventQuery, _ lookup: RecordLookup) throws -> Measure? {
        guard let prop else { return agg == nil || agg == .count ? nil : try Measure(meantBy: query, lookup) }
        if let type = query.type { return try Measure(prop, of: type, lookup, for: "--prop") }
        if Measure.isTime(prop) { return .time }
        throw CommandFailure.usage(
            "--prop \(quoted(prop)) needs a type: write 'trendy stats TYPE --prop \(quoted(prop))'; "
                + "without a type use --prop \(Measure.timeKey); see 'trendy stats --help'")
    }

    /// The grouping of `--by`.
    private enum Grouping {
        case time(CountGrouping)
        case type
        /// The property with that key, in these types.
        case property(key: String, types: Set<String>)

        /// - Throws: ``CommandFailure`` with the possible groupings.
        @MainActor
        init(_ text: String, _ query: EventQuery, in context: CommandContext) throws {
            let name = text.lowercased()
            let prefix = QueryResolver.propertyPrefix
            if let grouping = CountGrouping(rawValue: name) {
                self = .time(grouping)
                return
            }
            if name == "type" {
                self = .type
                return
            }
            let definitions = try context.reader.fetch(PropertyDefinition.self).map(\.entity)
                .filter { query.filter.eventTypeIds?.contains($0.eventTypeId) ?? true }
            let keys = definitions.map(\.key)
            let key = name.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
            if let found = keys.first(where: { $0 == key })
                ?? keys.first(where: { Names.areSame($0, key) })
            {
                let owners = definitions.filter { $0.key == found }.map(\.eventTypeId)
                self = .property(key: found, types: Set(owners))
                return
            }
            let names = CountGrouping.allCases.map(\.rawValue) + ["type"] + Set(keys).sorted()
            let near = Suggestion.nearest(to: text, among: names).map { "; did you mean '\($0)'?" } ?? ""
            let shown = names.prefix(16).joined(separator: ", ") + (names.count > 16 ? ", …" : "")
            throw CommandFailure.usage(
                "--by does not take '\(text)': use \(shown)\(near)".withHint("see 'trendy stats --help'"))
        }
    }
}

/// The order of bars: by value, or by name. For times, the order by name is calendar order.
struct BarOrder {
    private enum Key: String {
        case value, name
    }

    private let key: Key
    private let isFalling: Bool

    /// - Throws: ``CommandFailure`` for another sort key.
    init(_ text: String) throws(CommandFailure) {
        isFalling = text.hasPrefix("-")
        let name = (isFalling ? String(text.dropFirst()) : text).lowercased()
        guard let key = Key(rawValue: name == "time" ? Key.name.rawValue : name) else {
            throw .usage("--sort does not take '\(text)': use value or name; -value puts the largest first")
        }
        self.key = key
    }

    /// Sorts bars.
    ///
    /// - Parameters:
    ///   - value: The value of a bar; bars without one come last.
    ///   - name: The name of a bar; nil if the bars are already sorted by name.
    func sorted<Bar>(_ bars: [Bar], value: (Bar) -> Double?, name: ((Bar) -> String)? = nil) -> [Bar] {
        switch key {
        case .name:
            let rising = name.map { name in bars.sorted { name($0) < name($1) } } ?? bars
            return isFalling ? rising.reversed() : rising
        case .value:
            let valued = bars.filter { value($0) != nil }.enumerated().sorted { one, other in
                let (first, second) = (value(one.element) ?? 0, value(other.element) ?? 0)
                return first == second ? one.offset < other.offset : isFalling ? first > second : first < second
            }
            return valued.map(\.element) + bars.filter { value($0) == nil }
        }
    }
}
