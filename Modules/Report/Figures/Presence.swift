package import TrendyDomain

/// The days on which events are: each event counts on the day it began and on every later day of it.
package struct Presence: Sendable {
    /// How many events each day has.
    package private(set) var counts: DayCounts
    private let starts: DayCounts
    /// The days of the events that are on several days.
    private let lasting: [ClosedRange<CalendarDay>]

    /// - Parameters:
    ///   - starts: How many events began on each day.
    ///   - lasting: The days of each event that is on several days.
    ///   - days: The days that are looked at. The later days of an event outside them do not count.
    package init(starts: DayCounts, lasting: [ClosedRange<CalendarDay>], in days: ClosedRange<CalendarDay>) {
        self.starts = starts
        self.lasting = lasting
        var counts = starts
        for span in lasting where span.count > 1 && span.overlaps(days) {
            let later = span.lowerBound.advanced(by: 1)...span.upperBound
            guard later.overlaps(days) else { continue }
            for day in later.clamped(to: days) { counts.add(on: day) }
        }
        self.counts = counts
    }

    /// How many events are on any of some days: each once.
    package func events(on days: ClosedRange<CalendarDay>) -> Int {
        starts.total(in: days) + lasting.count { $0.lowerBound < days.lowerBound && $0.upperBound >= days.lowerBound }
    }
}
