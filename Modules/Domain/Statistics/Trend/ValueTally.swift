/// Collects the values that events have of one property, by local day.
///
/// It keeps a sum, a count and a maximum for each day, not the values.
public struct ValueTally: Sendable {
    private struct Totals: Sendable {
        var sum = 0.0
        var count = 0
        var largest = -Double.infinity

        mutating func add(_ other: Totals) {
            sum += other.sum
            count += other.count
            largest = max(largest, other.largest)
        }
    }

    private var calendar: LocalCalendar
    private var table = DayTable<Totals>(empty: Totals())
    /// How many values there are.
    public private(set) var count = 0
    /// From the first day with a value to the last; nil where there is none.
    public private(set) var days: ClosedRange<CalendarDay>?

    /// Makes an empty tally for the local time of a zone.
    public init(in zone: any UTCOffsetSource) {
        calendar = LocalCalendar(zone)
    }

    /// Adds the value of an event that began at a moment. Infinite values and what is no number are left out.
    ///
    /// - Parameter isAllDay: Whether the event has a day and no time of day.
    public mutating func add(_ value: Double, at moment: Timestamp, isAllDay: Bool = false) {
        guard value.isFinite else { return }
        let day = calendar.dayAndHour(of: moment, isAllDay: isAllDay).day
        table.update(day.daysSince1970) { $0.add(Totals(sum: value, count: 1, largest: value)) }
        count += 1
        days = days.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
    }

    /// The value of some days together.
    ///
    /// Nil where no day has a value, as there is no mean and no maximum of nothing; the sum of nothing is 0.
    public func value(in days: ClosedRange<CalendarDay>, aggregation: Aggregation) -> Double? {
        var totals = Totals()
        let first = max(days.lowerBound.daysSince1970, table.base)
        let last = min(days.upperBound.daysSince1970, table.base + table.values.count - 1)
        for day in stride(from: first, through: last, by: 1) { totals.add(table[day]) }
        return switch aggregation {
        case .sum: totals.sum
        case .mean: totals.count == 0 ? nil : totals.sum / Double(totals.count)
        case .max: totals.count == 0 ? nil : totals.largest
        }
    }
}

extension PropertyValue {
    /// What a statistic can compute with: the number, or the seconds of a duration; nil for anything else.
    public var statisticalValue: Double? {
        switch self {
        case .number(let number), .duration(let number): number.isFinite ? number : nil
        case .text, .boolean, .date, .select, .url, .email, .other: nil
        }
    }
}
