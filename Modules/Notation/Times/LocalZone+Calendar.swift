package import TrendyDomain

extension LocalZone {
    /// The first day of an event; for an all-day event its day in the zone in which it was logged.
    package func firstDay(of event: Event) -> CalendarDay {
        event.isAllDay ? day(ofAllDay: event.timestamp) : day(of: event.timestamp)
    }

    /// The last day of an event; nil if it has no end.
    package func lastDay(of event: Event) -> CalendarDay? {
        event.endDate.map { event.isAllDay ? day(ofAllDay: $0) : day(of: $0) }
    }

    /// The days of an event; an end at midnight does not count as another day.
    package func days(of event: Event) -> ClosedRange<CalendarDay> {
        days(from: event.timestamp, to: event.endDate, isAllDay: event.isAllDay)
    }

    /// As ``days(of:)``, by start and end.
    package func days(from start: Timestamp, to end: Timestamp?, isAllDay: Bool) -> ClosedRange<CalendarDay> {
        let first = isAllDay ? day(ofAllDay: start) : day(of: start)
        guard let end, end > start else { return first...first }
        let last = isAllDay ? day(ofAllDay: end) : day(of: end.advanced(byMilliseconds: -1))
        return first...max(first, last)
    }
}
