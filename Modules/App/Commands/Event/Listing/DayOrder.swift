import TrendyData
import TrendyDomain
import TrendyNotation

/// Sorts events, which arrive in the order of their moments, into the order of the days on which they are shown.
///
/// An all-day event stands at the start of its day. If it was logged in another time zone, its moment is up to a day
/// earlier or later. So events are held back until no later arrival can belong before them: about a day of events.
struct DayOrder {
    private struct Entry {
        let record: LocalRecord<Event>
        let place: Timestamp
    }

    /// More than the largest distance between the place and the moment of an event, in milliseconds; it is 25 hours.
    private static let reach: Int64 = 26 * 3_600_000

    private let zone: LocalZone
    private let order: EventFilter.Order
    /// The events that are held back, in the order of their places.
    private var entries: [Entry] = []
    private var gone = 0

    private init(_ zone: LocalZone, _ order: EventFilter.Order) {
        self.zone = zone
        self.order = order
    }

    private struct Enough: Error {}

    /// Passes on the events that match a filter, in the order of their days, up to the limit of the filter.
    ///
    /// - Returns: Whether there are more events than the limit.
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
        // The store limits by moments, and would leave out an all-day event whose place is within the limit.
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

    /// Adds the next event, and passes on those that no later event can precede.
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

    /// Passes on the remaining events, after the last one.
    private mutating func end() -> [LocalRecord<Event>] { release(to: entries.count) }

    private mutating func release(to end: Int) -> [LocalRecord<Event>] {
        let released = entries[gone..<end].map(\.record)
        gone = end
        // DeletionResult moves the whole array, so it is not done for each event.
        if gone > entries.count / 2 {
            entries.removeFirst(gone)
            gone = 0
        }
        return released
    }

    /// The moment of the event; for an all-day event the start of its day.
    private func place(of event: Event) -> Timestamp {
        event.isAllDay ? zone.start(of: zone.firstDay(of: event)) : event.timestamp
    }

    private func isBefore(_ one: Timestamp, _ other: Timestamp) -> Bool {
        order == .oldestFirst ? one < other : one > other
    }
}
