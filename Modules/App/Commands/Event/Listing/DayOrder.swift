import TrendyData
import TrendyDomain
import TrendyNotation

/// Puts events that come by their moments into the order of the days that they are shown on.
///
/// An all-day event stands where its day begins; one that was logged in another time zone comes up to a day before or
/// after. So events are kept until none can come any more that belongs before them: those of about a day, however many
/// there are in all. Where nothing is out of place they come out as they went in.
struct DayOrder {
    private struct Entry {
        let record: LocalRecord<Event>
        let place: Timestamp
    }

    /// No event's place is as far as this from its moment, in milliseconds; 25 hours is the farthest.
    private static let reach: Int64 = 26 * 3_600_000

    private let zone: LocalZone
    private let order: EventFilter.Order
    /// The events that are kept, in the order of their places, behind those that were let go.
    private var entries: [Entry] = []
    private var gone = 0

    private init(_ zone: LocalZone, _ order: EventFilter.Order) {
        self.zone = zone
        self.order = order
    }

    private struct Enough: Error {}

    /// Hands over the events that a filter selects by days, up to its limit: the first ones in the order of the days.
    ///
    /// - Returns: Whether there are more than that.
    static func forEachEvent(
        matching filter: EventFilter, of repository: EventRepository, in zone: LocalZone,
        _ body: (LocalRecord<Event>) throws -> Void
    ) throws -> Bool {
        var order = DayOrder(zone, filter.order)
        let isByTime = filter.order == .newestFirst || filter.order == .oldestFirst
        var count = 0
        func hand(_ records: [LocalRecord<Event>]) throws {
            for record in records {
                if let limit = filter.limit, count >= limit { throw Enough() }
                count += 1
                try body(record)
            }
        }
        // The store would count by moments, and leave out an event whose place is among the others.
        var unlimited = filter.byDays(in: zone)
        unlimited.limit = nil
        do {
            try repository.forEachEvent(matching: unlimited) { try hand(isByTime ? order.add($0) : [$0]) }
            try hand(order.end())
            return false
        } catch is Enough {
            return true
        }
    }

    /// Takes the next event, and lets those go that no later one belongs before.
    private mutating func add(_ record: LocalRecord<Event>) -> [LocalRecord<Event>] {
        let entry = Entry(record: record, place: place(of: record.entity))
        var index = entries.count
        while index > gone, isBefore(entry.place, entries[index - 1].place) { index -= 1 }
        entries.insert(entry, at: index)
        let moment = record.entity.timestamp
        let line = moment.advanced(byMilliseconds: order == .oldestFirst ? -Self.reach : Self.reach)
        var end = gone
        while end < entries.count, isBefore(entries[end].place, line) { end += 1 }
        return release(to: end)
    }

    /// Lets all go that are left, when all have come.
    private mutating func end() -> [LocalRecord<Event>] { release(to: entries.count) }

    private mutating func release(to end: Int) -> [LocalRecord<Event>] {
        let released = entries[gone..<end].map(\.record)
        gone = end
        // Not for each: it moves all that are kept.
        if gone > entries.count / 2 {
            entries.removeFirst(gone)
            gone = 0
        }
        return released
    }

    /// The moment of the event; of an all-day event the beginning of its day.
    private func place(of event: Event) -> Timestamp {
        event.isAllDay ? zone.start(of: zone.firstDay(of: event)) : event.timestamp
    }

    private func isBefore(_ one: Timestamp, _ other: Timestamp) -> Bool {
        order == .oldestFirst ? one < other : one > other
    }
}
