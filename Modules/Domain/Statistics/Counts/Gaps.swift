/// Days in a row without an event, between two days that have one.
public struct Gap: Sendable, Hashable {
    /// The last day with an event before it.
    public let after: CalendarDay
    /// The next day with an event, nil for the gap that has not ended.
    public let before: CalendarDay?
    /// How many days without an event there are, whole ones alone: today counts once it is over.
    public let length: Int
}

/// The stretches without events that a history has.
public struct Gaps: Sendable, Hashable {
    /// The gap that has not ended; nil where yesterday or today has an event, or where there is none at all.
    public let current: Gap?
    /// The gaps that have ended, in order of time.
    public let ended: [Gap]

    /// The longest gap that has ended; of equal ones the latest.
    public var longest: Gap? { ended.max { ($0.length, $0.after) < ($1.length, $1.after) } }

    /// Finds the gaps in the days up to today; later events have not happened yet.
    public init(_ counts: DayCounts, today: CalendarDay) {
        let days = counts.loggedDays.prefix { $0 <= today }
        ended = zip(days, days.dropFirst()).compactMap { earlier, later in
            let length = earlier.distance(to: later) - 1
            return length > 0 ? Gap(after: earlier, before: later, length: length) : nil
        }
        current = days.last.flatMap { last in
            let length = last.distance(to: today) - 1
            return length > 0 ? Gap(after: last, before: nil, length: length) : nil
        }
    }
}
