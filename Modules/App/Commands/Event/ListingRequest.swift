import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// A list of events, and its format.
struct ListingRequest: CommandAction, Equatable {
    /// The default limit: more than anyone reads at once, and few enough for an instant answer.
    static let usualCount = 200

    var query = QueryInput()
    /// The sort key; nil for the newest first.
    var sort: String?
    var limit: Int?
    /// Whether the limit ``usualCount`` does not apply.
    var showsAll = false
    var shape = EventShape()

    func run(in context: CommandContext) async throws {
        let query = try context.query(query)
        let sort = try sort.map { try EventSort($0, in: context) }
        var filter = query.filter
        filter.order = sort?.order ?? .newestFirst
        filter.limit = limit
        let isNarrowed = !self.query.isEmpty || limit != nil
        var printer = EventPrinter(context: context, shape: shape)
        if let columns = sort?.columns, printer.shape.isUsual, !context.wantsJSON { printer.shape.columns = columns }
        if query.asksWhatRuns { printer.timers = try RunningTimers.load(context.reader).events }
        try printer.write(filter, newest: isNarrowed || showsAll ? nil : Self.usualCount)
    }
}

/// The order of `--sort`.
struct EventSort {
    let order: EventFilter.Order
    /// The columns of the table, with the sort key.
    let columns: String?

    /// - Throws: ``CommandFailure`` if there is no such property.
    @MainActor
    init(_ text: String, in context: CommandContext) throws {
        let isFalling = text.hasPrefix("-")
        let name = isFalling ? String(text.dropFirst()) : text
        let definitions = try context.reader.fetch(PropertyDefinition.self).map(\.entity)
        let keys = Set(definitions.map(\.key))
        switch name.lowercased() {
        case "time":
            order = isFalling ? .newestFirst : .oldestFirst
            columns = nil
        case "duration" where !keys.contains(name):
            order = .length(descending: isFalling)
            columns = "short_id,time,type,duration,note"
        default:
            let prefix = QueryResolver.propertyPrefix
            let column: EventColumn
            do { column = try EventColumn(name.hasPrefix(prefix) ? name : prefix + name, keys: keys) } catch {
                throw CommandFailure.usage("--sort takes time, duration or a property: \(error.message)")
            }
            guard case .property(let key) = column else { throw CommandFailure.usage("'\(text)' is not a property") }
            order = .property(key: key, descending: isFalling)
            columns = "short_id,time,type,prop.\(key),note"
        }
    }
}
