import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

// The conditions on the fields of events.

extension QueryResolver {
    mutating func condition(_ field: QueryField, _ comparison: QueryComparison) throws -> EventCondition {
        switch field {
        case .type: return try typeCondition(comparison)
        case .note: return try text([.notes], comparison)
        case .title: return try text([.title], comparison)
        case .location: return try text([.location], comparison)
        case .text: return try text(Set(EventTextField.allCases), comparison)
        case .place: return try signed(comparison, as: place(comparison.value))
        case .tag: return try signed(comparison, as: hashtag(comparison.value))
        case .is: return try signed(comparison, as: state(comparison.value))
        case .id:
            return try signed(
                comparison,
                as: at(comparison.value.range) {
                    .id(try vocabulary.lookup.event(comparison.value.text).id)
                })
        case .since, .until, .on: return try signed(comparison, as: .began(try interval(field, comparison.value)))
        case .time: return try length(comparison)
        }
    }

    /// A condition that only has itself and its negation.
    private func signed(_ comparison: QueryComparison, as condition: EventCondition) throws -> EventCondition {
        switch comparison.sign {
        case .colon, .equal, .same: return condition
        case .notEqual: return .not(condition)
        default:
            let key = comparison.key.text.lowercased()
            throw QueryFailure(
                message: "use ':' after '\(key)', as in \(key):\(comparison.value.text)",
                range: comparison.sign(in: source))
        }
    }

    private func text(_ fields: Set<EventTextField>, _ comparison: QueryComparison) throws -> EventCondition {
        let search = TextSearch(comparison.value.text)
        switch comparison.sign {
        case .contains, .colon:
            guard let search else { throw QueryFailure(message: "'~' needs a text after it", range: comparison.range) }
            return .text(fields, .contains(search))
        case .notContains:
            guard let search else { throw QueryFailure(message: "'!~' needs a text after it", range: comparison.range) }
            return .not(.text(fields, .contains(search)))
        case .equal, .same: return .text(fields, search.map(TextTest.equals) ?? .isMissing)
        case .notEqual: return .not(.text(fields, search.map(TextTest.equals) ?? .isMissing))
        case .less, .more, .atMost, .atLeast:
            let key = comparison.key.text.lowercased()
            throw QueryFailure(
                message:
                    "'\(key)' is a text: use '~' for a part of it or '=' for all of it, as in \(key)~\(comparison.value.text)",
                range: comparison.sign(in: source))
        }
    }

    private func place(_ value: QueryWord) throws -> EventCondition {
        if value.text.isEmpty { return .place(id: nil) }
        let place = try at(value.range) {
            do { return try vocabulary.lookup.place(value.text) } catch let failure as CommandFailure {
                throw CommandFailure(
                    failure.status,
                    failure.message.withHint("use location~\(value.text) for the names of locations"))
            }
        }
        return .place(id: place.id)
    }

    private mutating func state(_ value: QueryWord) throws -> EventCondition {
        let name = value.text.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
        guard let state = QueryState(rawValue: name) else {
            let names = QueryState.allCases.map(\.rawValue)
            let near = Suggestion.nearest(to: value.text, among: names).map { "; did you mean 'is:\($0)'?" } ?? ""
            throw QueryFailure(
                message: "'is:' does not take '\(value.text)': use \(names.joined(separator: ", "))\(near)",
                range: value.range)
        }
        switch state {
        case .allday: return .allDay
        case .pending: return .status(.pending)
        case .parked: return .status(.failed)
        case .running:
            noteRunning()
            return running
        }
    }

    /// Events that have begun and have not ended; all-day events by their days.
    private var running: EventCondition {
        let zone = vocabulary.zone
        let now = vocabulary.times.now
        let today = zone.day(of: now)
        let (start, end) = (zone.start(of: today), zone.start(of: today.advanced(by: 1)))
        let timed: [EventCondition] = [
            .not(.allDay), .began(EventInterval(until: now.advanced(byMilliseconds: 1))),
            .ended(EventInterval(since: now.advanced(byMilliseconds: 1))),
        ]
        let days: [EventCondition] = [
            .allDay, .began(EventInterval(until: end).byDays(in: zone)),
            .any([
                .began(EventInterval(since: start).byDays(in: zone)),
                .ended(EventInterval(since: start).byDays(in: zone)),
            ]),
        ]
        return .any([.all(timed), .all(days)])
    }

    private func interval(_ field: QueryField, _ value: QueryWord) throws -> EventInterval {
        let (times, zone) = (vocabulary.times, vocabulary.zone)
        let interval = try at(value.range) {
            switch field {
            case .since: return EventInterval(since: try times.parseSince(value.text))
            case .until: return EventInterval(until: try times.parseUntil(value.text))
            default:
                let isPeriod = times.period(value.text) != nil
                if !isPeriod, times.typedReading(value.text)?.isDay != true {
                    _ = try times.parse(value.text)
                    throw CommandFailure.usage(
                        "'\(value.text)' is not a day; use on: with a day or 'last week', and since: or until: with a time"
                    )
                }
                return EventInterval(since: try times.parseSince(value.text), until: try times.parseUntil(value.text))
            }
        }
        return interval.byDays(in: zone)
    }

    private func length(_ comparison: QueryComparison) throws -> EventCondition {
        let text = comparison.value.text
        guard let seconds = DurationText.parse(text) else {
            let message = "'\(text)' is not a duration; write it like time>1h30m"
            throw QueryFailure(message: message, range: comparison.value.range)
        }
        guard let (test, isOpposite) = comparison.sign.number else {
            throw QueryFailure(
                message: "'~' is for texts, and 'time' is a duration; use a comparison like time>30m",
                range: comparison.sign(in: source))
        }
        let condition = EventCondition.lasted(test, seconds: seconds)
        return isOpposite ? .not(condition) : condition
    }
}

extension QueryComparison {
    /// The place of the operator.
    func sign(in source: QuerySource) -> Range<Int> {
        let gap = key.range.upperBound..<value.range.lowerBound
        let blanks = source[gap].prefix { $0.isWhitespace }.count
        let start = gap.lowerBound + blanks
        return start..<(start + sign.rawValue.count)
    }
}

extension QueryComparison.Sign {
    /// The comparison of numbers, and whether it is negated; nil for operators on texts.
    var number: (comparison: NumberComparison, isOpposite: Bool)? {
        switch self {
        case .equal, .same, .colon: (.equal, false)
        case .notEqual: (.equal, true)
        case .less: (.less, false)
        case .atMost: (.atMost, false)
        case .more: (.more, false)
        case .atLeast: (.atLeast, false)
        case .contains, .notContains: nil
        }
    }
}
