import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// A query for events, with the names resolved.
struct EventQuery {
    /// The filter; it selects all-day events by their days.
    var filter: EventFilter
    /// The type, if the query selects exactly one.
    let type: EventType?
    /// The query for titles: the names of types, or the text; nil if it selects all events.
    let name: String?
    /// The numeric properties that the query compares.
    let measured: [PropertyDefinition]
    /// Whether it selects running events, such as timers.
    let asksWhatRuns: Bool

    /// Whether it has conditions other than types and times.
    var isSpecial: Bool { filter.condition != .always }
}

/// The words and options of a query, as the person typed them.
struct QueryInput: Equatable {
    var words: [String] = []
    var since: String?
    var until: String?
    var search: String?

    var isEmpty: Bool { words.isEmpty && since == nil && until == nil && search == nil }
}

extension CommandContext {
    /// Resolves a query.
    ///
    /// - Throws: ``CommandFailure`` that shows the place of the error in the query.
    func query(_ texts: QueryInput) throws -> EventQuery {
        let range = try times.parseRange(since: texts.since, until: texts.until)
        let options = EventFilter(
            since: range.since, until: range.until, where: texts.search.map(EventCondition.search) ?? .always
        )
        .byDays(in: process.zone)
        if texts.words.isEmpty {
            return EventQuery(filter: options, type: nil, name: nil, measured: [], asksWhatRuns: false)
        }
        if let blank = texts.words.first(where: { $0.allSatisfy(\.isWhitespace) }) {
            throw CommandFailure.usage("'\(blank)' is not a filter; write a type or a condition, like size=large")
        }
        let vocabulary = try QueryVocabulary(reader, properties)
        let source = QuerySource(texts.words)
        do {
            var meaning = QueryResolver(vocabulary, source)
            guard let node = try QueryParser.parse(source, names: vocabulary.names) else {
                return try query(QueryInput())
            }
            let condition = try meaning.condition(node)
            let filter = options.and(condition)
            if let since = filter.since, let until = filter.until, until < since {
                throw CommandFailure.usage(
                    "the filter ends at \(process.zone.minuteText(until)), before its start at "
                        + "\(process.zone.minuteText(since)); change since: or until:")
            }
            let chosen = filter.eventTypeIds.map { ids in vocabulary.types.filter { ids.contains($0.id) } } ?? []
            let isOnlyTypes = EventFilter().and(condition) == EventFilter(eventTypeIds: filter.eventTypeIds)
            let names = chosen.map(\.name).sorted().joined(separator: ", ")
            return EventQuery(
                filter: filter, type: chosen.count == 1 ? chosen[0] : nil,
                name: isOnlyTypes && chosen.count < 4 && !chosen.isEmpty ? names : source.text,
                measured: meaning.measured,
                asksWhatRuns: meaning.asksWhatRuns)
        } catch let failure as QueryFailure { throw failure.placed(in: source) }
    }
}

extension CommandContext {
    /// Resolves a query in a place where ids of events are possible, too.
    ///
    /// - Throws: As ``query(_:)``, with advice on ids for a single word.
    func query(events words: [String]) throws -> EventQuery {
        do { return try query(QueryInput(words: words)) } catch  where error is CommandFailure || error is InputError {
            let failure = CommandFailure(error)
            // A condition cannot be a misspelt id.
            let isWord = words.count == 1 && words[0].allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
            guard isWord, failure.status == .data else { throw failure }
            throw CommandFailure(failure.status, failure.message.withHint("'trendy list' shows the ids of events"))
        }
    }
}

extension EventFilter {
    /// The filter without its limits of time.
    var atAnyTime: EventFilter {
        var filter = self
        filter.interval = EventInterval()
        return filter
    }
}

extension EmptyPeriod {
    /// The answer for a period in which a query finds no event.
    init(
        measure: Measure? = nil, query: EventQuery?, stretch: String?, others: EventDays?, option: String? = nil,
        showsAll: Bool = true
    ) {
        self.init(
            measure: measure, name: query?.name, isSpecial: query?.isSpecial ?? false, stretch: stretch, others: others,
            option: option, showsAll: showsAll)
    }
}
