/// How many events there were in each of some buckets, in order; buckets without events are there with 0.
public struct CountSeries: Sendable, Hashable {
    /// A bucket and its events.
    public struct Bucket: Sendable, Hashable {
        /// What was counted together.
        public let bucket: TimeBucket
        /// How many events it has.
        public let count: Int
    }

    /// By what the events were counted.
    public let grouping: CountGrouping
    /// Each bucket with its count: stretches of the calendar in order of time, weekdays in their order, hours from 0.
    public let buckets: [Bucket]
    /// The events that no bucket can have: by hour, those that have a day and no time of day.
    public let withoutBucket: Int

    /// The events of all buckets together.
    public var total: Int { buckets.reduce(0) { $0 + $1.count } }
    /// The largest count, 0 where there is no bucket.
    public var largest: Int { buckets.lazy.map(\.count).max() ?? 0 }
}

extension DayCounts {
    /// The counts of some days by stretches of the calendar, with a bucket for each stretch that has any of the days.
    ///
    /// Other days do not count, those of the first and the last stretch included.
    public func counts(by period: CalendarPeriod, in range: ClosedRange<CalendarDay>) -> CountSeries {
        let grouping: CountGrouping =
            switch period {
            case .day: .day
            case .week: .week
            case .month: .month
            }
        let buckets = period.buckets(covering: range, weekStart: weekStart).map { bucket in
            let count = bucket.days.map { total(in: $0.clamped(to: range)) } ?? 0
            return CountSeries.Bucket(bucket: bucket, count: count)
        }
        return CountSeries(grouping: grouping, buckets: buckets, withoutBucket: 0)
    }
}
