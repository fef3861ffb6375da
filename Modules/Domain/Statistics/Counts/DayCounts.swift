/// How many events there were on each day.
///
/// Streaks, gaps, heat maps and insights are computed from it; it is small whatever the number of events.
public struct DayCounts: Sendable {
    private var table = DayTable<Int>(empty: 0)
    /// The events of all days together.
    public private(set) var total = 0
    /// From the first day with an event to the last; nil where there is none.
    public private(set) var days: ClosedRange<CalendarDay>?

    /// The day with which weeks begin, where days are taken together.
    public let weekStart: Weekday

    /// Makes counts of no events.
    ///
    /// - Parameter weekStart: The day with which weeks begin, where days are taken together.
    public init(weekStart: Weekday = .monday) {
        self.weekStart = weekStart
    }

    /// Makes counts of some days; all others have none.
    public init(_ counts: [CalendarDay: Int], weekStart: Weekday = .monday) {
        self.init(weekStart: weekStart)
        for (day, count) in counts { add(count, on: day) }
    }

    /// Counts more events on a day. A count that is not positive is left out.
    public mutating func add(_ count: Int = 1, on day: CalendarDay) {
        guard count > 0 else { return }
        table.update(day.daysSince1970) { $0 += count }
        total += count
        days = days.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
    }

    /// How many events the day has.
    public subscript(day: CalendarDay) -> Int { table[day.daysSince1970] }

    /// How many events the days have together.
    public func total(in days: ClosedRange<CalendarDay>) -> Int {
        guard let clamped = clamp(days) else { return 0 }
        return clamped.reduce(0) { $0 + table.values[$1] }
    }

    /// The days with at least one event, in order.
    public var loggedDays: [CalendarDay] {
        guard let days, let places = clamp(days) else { return [] }
        var logged: [CalendarDay] = []
        // A single event of another millennium makes millions of days, few of which are logged.
        table.values.withUnsafeBufferPointer { counts in
            for place in places where counts[place] > 0 {
                logged.append(CalendarDay(daysSince1970: table.base + place))
            }
        }
        return logged
    }

    /// The last day with an event before a day; nil where there is none.
    public func lastDay(before day: CalendarDay) -> CalendarDay? {
        guard let days, days.lowerBound < day else { return nil }
        var last = min(days.upperBound, day.advanced(by: -1))
        // The first day has an event.
        while self[last] == 0 { last = last.advanced(by: -1) }
        return last
    }

    /// The places of the days in the table, as far as it has them.
    private func clamp(_ days: ClosedRange<CalendarDay>) -> Range<Int>? {
        let first = max(0, days.lowerBound.daysSince1970 - table.base)
        let end = min(table.values.count, days.upperBound.daysSince1970 - table.base + 1)
        return first < end ? first..<end : nil
    }
}
