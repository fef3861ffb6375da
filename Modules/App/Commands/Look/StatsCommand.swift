import ArgumentParser
import TrendyDomain

struct StatsCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show how many events there were, as bars.",
        discussion: """
            Example:
              trendy stats
              trendy stats coffee --by weekday
              trendy stats run --by month --since 2025-01-01

            Without --by: by week for a type, else by type. Weeks begin on Monday.
            """)

    @Argument(help: "Only of this type.")
    var type: String?

    @Option(name: .long, help: "Count by day, week, month, weekday or hour.", transform: choice)
    var by: CountGrouping?

    @Option(name: .long, parsing: .unconditional, help: "Only at or after this time.")
    var since: String?

    @Option(name: .long, parsing: .unconditional, help: "Only before this time, or to the end of this day.")
    var until: String?

    @OptionGroup var screen: ScreenOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let (since, until) = try context.times.parseRange(since: self.since, until: self.until)
        let type = try type.map { try context.lookup.type($0).entity }
        if let grouping = by ?? (type == nil ? nil : .week) {
            let report = try CountReport(context, type, grouping, since: since, until: until)
            try report.write(to: context, on: screen.screen(in: context))
        } else {
            let report = try await TypeReport(context, since: since, until: until)
            try report.write(to: context, on: screen.screen(in: context))
        }
    }
}
