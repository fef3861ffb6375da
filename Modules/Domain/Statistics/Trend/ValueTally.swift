/// Collects the values that events have of one property, by local day.
///
/// It keeps what the values of each day come to, and the values themselves only where it is made to.
public struct ValueTally: Sendable {
    private var calendar: LocalCalendar
    private var table = DayTable<ValueTotals>(empty: ValueTotals())
    private var hours = [ValueTotals](repeating: ValueTotals(), count: 24)
    private var withoutHour = 0
    /// What all values come to.
    public private(set) var totals = ValueTotals()
    /// How many values there are.
    public private(set) var count = 0
    /// From the first day with a value to the last; nil where there is none.
    public private(set) var days: ClosedRange<CalendarDay>?

    private let keepsValues: Bool
    let weekStart: Weekday

    /// Makes an empty tally for the local time of a zone.
    ///
    /// - Parameters:
    ///   - weekStart: The day with which weeks begin.
    ///   - keepsValues: Whether each value is kept, for ``Aggregation/median``.
    public init(in zone: any UTCOffsetSource, weekStart: Weekday = .monday, keepsValues: Bool = false) {
        calendar = LocalCalendar(zone)
        self.weekStart = weekStart
        self.keepsValues = keepsValues
    }

    /// Adds the value of an event that began at a moment. Infinite values and what is no number are left out.
    ///
    /// - Parameter isAllDay: Whether the event has a day and no time of day.
    public mutating func add(_ value: Double, at moment: Timestamp, isAllDay: Bool = false) {
        guard value.isFinite else { return }
        let (day, hour) = calendar.dayAndHour(of: moment, isAllDay: isAllDay)
        let totals = ValueTotals(value, keepsValue: keepsValues)
        table.update(day.daysSince1970) { $0.add(totals) }
        self.totals.add(totals)
        if let hour { hours[hour].add(totals) } else { withoutHour += 1 }
        count += 1
        days = days.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
    }

    /// The value of some days together.
    ///
    /// Nil where no day has a value, as there is no mean and no maximum of nothing; the sum of nothing is 0.
    public func value(in days: ClosedRange<CalendarDay>, aggregation: Aggregation) -> Double? {
        totals(in: days).value(aggregation)
    }

    /// The value of all days together; nil as for some days.
    public func value(aggregation: Aggregation) -> Double? { totals.value(aggregation) }

    /// The values by a grouping.
    ///
    /// - Parameter days: For days, weeks and months those that are looked at: each stretch that has any of them gets a
    ///   bucket, and there is none where they are nil. Days of the week and hours are those of all values.
    public func values(
        by grouping: CountGrouping, aggregation: Aggregation, in days: ClosedRange<CalendarDay>?
    ) -> ValueSeries {
        let found = totals(by: grouping, in: days)
        var whole = ValueTotals()
        for (_, totals) in found { whole.add(totals) }
        let buckets = found.map { bucket, totals in
            ValueSeries.Bucket(bucket: bucket, value: totals.value(aggregation), count: totals.count)
        }
        return ValueSeries(
            grouping: grouping, aggregation: aggregation, buckets: buckets, value: whole.value(aggregation),
            count: whole.count, withoutBucket: grouping == .hour ? withoutHour : 0)
    }

    private func totals(
        by grouping: CountGrouping, in days: ClosedRange<CalendarDay>?
    ) -> [(bucket: TimeBucket, totals: ValueTotals)] {
        switch grouping {
        case .day, .week, .month:
            guard let period = grouping.period, let days else { return [] }
            return period.buckets(covering: days, weekStart: weekStart).map { bucket in
                (bucket: bucket, totals: totals(in: (bucket.days ?? days).clamped(to: days)))
            }
        case .weekday:
            var sums = [ValueTotals](repeating: ValueTotals(), count: 7)
            for place in table.values.indices where table.values[place].count > 0 {
                let weekday = CalendarDay(daysSince1970: table.base + place).weekday
                sums[weekday.place(inWeekFrom: weekStart)].add(table.values[place])
            }
            return zip(weekStart.week, sums).map { (bucket: TimeBucket.weekday($0), totals: $1) }
        case .hour:
            return hours.enumerated().map { (bucket: TimeBucket.hour($0), totals: $1) }
        }
    }

    private func totals(in days: ClosedRange<CalendarDay>) -> ValueTotals {
        var totals = ValueTotals()
        let first = max(days.lowerBound.daysSince1970, table.base)
        let last = min(days.upperBound.daysSince1970, table.base + table.values.count - 1)
        for day in stride(from: first, through: last, by: 1) { totals.add(table[day]) }
        return totals
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
