import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyTerminal

struct ListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List events, newest first.",
        discussion: """
            Columns and placeholders: 'trendy help columns'.

            Examples:
              trendy list coffee run --since 2026-11-01 --search park --limit 20
              trendy list run --columns date,duration,prop.km,note
              trendy list --format '{{short_id}} {{type}} {{time}}'
            """)

    @Argument(help: "Only of these types.")
    var types: [String] = []

    @Option(name: .long, parsing: .unconditional, help: "Only at or after this time.")
    var since: String?

    @Option(name: .long, parsing: .unconditional, help: "Only before this time, or to the end of this day.")
    var until: String?

    @Option(name: .long, parsing: .unconditional, help: "Only with this text in note, title or location.")
    var search: String?

    @Option(name: .long, parsing: .unconditional, help: "At most this many.")
    var limit: Int?

    @Flag(
        name: .long,
        help: "All; else people get the newest \(ListingRequest.usualCount).")
    var all = false

    @OptionGroup var shape: EventShapeOptions

    @OptionGroup var common: CommonOptions

    func check() throws {
        if let limit, limit < 0 { throw CommandFailure.usage("--limit must not be negative") }
        if all, limit != nil {
            throw CommandFailure.usage("--all and --limit exclude each other; give one of them")
        }
        try shape.shape.check(isJSON: common.json)
    }

    func run(in context: CommandContext) async throws {
        let request = ListingRequest(
            types: types, since: since, until: until, search: search, limit: limit, showsAll: all, shape: shape.shape)
        try await request.run(in: context)
    }
}
