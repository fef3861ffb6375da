extension EventFilter {
    /// The beginnings of days that all-day events are compared with, in place of moments.
    public struct DayStarts: Sendable, Hashable {
        /// The first day of ``EventFilter/since``.
        public let since: DayStart?
        /// The first day that ``EventFilter/until`` leaves out.
        public let until: DayStart?
        /// The day of ``EventFilter/lastingAt``.
        public let lastingAt: DayStart?

        fileprivate init(_ filter: EventFilter, _ zone: some UTCOffsetSource) {
            since = filter.since.map { DayStart(atOrAfter: $0, in: zone) }
            until = filter.until.map { DayStart(atOrAfter: $0, in: zone) }
            lastingAt = filter.lastingAt.map { DayStart(atOrAfter: $0, in: zone) }
        }
    }

    /// The filter for a person in a zone: it selects all-day events by their days, wherever they were logged.
    ///
    /// An all-day event is between two moments where its day begins between them here. The moments are those that the
    /// filter has now; a change of them is followed by another call.
    public func byDays(in zone: some UTCOffsetSource) -> EventFilter {
        var filter = self
        filter.setDayStarts(DayStarts(self, zone))
        return filter
    }

    /// Whether what began at a moment is neither before ``since`` nor at ``until`` or later.
    public func includes(_ moment: Timestamp, isAllDay: Bool) -> Bool {
        if let since, !Self.isReached(since, isAllDay ? dayStarts?.since : nil, by: moment) { return false }
        if let until, Self.isReached(until, isAllDay ? dayStarts?.until : nil, by: moment) { return false }
        return true
    }

    /// No event that ``includes(_:isAllDay:)`` is true for began before this moment; nil where any may have.
    public var earliest: Timestamp? {
        since.map { since in dayStarts?.since.map { min(since, $0.here, $0.elsewhere) } ?? since }
    }

    /// Every event that ``includes(_:isAllDay:)`` is true for began before this moment; nil where any may be later.
    public var latest: Timestamp? {
        until.map { until in dayStarts?.until.map { max(until, $0.here, $0.elsewhere) } ?? until }
    }

    /// The day that events go on at, where ``lastingAt`` is set.
    public var lastingDay: DayStart? {
        lastingAt.map { dayStarts?.lastingAt ?? DayStart(atOrAfter: $0, in: FixedUTCOffset()) }
    }

    /// Whether an event still goes on at ``lastingAt``, if that is set.
    func isLasting(_ event: Event) -> Bool {
        guard let day = lastingDay else { return true }
        guard event.isAllDay, let end = event.endDate else { return false }
        return !day.isReached(by: event.timestamp) && day.isReached(by: end)
    }

    private static func isReached(_ line: Timestamp, _ start: DayStart?, by moment: Timestamp) -> Bool {
        start?.isReached(by: moment) ?? (moment >= line)
    }
}
