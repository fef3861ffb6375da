/// What an insight is about.
public enum InsightKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Days in a row with an event. It is a plain fact.
    case streak
    /// Something is logged on some weekdays more often, or more rarely, than on others.
    case weekday
    /// The last seven days differ from the weeks before.
    case weekComparison = "week_comparison"
    /// Two types are logged on the same days more often, or more rarely, than chance explains.
    case correlation
    /// The day after one type another is logged more often, or more rarely, than chance explains.
    case nextDay = "next_day"
    /// The values of a property are higher, or lower, the more often a type is logged.
    case amount
    /// Something has not been logged for longer than usual, or nothing at all has.
    case gap
    /// There is too little data to look for patterns.
    case tooLittleData = "too_little_data"
}

/// A sentence that the data supports, with the figures that support it.
public struct Insight: Sendable, Hashable, Codable {
    /// What it is about.
    public var kind: InsightKind
    /// The sentence, in plain English and without a full stop.
    public var sentence: String
    /// The certainty of the sentence, as a second sentence without a full stop; nil for a plain fact.
    public var detail: String?
    /// The ids of the types that it is about; empty where it is about all types.
    public var eventTypeIds: [String]
    /// The figures by name: counts, expected values, dates as `2026-11-20`. `Docs/Insights.md` lists the names.
    public var figures: [String: JSONValue]

    /// The key of the first day that was examined.
    public static let firstDay = "first_day"
    /// The key of the last day that was examined.
    public static let lastDay = "last_day"

    /// The key of the last day with an event, where the examined days have none.
    public static let lastEventDay = "last_event_day"

    /// Makes an insight of its parts.
    public init(
        kind: InsightKind, sentence: String, detail: String? = nil, eventTypeIds: [String],
        figures: [String: JSONValue] = [:]
    ) {
        self.kind = kind
        self.sentence = sentence
        self.detail = detail
        self.eventTypeIds = eventTypeIds
        self.figures = figures
    }

    /// The names in JSON.
    public enum CodingKeys: String, CodingKey {
        /// The fields `kind`, `sentence`, `detail` and `figures`.
        case kind, sentence, detail, figures
        /// The field `event_type_ids`.
        case eventTypeIds = "event_type_ids"
    }
}
