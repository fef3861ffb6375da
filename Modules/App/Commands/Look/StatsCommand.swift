import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

struct StatsCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show how many events there were, as bars.",
        discussion: """
            Example:
              trendy stats
              trendy stats coffee --by weekday
              trendy stats run --by month --since 2025-01-01
              trendy stats --prop time --since 'this week'

            Without --by: by week for a type, else by type. Weeks begin on Monday. All the
            time of an event counts on the day, and in the hour, of its start.
            """)

    @Argument(help: "Only of this type.")
    var type: String?

    @Option(name: .long, help: "Count by day, week, month, weekday or hour.", transform: choice)
    var by: CountGrouping?

    @Option(
        name: .long,
        help: "Add up this number or duration; 'time', where the type has no such property, is from start to end.")
    var prop: String?

    @Option(name: .long, help: "What to make of its values: sum, mean or max (default: sum).", transform: choice)
    var agg: Aggregation?

    @Option(name: .long, parsing: .unconditional, help: "Only at or after this time.")
    var since: String?

    @Option(name: .long, parsing: .unconditional, help: "Only before this time, or to the end of this day.")
    var until: String?

    @OptionGroup var screen: ScreenOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        if agg != nil, prop == nil {
            throw CommandFailure.usage("--agg says what to make of a property's values; give --prop KEY, too")
        }
        guard let prop, type == nil, !Measure.isTime(prop) else { return }
        throw CommandFailure.usage(
            "a property belongs to a type: write 'trendy stats TYPE --prop \(quoted(prop))'; "
                + "without a type there is --prop \(Measure.timeKey)")
    }

    func run(in context: CommandContext) async throws {
        let (since, until) = try context.times.parseRange(since: self.since, until: self.until)
        let type = try type.map { try context.lookup.type($0).entity }
        if let prop {
            let measure = try type.map { try Measure(prop, of: $0, context.lookup, for: "--prop") } ?? Measure.time
            let request = ValueReport.Request(
                measure: measure, aggregation: agg ?? .sum, type: type, since: since, until: until)
            return try Self.report(context, request, by: by).write(to: context, on: screen.screen(in: context))
        }
        if let grouping = by ?? (type == nil ? nil : .week) {
            let report = try CountReport(context, type, grouping, since: since, until: until)
            try report.write(to: context, on: screen.screen(in: context))
        } else {
            let report = try await TypeReport(context, since: since, until: until)
            try report.write(to: context, on: screen.screen(in: context))
        }
    }

    /// Adds up by the same grouping by which events are counted.
    @MainActor
    private static func report(
        _ context: CommandContext, _ request: ValueReport.Request, by grouping: CountGrouping?
    ) throws -> ValueReport {
        if let grouping = grouping ?? (request.type == nil ? nil : .week) {
            return try ValueReport(context, request, by: grouping)
        }
        return try ValueReport(timeByTypeOf: request, context)
    }
}
