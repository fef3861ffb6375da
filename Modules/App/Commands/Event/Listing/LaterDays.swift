import TrendyData
import TrendyDomain
import TrendyNotation

/// The second and later days of events of several days. A list from the newest to the oldest shows those days before the
/// event itself.
struct LaterDays {
    /// A longer event is shown on its first day only: it would hide everything else.
    static let mostDays = 31

    private var records: [CalendarDay: [LocalRecord<Event>]] = [:]
    /// The days, the oldest first; nil if they are not sorted yet.
    private var days: [CalendarDay]?

    /// Adds the later days of an event.
    mutating func add(_ record: LocalRecord<Event>, _ zone: LocalZone) {
        let span = zone.days(of: record.entity)
        guard span.count > 1, span.count <= Self.mostDays else { return }
        for day in span.dropFirst() { records[day, default: []].append(record) }
        days = nil
    }

    /// Removes and returns the events of the days from the latest down to this one.
    mutating func take(downTo day: CalendarDay) -> [(day: CalendarDay, record: LocalRecord<Event>)] {
        if records.isEmpty { return [] }
        var left = days ?? records.keys.sorted()
        var taken: [(day: CalendarDay, record: LocalRecord<Event>)] = []
        while let last = left.last, last >= day {
            left.removeLast()
            // The events were added from the newest to the oldest, which is the order of the list.
            for record in records.removeValue(forKey: last) ?? [] { taken.append((last, record)) }
        }
        days = left
        return taken
    }
}
