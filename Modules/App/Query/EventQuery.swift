import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// The events that a command line chooses.
struct EventQuery {
    /// Selects them, all-day events by their days.
    var filter: EventFilter
    /// The type, where it is exactly one.
    let type: EventType?
    /// The query in words, for titles: the names of types, or the text; nil where every event is chosen.
    let name: String?
    /// The numbers that the query compares.
    let measured: [PropertyDefinition]
    /// Whether it asks for what goes on, timers among it.
    let asksWhatRuns: Bool

    /// Whether more than types and times is asked for.
    var isSpecial: Bool { filter.condition != .always }
}

/// The words of a query and the options that say the same, as a person wrote them.
struct QueryTexts: Equatable {
    var words: [String] = []
    var since: String?
    var until: String?
    var search: String?

    var isEmpty: Bool { words.isEmpty && since == nil && until == nil && search == nil }
}

extension CommandContext {
    /// Finds what a query means.
    ///
    /// - Throws: ``CommandFailure`` that shows where in the query something is wrong.
    func query(_ texts: QueryTexts) throws -> EventQuery {
        let range = try times.parseRange(since: texts.since, until: texts.until)
        let options = EventFilter(
            since: range.since, until: range.until, where: texts.search.map(EventCondition.search) ?? .always
        )
        .byDays(in: process.zone)
        if texts.words.isEmpty {
            return EventQuery(filter: options, type: nil, name: nil, measured: [], asksWhatRuns: false)
        }
        if let blank = texts.words.first(where: { $0.allSatisfy(\.isWhitespace) }) {
            throw CommandFailure.usage("'\(blank)' chooses no events; write a type or a condition, like size=large")
        }
        let vocabulary = try QueryVocabulary(reader, properties)
        let source = QuerySource(texts.words)
        do {
            var meaning = QueryMeaning(vocabulary, source)
            guard let node = try QueryParser.parse(source, names: vocabulary.names) else {
                return try query(QueryTexts())
            }
            let condition = try meaning.condition(node)
            let filter = options.and(condition)
            if let since = filter.since, let until = filter.until, until < since {
                throw CommandFailure.usage(
                    "the filter ends at \(process.zone.minuteText(until)), before it begins at "
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
    /// Finds what a query means where events could have been named by their ids, too.
    ///
    /// - Throws: As ``query(_:)``; for a single word that is neither, what helps with both.
    func query(events words: [String]) throws -> EventQuery {
        do { return try query(QueryTexts(words: words)) } catch  where error is CommandFailure || error is InputError {
            let failure = CommandFailure(error)
            // A condition is no slip of an id.
            let isWord = words.count == 1 && words[0].allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
            guard isWord, failure.status == .data else { throw failure }
            throw CommandFailure(failure.status, failure.message.withHint("an event has its id in 'trendy list'"))
        }
    }
}

extension EventFilter {
    /// The same events at any time.
    var atAnyTime: EventFilter {
        var filter = self
        filter.interval = EventInterval()
        return filter
    }
}

extension EmptyLook {
    /// What is said of a stretch of time that has no event of a query.
    init(
        measure: Measure? = nil, query: EventQuery?, stretch: String?, others: EventDays?, option: String? = nil,
        showsAll: Bool = true
    ) {
        self.init(
            measure: measure, name: query?.name, isSpecial: query?.isSpecial ?? false, stretch: stretch, others: others,
            option: option, showsAll: showsAll)
    }
}
