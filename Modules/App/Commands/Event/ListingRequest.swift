import TrendyData
import TrendyDomain
import TrendyNotation

/// Which events to list, and in which shape.
struct ListingRequest: CommandAction, Equatable {
    /// More than anyone reads at once, and few enough that a list of a million events begins and ends at once.
    static let usualCount = 200

    /// The types that were named; empty for all.
    var types: [String] = []
    var since: String?
    var until: String?
    var search: String?
    var limit: Int?
    /// Whether people get more than ``usualCount`` where nothing else narrows the list.
    var showsAll = false
    var shape = EventShape()

    func run(in context: CommandContext) async throws {
        let range = try context.times.parseRange(since: since, until: until)
        let filter = EventFilter(
            eventTypeIds: types.isEmpty ? nil : Set(try types.map { try context.lookup.type($0).id }),
            since: range.since, until: range.until, searchText: search, limit: limit)
        let isNarrowed = filter != EventFilter()
        try EventPrinter(context: context, shape: shape).write(
            filter, newest: isNarrowed || showsAll ? nil : Self.usualCount)
    }
}
