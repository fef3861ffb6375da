import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// Reads the moments, days and values that statistics need, without loading whole events.
@MainActor
struct StatisticsReader {
    let zone: LocalZone
    let today: CalendarDay
    /// The day with which weeks begin.
    let weekStart: Weekday
    let repository: EventRepository
    /// The filter that all read events match.
    let filter: EventFilter
    private let types: [EventType]
    private let missing: MissingTypes

    init(context: CommandContext, _ filter: EventFilter = EventFilter()) throws {
        self.filter = filter
        zone = context.process.zone
        today = zone.day(of: context.now)
        weekStart = context.root.configuration.weekStart.weekday
        repository = try context.root.repository
        missing = MissingTypes(try context.reader)
        types = try context.reader.fetch(EventType.self).map(\.entity)
    }

    /// How the type of that id is shown.
    func face(_ id: String) -> TypeFace { type(id).map(TypeFace.init) ?? TypeFace(name: missing.name(of: id)) }

    /// The type with that id; nil if it is missing.
    func type(_ id: String) -> EventType? { types.first { $0.id == id } }

    /// The ids of the types with matching events, in the order of their names.
    func typesInUse() throws -> [String] {
        try repository.typesInUse().filter { filter.eventTypeIds?.contains($0) ?? true }.sorted {
            (face($0).name, $0) < (face($1).name, $1)
        }
    }

    /// A filter for events of a type, or of all types, that began in a period.
    func filter(_ type: String?, since: Timestamp? = nil, until: Timestamp? = nil) -> EventFilter {
        filter.and(type.map { .type(in: [$0]) } ?? .always)
            .and(.began(EventInterval(since: since, until: until).byDays(in: zone)))
    }

    /// Counts the events of a type, or of all types, by local days and hours.
    func tally(of type: String?, since: Timestamp? = nil, until: Timestamp? = nil) throws -> EventTally {
        var tally = EventTally(in: zone, weekStart: weekStart)
        try repository.forEachMomentAndDay(matching: filter(type, since: since, until: until)) { moment, isAllDay in
            tally.add(moment, isAllDay: isAllDay)
        }
        return tally
    }

    /// The events of all types on each of some days.
    func presence(on days: ClosedRange<CalendarDay>) throws -> Presence {
        let (start, end) = (zone.start(of: days.lowerBound), zone.start(of: days.upperBound.advanced(by: 1)))
        return Presence(
            starts: try tally(of: nil, since: start, until: end).days, lasting: try lasting(of: nil, on: days), in: days
        )
    }

    /// The days of each event of a type, or of all, that is on several days and on any of these.
    func lasting(of type: String?, on days: ClosedRange<CalendarDay>) throws -> [ClosedRange<CalendarDay>] {
        let (start, end) = (zone.start(of: days.lowerBound), zone.start(of: days.upperBound.advanced(by: 1)))
        // The midnight of another zone may be a day away.
        let slack: Int64 = 86_400_000
        let reaching = filter(type).and(.ended(EventInterval(since: start.advanced(byMilliseconds: -slack))))
            .and(.began(EventInterval(until: end.advanced(byMilliseconds: slack))))
        var spans: [ClosedRange<CalendarDay>] = []
        try repository.forEachSpan(matching: reaching) { start, end, isAllDay in
            let span = zone.days(from: start, to: end, isAllDay: isAllDay)
            if span.count > 1, span.overlaps(days) { spans.append(span) }
        }
        return spans
    }

    /// Whether there are events of a type, or of any type, before a moment; false without a moment.
    func hasEvents(of type: String?, before moment: Timestamp?) throws -> Bool {
        guard let moment else { return false }
        do {
            // The first event is enough.
            try repository.forEachMomentAndDay(matching: filter(type, until: moment)) { _, _ in throw Found() }
            return false
        } catch is Found {
            return true
        }
    }

    private struct Found: Error {}

    /// Collects the values of a property, durations in seconds.
    ///
    /// - Parameters:
    ///   - scale: The factor for another unit.
    ///   - keepsValues: Whether all values are kept, for a median.
    ///   - step: Called for each value; an error stops the reading.
    func values(
        of key: String, type: String?, since: Timestamp? = nil, until: Timestamp? = nil, scale: Double = 1,
        keepsValues: Bool = false, _ step: () throws -> Void = {}
    ) throws -> ValueTally {
        var tally = ValueTally(in: zone, weekStart: weekStart, keepsValues: keepsValues)
        try repository.forEachNumber(of: key, matching: filter(type, since: since, until: until)) {
            moment, isAllDay, value in
            try step()
            tally.add(value * scale, at: moment, isAllDay: isAllDay)
        }
        return tally
    }

    /// Collects the durations of events in seconds, by their starts.
    ///
    /// - Parameters:
    ///   - scale: The factor for another unit.
    ///   - keepsValues: Whether all durations are kept, for a median.
    func lengths(
        of type: String?, since: Timestamp? = nil, until: Timestamp? = nil, scale: Double = 1,
        keepsValues: Bool = false
    ) throws -> ValueTally {
        var tally = ValueTally(in: zone, weekStart: weekStart, keepsValues: keepsValues)
        try repository.forEachLength(matching: filter(type, since: since, until: until)) { moment, seconds in
            tally.add(seconds * scale, at: moment)
        }
        return tally
    }
}

extension StatisticsReader {
    /// The number of events, and their first and last day; nil if there are none.
    ///
    /// - Parameter type: The type of the events; nil for all.
    func days(of part: EventSpan.Part, type: String?) throws -> EventDays? {
        guard let span = try repository.span(of: part, matching: filter(type)) else { return nil }
        // The event with the first moment need not be on the first day, as an all-day event can have the midnight of
        // another zone. So all events close to both ends are checked.
        let near: Int64 = 2 * 86_400_000
        var counts = DayCounts()
        let ends = [
            (span.first, span.first.advanced(byMilliseconds: near)),
            (span.last.advanced(byMilliseconds: -near), span.last.advanced(byMilliseconds: 1)),
        ]
        for (since, until) in ends {
            try forEachDay(of: part, type: type, since: since, until: until) { counts.add(on: $0) }
        }
        return counts.days.map { EventDays(count: span.count, days: $0) }
    }

    private func forEachDay(
        of part: EventSpan.Part, type: String?, since: Timestamp, until: Timestamp, _ take: (CalendarDay) -> Void
    ) throws {
        // The filter is by moments, because the days are not known yet.
        let near = filter(type).and(.began(EventInterval(since: since, until: until)))
        let day = { [zone] (moment: Timestamp, isAllDay: Bool) in
            isAllDay ? zone.day(ofAllDay: moment) : zone.day(of: moment)
        }
        switch part {
        case .all:
            try repository.forEachMomentAndDay(matching: near) { take(day($0, $1)) }
        case .length:
            try repository.forEachLength(matching: near) { moment, _ in take(day(moment, false)) }
        case .number(let key):
            try repository.forEachNumber(of: key, matching: near) { moment, isAllDay, _ in
                take(day(moment, isAllDay))
            }
        }
    }
}
