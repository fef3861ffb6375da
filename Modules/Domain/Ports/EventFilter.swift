/// Selects events for a person to read; every condition that is set must hold.
public struct EventFilter: Sendable, Hashable {
    /// Which event comes first.
    public enum Order: Sendable, Hashable {
        /// By the time at which they began: the newest first, or the oldest.
        case newestFirst, oldestFirst
        /// By the value of a property: numbers before texts, events without a value last, equal ones newest first.
        case property(key: String, descending: Bool)
        /// By the time from start to end: events without such a time last, equal ones newest first.
        case length(descending: Bool)
    }

    /// Of one of these types; nil for any.
    public var eventTypeIds: Set<String>?
    /// Began in this interval.
    public var interval: EventInterval
    /// Only events of whole days that began before the day of this moment and end on it or later: what still goes on
    /// then. The days are those of ``byDays(in:)``, else those of UTC.
    public var lastingAt: Timestamp?
    /// What else an event must meet.
    public var condition: EventCondition
    /// Which event comes first.
    public var order: Order
    /// At most this many; nil for all.
    public var limit: Int?
    private var lastingDayStart: DayStart?

    /// Makes a filter; what is left out restricts nothing.
    public init(
        eventTypeIds: Set<String>? = nil, since: Timestamp? = nil, until: Timestamp? = nil,
        lastingAt: Timestamp? = nil, where condition: EventCondition = .always, order: Order = .newestFirst,
        limit: Int? = nil
    ) {
        self.eventTypeIds = eventTypeIds
        interval = EventInterval(since: since, until: until)
        self.lastingAt = lastingAt
        self.condition = condition
        self.order = order
        self.limit = limit
    }

    /// At or after this moment.
    public var since: Timestamp? { interval.since }
    /// Before this moment.
    public var until: Timestamp? { interval.until }

    /// The filter for a person in a zone: it selects all-day events by their days, wherever they were logged.
    ///
    /// An all-day event is between two moments where its day begins between them here. The moments are those that the
    /// filter has now; a change of them is followed by another call.
    public func byDays(in zone: some UTCOffsetSource) -> EventFilter {
        var filter = self
        filter.interval = interval.byDays(in: zone)
        filter.lastingDayStart = lastingAt.map { DayStart(atOrAfter: $0, in: zone) }
        return filter
    }

    /// The filter for events that meet a condition, too; what an index answers of it goes to types and interval.
    public func and(_ condition: EventCondition) -> EventFilter {
        var filter = self
        switch condition {
        case .all(let parts): filter = parts.reduce(self) { $0.and($1) }
        case .type(let ids): filter.eventTypeIds = eventTypeIds?.intersection(ids) ?? ids
        case .began(let other): filter.interval = interval.intersection(other)
        default: filter.condition = self.condition.and(condition)
        }
        return filter
    }

    /// The day that events go on at, where ``lastingAt`` is set.
    public var lastingDay: DayStart? {
        lastingAt.map { lastingDayStart ?? DayStart(atOrAfter: $0, in: FixedUTCOffset()) }
    }
}
