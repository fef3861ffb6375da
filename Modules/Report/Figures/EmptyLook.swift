package import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// The number of matching events at any time, with their first and last day.
package struct EventDays: Encodable {
    package let count: Int
    package let first: CalendarDay
    package let last: CalendarDay

    package init(count: Int, days: ClosedRange<CalendarDay>) {
        self.count = count
        first = days.lowerBound
        last = days.upperBound
    }

    /// Nil where nothing is counted.
    package init?(_ counts: DayCounts) {
        guard let days = counts.days else { return nil }
        self.init(count: counts.total, days: days)
    }

    /// `100,000 lie between 2013-01-01 and 2013-12-31`.
    package func place(_ date: (CalendarDay) -> String = \.description) -> String {
        let verb = count == 1 ? "lies" : "lie"
        let days = first == last ? "on \(date(first))" : "between \(date(first)) and \(date(last))"
        return "\(FigureText.text(count)) \(verb) \(days)"
    }

    package enum CodingKeys: String, CodingKey {
        case count, first, last
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count, forKey: .count)
        try container.encode(first.description, forKey: .first)
        try container.encode(last.description, forKey: .last)
    }
}

/// The message for a stretch of time without matching events.
package struct EmptyLook {
    /// The value that events must have; nil where all events count.
    package var measure: Measure?
    /// The query in words; nil for all events.
    package var name: String?
    /// Whether the query has conditions besides types and times.
    package var isSpecial: Bool
    /// The stretch in words: `between 2025-11-25 and 2026-11-24`; nil where all time was looked at.
    package var stretch: String?
    /// The matching events at other times; nil where there are none.
    package let others: EventDays?
    /// The option that shows others: `--since 2013-01-01`; nil where none does.
    package var option: String?
    /// Whether the option shows all the others, or only the last of them.
    package var showsAll = true

    package init(
        measure: Measure? = nil, name: String? = nil, isSpecial: Bool = false, stretch: String?, others: EventDays?,
        option: String? = nil, showsAll: Bool = true
    ) {
        self.measure = measure
        self.name = name
        self.isSpecial = isSpecial
        self.stretch = stretch
        self.others = others
        self.option = option
        self.showsAll = showsAll
    }

    /// The sentence, without a full stop.
    package func text(_ date: (CalendarDay) -> String = \.description) -> String {
        guard let others else { return measure?.absence ?? nothing }
        let subject = measure?.absence ?? "no events"
        let found = stretch.map { "\(subject) \($0)" } ?? subject
        let shown = others.count == 1 ? "it" : showsAll ? "them" : "the last of them"
        let way = option.map { ": \($0) shows \(shown)" } ?? ""
        return "\(found); \(others.place(date))\(way)"
    }

    private var nothing: String {
        guard let name else { return "nothing has been logged" }
        let plain = TextTable.singleLine(name)
        return isSpecial ? "no event is one of '\(plain)'" : "nothing has been logged of '\(plain)'"
    }
}
