/// Where a day begins: the line between the all-day events of earlier days, and those of this day and later ones.
///
/// It says of moments what ``UTCOffsetSource/day(ofAllDay:)`` says, in comparisons that a database can make.
public struct DayStart: Sendable, Hashable {
    /// The moment at which the day begins here.
    public let here: Timestamp
    /// The moment at which the day before begins here.
    public let dayBefore: Timestamp
    /// The first midnight of other zones that is the day's.
    public let elsewhere: Timestamp

    /// Midnights are at whole multiples of this many milliseconds since 1970, in all zones.
    public static let midnightStep = AllDay.quarterHour

    /// The start of the first day that begins at a moment or later.
    public init(atOrAfter moment: Timestamp, in zone: some UTCOffsetSource) {
        let moment = min(max(moment, .earliest), .latest)
        var day = zone.day(of: moment)
        if zone.start(of: day) < moment { day = day.advanced(by: 1) }
        here = zone.start(of: day)
        dayBefore = zone.start(of: day.advanced(by: -1))
        elsewhere = Timestamp(milliseconds: Int64(day.daysSince1970) * AllDay.day - AllDay.farthestEast)
    }

    /// Whether an all-day event with this moment is on the day or a later one.
    public func isReached(by moment: Timestamp) -> Bool {
        let isOfHere = !AllDay.isMidnight(moment) || moment == here || moment == dayBefore
        return moment >= (isOfHere ? here : elsewhere)
    }
}
