import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyTerminal

struct ListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List events, newest first.",
        discussion: """
            Filters: 'trendy help filters'. Columns and placeholders: 'trendy help columns'.

            Examples:
              trendy list coffee size=large 'price>3' note~ann since:monday
              trendy list run --since 2026-11-01 --sort -km --limit 20
              trendy list run --columns date,duration,prop.km,note
            """)

    @OptionGroup var query: SearchOptions

    @Option(
        name: .long, parsing: .unconditional,
        help: "Sort by time, duration or a property; -km: largest first.")
    var sort: String?

    @Option(name: .long, parsing: .unconditional, help: "Show at most this many events.")
    var limit: Int?

    @Flag(
        name: .long,
        help: "Show all events, not only the newest \(ListingRequest.usualCount).")
    var all = false

    @OptionGroup var shape: EventShapeOptions

    @OptionGroup var common: CommonOptions

    func check() throws {
        if let limit, limit < 0 { throw CommandFailure.usage("--limit must not be negative") }
        if all, limit != nil {
            throw CommandFailure.usage("--all and --limit cannot be used together; give one of them")
        }
        try shape.shape.check(isJSON: common.json)
    }

    func run(in context: CommandContext) async throws {
        let request = ListingRequest(
            query: query.texts, sort: sort, limit: limit, showsAll: all, shape: shape.shape)
        try await request.run(in: context)
    }
}
