import TrendyData
import TrendyDomain

/// How many events of a choice there are at any time, and between which days.
struct EventDays: Encodable {
    let count: Int
    let first: CalendarDay
    let last: CalendarDay

    init(count: Int, days: ClosedRange<CalendarDay>) {
        self.count = count
        first = days.lowerBound
        last = days.upperBound
    }

    /// Nil where nothing is counted.
    init?(_ counts: DayCounts) {
        guard let days = counts.days else { return nil }
        self.init(count: counts.total, days: days)
    }

    /// `100,000 lie between 2013-01-01 and 2013-12-31`.
    func place(_ date: (CalendarDay) -> String = \.description) -> String {
        let verb = count == 1 ? "lies" : "lie"
        let days = first == last ? "on \(date(first))" : "between \(date(first)) and \(date(last))"
        return "\(FigureText.text(count)) \(verb) \(days)"
    }

    enum CodingKeys: String, CodingKey {
        case count, first, last
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count, forKey: .count)
        try container.encode(first.description, forKey: .first)
        try container.encode(last.description, forKey: .last)
    }
}

/// What is said of a stretch of time that has no event of a choice.
struct EmptyLook {
    /// What was looked for in events; nil for the events themselves.
    var measure: Measure?
    /// What was looked for; nil for all events.
    var query: EventQuery?
    /// The stretch in words: `between 2025-11-25 and 2026-11-24`; nil where all time was looked at.
    let stretch: String?
    /// The events of the same choice at other times; nil where there are none.
    let others: EventDays?
    /// The option that shows others: `--since 2013-01-01`; nil where none does.
    var option: String?
    /// Whether the option shows all the others, or only the last of them.
    var showsAll = true

    /// The sentence, without a full stop.
    func text(_ date: (CalendarDay) -> String = \.description) -> String {
        guard let others else { return measure?.absence ?? nothing }
        let subject = measure?.absence ?? "no events"
        let found = stretch.map { "\(subject) \($0)" } ?? subject
        let shown = others.count == 1 ? "it" : showsAll ? "them" : "the last of them"
        let way = option.map { ": \($0) shows \(shown)" } ?? ""
        return "\(found); \(others.place(date))\(way)"
    }

    private var nothing: String {
        guard let query, let name = query.name else { return "nothing has been logged" }
        let plain = TextTable.singleLine(name)
        return query.isSpecial ? "no event is one of '\(plain)'" : "nothing has been logged of '\(plain)'"
    }
}

extension Histories {
    /// How many events there are at any time, and between which days; nil where there are none.
    ///
    /// - Parameter type: The type of the events, nil for all.
    func days(of part: EventSpan.Part, type: String?) throws -> EventDays? {
        guard let span = try repository.span(of: part, matching: filter(type)) else { return nil }
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
        // By moments: the days are what is looked for.
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
            try repository.forEachNumber(of: key, matching: near) {
                moment, isAllDay, _ in
                take(day(moment, isAllDay))
            }
        }
    }
}
