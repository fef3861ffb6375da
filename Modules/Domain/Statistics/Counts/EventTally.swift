/// Counts events by their local day and hour, one after the other, and answers every question about the counts.
///
/// It keeps a number for each day and hour, not the events: a million of them take a fraction of a second and no
/// memory to speak of.
///
/// ```swift
/// var tally = EventTally(in: TimeZone.current)
/// for event in events { tally.add(event.timestamp, isAllDay: event.isAllDay) }
/// let perWeek = tally.counts(by: .week)
/// ```
///
/// An event counts on the day on which it began, however long it lasted; for an all-day event that is its day wherever
/// it was logged, as ``UTCOffsetSource/day(ofAllDay:)`` has it.
public struct EventTally: Sendable {
    private var calendar: LocalCalendar
    private var hours = [Int](repeating: 0, count: 24)
    private var withoutHour = 0
    /// How many events there were on each local day.
    public private(set) var days: DayCounts

    /// Makes an empty tally for the local time of a zone.
    ///
    /// - Parameter weekStart: The day with which weeks begin.
    public init(in zone: any UTCOffsetSource, weekStart: Weekday = .monday) {
        calendar = LocalCalendar(zone)
        days = DayCounts(weekStart: weekStart)
    }

    /// Counts events that began at a moment.
    ///
    /// - Parameters:
    ///   - moment: When they began. Outside the years 0 to 9999 the nearest moment within counts.
    ///   - isAllDay: Whether they have a day and no time of day; such events are in no hour.
    ///   - count: How many events; none where it is not positive.
    public mutating func add(_ moment: Timestamp, isAllDay: Bool = false, count: Int = 1) {
        guard count > 0 else { return }
        let (day, hour) = calendar.dayAndHour(of: moment, isAllDay: isAllDay)
        days.add(count, on: day)
        if let hour { hours[hour] += count } else { withoutHour += count }
    }

    /// The counts by a grouping, with every bucket from the first event to the last.
    ///
    /// - Parameter range: Days that the buckets reach over in any case, as those that a person asked for.
    public func counts(by grouping: CountGrouping, covering range: ClosedRange<CalendarDay>? = nil) -> CountSeries {
        switch grouping {
        case .day, .week, .month:
            let covered = Self.union(days.days, range)
            guard let period = grouping.period, let covered else { return series(grouping, []) }
            return days.counts(by: period, in: covered)
        case .weekday:
            var counts = [Int](repeating: 0, count: 7)
            for day in days.loggedDays { counts[day.weekday.place(inWeekFrom: days.weekStart)] += days[day] }
            return series(grouping, zip(days.weekStart.week, counts).map { (.weekday($0), $1) })
        case .hour:
            return series(grouping, hours.enumerated().map { (.hour($0), $1) }, withoutBucket: withoutHour)
        }
    }

    private func series(
        _ grouping: CountGrouping, _ buckets: [(TimeBucket, Int)], withoutBucket: Int = 0
    ) -> CountSeries {
        CountSeries(
            grouping: grouping, buckets: buckets.map { CountSeries.Bucket(bucket: $0, count: $1) },
            withoutBucket: withoutBucket)
    }

    private static func union(
        _ one: ClosedRange<CalendarDay>?, _ other: ClosedRange<CalendarDay>?
    ) -> ClosedRange<CalendarDay>? {
        guard let one, let other else { return one ?? other }
        return min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
    }
}
