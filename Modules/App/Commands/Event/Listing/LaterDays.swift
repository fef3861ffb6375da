import TrendyData
import TrendyDomain
import TrendyNotation

/// The days after their first that events of several days are on, for a list that goes back in time: they come before
/// the event itself.
struct LaterDays {
    /// What lasts longer is shown on its first day alone: it would hide everything else.
    static let mostDays = 31

    private var records: [CalendarDay: [LocalRecord<Event>]] = [:]
    /// The days, the oldest first; nil where they have to be sorted anew.
    private var days: [CalendarDay]?

    /// Notes the later days of an event.
    mutating func add(_ record: LocalRecord<Event>, _ zone: LocalZone) {
        let span = zone.days(of: record.entity)
        guard span.count > 1, span.count <= Self.mostDays else { return }
        for day in span.dropFirst() { records[day, default: []].append(record) }
        days = nil
    }

    /// The events of the days from the latest to this one, each day once.
    mutating func take(downTo day: CalendarDay) -> [(day: CalendarDay, record: LocalRecord<Event>)] {
        if records.isEmpty { return [] }
        var left = days ?? records.keys.sorted()
        var taken: [(day: CalendarDay, record: LocalRecord<Event>)] = []
        while let last = left.last, last >= day {
            left.removeLast()
            // They were noted from the newest to the oldest, as they are shown.
            for record in records.removeValue(forKey: last) ?? [] { taken.append((last, record)) }
        }
        days = left
        return taken
    }
}
