import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// Reads what statistics are made of from the store: moments and days, no whole events.
@MainActor
struct Histories {
    let zone: LocalZone
    let today: CalendarDay
    let repository: EventRepository
    private let types: [EventType]

    init(context: CommandContext) throws {
        zone = context.process.zone
        today = zone.day(of: context.now)
        repository = try context.root.repository
        types = try context.reader.fetch(EventType.self).map(\.entity)
    }

    /// The name and the colour of the type of that id.
    func face(_ id: String) -> (name: String, color: RGBColor?) {
        // A pull may have brought events before their type.
        guard let type = type(id) else { return ("(type \(ShortId.of(id)))", nil) }
        return (TextTable.singleLine(type.name), RGBColor(hex: type.color))
    }

    /// The type of that id, nil where it is not there yet.
    func type(_ id: String) -> EventType? { types.first { $0.id == id } }

    /// The types that have events, by name.
    func typesInUse() throws -> [String] {
        try repository.typesInUse().sorted { (face($0).name, $0) < (face($1).name, $1) }
    }

    /// Counts the events of a type, or of all, by their local days and hours.
    func tally(of type: String?, since: Timestamp? = nil, until: Timestamp? = nil) throws -> EventTally {
        var tally = EventTally(in: zone)
        let filter = EventFilter(since: since, until: until).byDays(in: zone)
        try repository.forEachMomentAndDay(of: type, since: filter.earliest, until: filter.latest) { moment, isAllDay in
            if filter.includes(moment, isAllDay: isAllDay) { tally.add(moment, isAllDay: isAllDay) }
        }
        return tally
    }

    /// Whether there are events of a type, or of any, before a moment; false where no moment is named.
    func hasEvents(of type: String?, before moment: Timestamp?) throws -> Bool {
        guard let moment else { return false }
        do {
            // The first one ends the reading.
            let filter = EventFilter(until: moment).byDays(in: zone)
            try repository.forEachMomentAndDay(of: type, until: filter.latest) { moment, isAllDay in
                if filter.includes(moment, isAllDay: isAllDay) { throw Found() }
            }
            return false
        } catch is Found {
            return true
        }
    }

    private struct Found: Error {}

    /// Collects the values that the events of a type have of a property.
    ///
    /// - Parameters:
    ///   - scale: What each value is multiplied by, for another unit.
    ///   - step: Called for each value; what it throws ends the reading.
    func values(of key: String, type: String, scale: Double, _ step: () throws -> Void) throws -> ValueTally {
        var tally = ValueTally(in: zone)
        try repository.forEachNumber(of: key, eventTypeId: type) { moment, isAllDay, value in
            try step()
            tally.add(value * scale, at: moment, isAllDay: isAllDay)
        }
        return tally
    }

    /// Collects the values that the events of a type have of a property, numbers and durations in seconds, of a stretch
    /// of time.
    func values(of key: String, type: String, since: Timestamp?, until: Timestamp?) throws -> ValueTally {
        var tally = ValueTally(in: zone)
        let filter = EventFilter(since: since, until: until).byDays(in: zone)
        try repository.forEachNumber(of: key, eventTypeId: type, since: filter.earliest, until: filter.latest) {
            moment, isAllDay, value in
            if filter.includes(moment, isAllDay: isAllDay) { tally.add(value, at: moment, isAllDay: isAllDay) }
        }
        return tally
    }

    /// Collects how many seconds the events of a type, or of all, lasted, by when they began.
    ///
    /// - Parameter scale: What each length is multiplied by, for another unit.
    func lengths(
        of type: String?, since: Timestamp? = nil, until: Timestamp? = nil, scale: Double = 1
    ) throws -> ValueTally {
        var tally = ValueTally(in: zone)
        try repository.forEachLength(of: type, since: since, until: until) { moment, seconds in
            tally.add(seconds * scale, at: moment)
        }
        return tally
    }
}

extension Histories {
    /// How many events there are at any time, and between which days; nil where there are none.
    ///
    /// - Parameter type: The type of the events, nil for all.
    func days(of part: EventSpan.Part, type: String?) throws -> EventDays? {
        guard let span = try repository.span(of: part, eventTypeId: type) else { return nil }
        // The first and the last moment need not be of the first and the last day: an all-day event can have the
        // midnight of another zone. Those close by decide.
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
        let day = { [zone] (moment: Timestamp, isAllDay: Bool) in
            isAllDay ? zone.day(ofAllDay: moment) : zone.day(of: moment)
        }
        switch part {
        case .all:
            try repository.forEachMomentAndDay(of: type, since: since, until: until) { take(day($0, $1)) }
        case .length:
            try repository.forEachLength(of: type, since: since, until: until) { moment, _ in take(day(moment, false)) }
        case .number(let key):
            guard let type else { return }
            try repository.forEachNumber(of: key, eventTypeId: type, since: since, until: until) {
                moment, isAllDay, _ in
                take(day(moment, isAllDay))
            }
        }
    }
}
