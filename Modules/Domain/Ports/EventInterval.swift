/// A stretch of time that has moments of events: from one moment on, before another one, or both.
///
/// ```swift
/// let today = EventInterval(since: midnight, until: nextMidnight).byDays(in: zone)
/// today.includes(event.timestamp, isAllDay: event.isAllDay)
/// ```
public struct EventInterval: Sendable, Hashable {
    /// At or after this moment; nil for no beginning.
    public let since: Timestamp?
    /// Before this moment; nil for no end.
    public let until: Timestamp?
    /// The first day of ``since`` for all-day events; nil where their moments count, too.
    public private(set) var sinceDay: DayStart?
    /// The first day that ``until`` leaves out for all-day events; nil where their moments count, too.
    public private(set) var untilDay: DayStart?

    /// Makes an interval of moments; of all time where none is named.
    public init(since: Timestamp? = nil, until: Timestamp? = nil) {
        self.since = since
        self.until = until
    }

    /// The interval for a person in a zone: all-day events are in it by their days, wherever they were logged.
    public func byDays(in zone: some UTCOffsetSource) -> EventInterval {
        var interval = self
        interval.sinceDay = since.map { DayStart(atOrAfter: $0, in: zone) }
        interval.untilDay = until.map { DayStart(atOrAfter: $0, in: zone) }
        return interval
    }

    /// The interval up to the same end.
    public var withoutStart: EventInterval {
        var interval = EventInterval(until: until)
        interval.untilDay = untilDay
        return interval
    }

    /// What is in both intervals.
    public func intersection(_ other: EventInterval) -> EventInterval {
        let later = Self.choose(self, other, by: \.since) { $0 > $1 }
        let earlier = Self.choose(self, other, by: \.until) { $0 < $1 }
        var both = EventInterval(since: later.since, until: earlier.until)
        (both.sinceDay, both.untilDay) = (later.sinceDay, earlier.untilDay)
        return both
    }

    private static func choose(
        _ one: EventInterval, _ other: EventInterval, by moment: (EventInterval) -> Timestamp?,
        _ precedes: (Timestamp, Timestamp) -> Bool
    ) -> EventInterval {
        guard let first = moment(one) else { return other }
        guard let second = moment(other) else { return one }
        return precedes(first, second) ? one : other
    }

    /// Whether a moment is neither before ``since`` nor at ``until`` or later.
    public func includes(_ moment: Timestamp, isAllDay: Bool) -> Bool {
        if let since, !Self.isReached(since, isAllDay ? sinceDay : nil, by: moment) { return false }
        if let until, Self.isReached(until, isAllDay ? untilDay : nil, by: moment) { return false }
        return true
    }

    /// No moment that ``includes(_:isAllDay:)`` is true for is before this one; nil where any may be.
    public var earliest: Timestamp? {
        since.map { since in sinceDay.map { min(since, $0.here, $0.elsewhere) } ?? since }
    }

    /// Every moment that ``includes(_:isAllDay:)`` is true for is before this one; nil where any may be later.
    public var latest: Timestamp? {
        until.map { until in untilDay.map { max(until, $0.here, $0.elsewhere) } ?? until }
    }

    private static func isReached(_ line: Timestamp, _ start: DayStart?, by moment: Timestamp) -> Bool {
        start?.isReached(by: moment) ?? (moment >= line)
    }
}
