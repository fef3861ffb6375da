/// How one number stands to another.
public enum NumberComparison: String, Sendable, Hashable, CaseIterable {
    /// The same number.
    case equal = "="
    /// A smaller number.
    case less = "<"
    /// The same or a smaller number.
    case atMost = "<="
    /// A greater number.
    case more = ">"
    /// The same or a greater number.
    case atLeast = ">="

    /// Whether the first number stands to the second in this way.
    public func isMet(by first: Double, _ second: Double) -> Bool {
        switch self {
        case .equal: first == second
        case .less: first < second
        case .atMost: first <= second
        case .more: first > second
        case .atLeast: first >= second
        }
    }
}

/// What the value of a property must be; an event without a value meets none of these.
public enum PropertyTest: Sendable, Hashable {
    /// Any value.
    case isPresent
    /// A number, or a duration in seconds, that stands so to this one.
    case number(NumberComparison, Double)
    /// A text, an option, a URL or an e-mail address that meets the test.
    case text(TextTest)
    /// This truth value.
    case boolean(Bool)
    /// A date in this interval.
    case date(DayInterval)

    func isMet(by value: PropertyValue) -> Bool {
        let json = value.value
        switch self {
        case .isPresent: return json != .null
        case .number(let comparison, let number):
            return json.doubleValue.map { comparison.isMet(by: $0, number) } ?? false
        case .text(let test): return json.stringValue.map(test.isMet) ?? false
        case .boolean(let flag): return json == .boolean(flag)
        case .date(let interval): return json.stringValue.flatMap(Timestamp.init).map(interval.includes) ?? false
        }
    }
}

/// The dates from one day on, before another one, or both.
///
/// A date that names a day in every zone (``PropertyValue/day``) counts by that; any other is a moment, which is on a
/// day only where somebody is.
public struct DayInterval: Sendable, Hashable {
    /// The dates that name a day: those at these moments, as if the days began in universal time.
    public let days: EventInterval
    /// All other dates.
    public let moments: EventInterval
    /// Dates that name a day are at whole multiples of this many milliseconds.
    public static let dayStep: Int64 = 43_200_000

    /// Makes an interval of days as they begin in a zone; nil stands for no beginning, or no end.
    public init(since: CalendarDay?, until: CalendarDay?, in zone: some UTCOffsetSource) {
        let named = { (day: CalendarDay) in Timestamp(milliseconds: Int64(day.daysSince1970) * 2 * Self.dayStep) }
        days = EventInterval(since: since.map(named), until: until.map(named))
        moments = EventInterval(since: since.map { zone.start(of: $0) }, until: until.map { zone.start(of: $0) })
    }

    func includes(_ date: Timestamp) -> Bool {
        (date.milliseconds % Self.dayStep == 0 ? days : moments).includes(date, isAllDay: false)
    }
}
