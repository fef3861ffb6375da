import ArgumentParser
import TrendyData
import TrendyDomain

struct ListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List events, newest first.",
        discussion: "Example:\n  trendy list coffee run --since 2026-11-01 --search park --limit 20")

    @Argument(help: "Only of these types.")
    var types: [String] = []

    @Option(name: .long, parsing: .unconditional, help: "Only at or after this time.")
    var since: String?

    @Option(name: .long, parsing: .unconditional, help: "Only before this time.")
    var until: String?

    @Option(name: .long, parsing: .unconditional, help: "Only with this text in note, title or location, in any case.")
    var search: String?

    @Option(name: .long, parsing: .unconditional, help: "At most this many.")
    var limit: Int?

    @OptionGroup var common: CommonOptions

    func check() throws {
        if let limit, limit < 0 { throw CommandFailure.usage("--limit must not be negative") }
    }

    func run(in context: CommandContext) async throws {
        let times = context.times
        let filter = EventFilter(
            eventTypeIds: types.isEmpty ? nil : Set(try types.map { try context.lookup.type($0).id }),
            since: try since.map { try times.parse($0) }, until: try until.map { try times.parse($0) },
            searchText: search, limit: limit)
        if context.wantsJSON { return try printJSON(filter, in: context) }
        let lines = try EventLines(context: context)
        var isEmpty = true
        try context.root.repository.forEachEvent(matching: filter) { record in
            if isEmpty { try context.output.line(lines.header) }
            isEmpty = false
            try context.output.line(lines.line(record))
        }
        if isEmpty { try context.output.line("no events") }
    }

    @MainActor
    private func printJSON(_ filter: EventFilter, in context: CommandContext) throws {
        var array = JSONArrayWriter(output: context.output)
        try context.root.repository.forEachEvent(matching: filter) { try array.add($0) }
        try array.end()
    }
}
