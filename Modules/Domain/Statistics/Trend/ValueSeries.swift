/// What the values of a property come to in each of some buckets, in order; buckets without values are there, too.
public struct ValueSeries: Sendable, Hashable {
    /// A bucket and what its values come to.
    public struct Bucket: Sendable, Hashable {
        /// What was taken together.
        public let bucket: TimeBucket
        /// What its values come to; nil for the mean and the largest of none.
        public let value: Double?
        /// How many values it has.
        public let count: Int
    }

    /// By what the values were taken together.
    public let grouping: CountGrouping
    /// How they were taken together.
    public let aggregation: Aggregation
    /// Each bucket with its value: stretches of the calendar in order of time, weekdays in their order, hours from 0.
    public let buckets: [Bucket]
    /// What the values of all buckets come to together; nil for the mean and the largest of none.
    public let value: Double?
    /// How many values all buckets have together.
    public let count: Int
    /// The values that no bucket can have: by hour, those of events that have a day and no time of day.
    public let withoutBucket: Int
}
