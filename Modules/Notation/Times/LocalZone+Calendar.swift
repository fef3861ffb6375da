package import TrendyDomain

extension LocalZone {
    /// The day on which an event began: of an all-day event its day, wherever it was logged.
    package func firstDay(of event: Event) -> CalendarDay {
        event.isAllDay ? day(ofAllDay: event.timestamp) : day(of: event.timestamp)
    }

    /// The day on which an event ended; nil where it has no end.
    package func lastDay(of event: Event) -> CalendarDay? {
        event.endDate.map { event.isAllDay ? day(ofAllDay: $0) : day(of: $0) }
    }

    /// The days that an event is on: one that ends at midnight is not on the day that begins then.
    package func days(of event: Event) -> ClosedRange<CalendarDay> {
        days(from: event.timestamp, to: event.endDate, isAllDay: event.isAllDay)
    }

    /// As ``days(of:)``, by the moments of an event.
    package func days(from start: Timestamp, to end: Timestamp?, isAllDay: Bool) -> ClosedRange<CalendarDay> {
        let first = isAllDay ? day(ofAllDay: start) : day(of: start)
        guard let end, end > start else { return first...first }
        let last = isAllDay ? day(ofAllDay: end) : day(of: end.advanced(byMilliseconds: -1))
        return first...max(first, last)
    }
}
