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
}
