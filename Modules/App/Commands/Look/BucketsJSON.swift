import TrendyDomain
import TrendyReport

/// The buckets of `trendy stats` as JSON. Keys without a value are left out.
struct BucketsJSON: Encodable {
    struct Bucket: Encodable {
        /// The label; nil for events without a value of the property.
        var bucket: JSONValue?
        var eventTypeId: String?
        var value: Double?
        var seconds: Double?
        var count: Int

        enum CodingKeys: String, CodingKey {
            case bucket, value, seconds, count
            case eventTypeId = "event_type_id"
        }
    }

    var by: String
    var property: String?
    var aggregation: String?
    var eventType: String?
    var eventTypeId: String?
    /// The first and the last day of the period, if it is limited.
    var first: String?
    var last: String?
    var total: Int?
    /// The aggregate of all buckets: a number, or for durations `seconds`.
    var value: Double?
    var seconds: Double?
    /// The number of events with a value.
    var count: Int?
    var withoutBucket: Int?
    /// The number of events that are not in the buckets.
    var leftOut: Int?
    /// The period of the events, if the buckets have none.
    var elsewhere: EventDays?
    var buckets: [Bucket]

    enum CodingKeys: String, CodingKey {
        case by, property, aggregation, first, last, total, value, seconds, count, elsewhere, buckets
        case eventType = "event_type"
        case eventTypeId = "event_type_id"
        case withoutBucket = "without_bucket"
        case leftOut = "left_out"
    }
}
