/// Tells the local day and hour of moments, fast enough for millions of them.
///
/// It asks the zone once for each day of UTC, and again only within days on which the offset changes. That is exact
/// as long as no zone changes its offset and changes it back within one day of UTC; none in the time-zone database
/// does.
struct LocalCalendar: Sendable {
    private static let day: Int64 = 86_400_000
    private let source: any UTCOffsetSource
    /// The offset at the start of each day of UTC, as far as it was asked for.
    private var offsets = DayTable<Int64>(empty: .min)

    init(_ source: any UTCOffsetSource) {
        self.source = source
    }

    /// The day on which a moment is, and the hour of that day, 0 to 23.
    ///
    /// Moments outside the years 0 to 9999 count as the first or last one within.
    private mutating func dayAndHour(of moment: Timestamp) -> (day: CalendarDay, hour: Int) {
        let moment = min(max(moment, .earliest), .latest)
        let local = moment.milliseconds + offset(at: moment)
        let (day, rest) = Self.split(local)
        return (CalendarDay(daysSince1970: day), Int(rest / 3_600_000))
    }

    /// The day on which an event with a moment is, and the hour of that day; an all-day event is in none.
    mutating func dayAndHour(of moment: Timestamp, isAllDay: Bool) -> (day: CalendarDay, hour: Int?) {
        if isAllDay { return (source.day(ofAllDay: moment), nil) }
        let (day, hour) = dayAndHour(of: moment)
        return (day, hour)
    }

    private mutating func offset(at moment: Timestamp) -> Int64 {
        let day = Self.split(moment.milliseconds).day
        let start = offset(atStartOf: day)
        return start == offset(atStartOf: day + 1) ? start : source.utcOffset(at: moment)
    }

    private mutating func offset(atStartOf day: Int) -> Int64 {
        let known = offsets[day]
        if known != .min { return known }
        let offset = source.utcOffset(at: Timestamp(milliseconds: Int64(day) * Self.day))
        offsets.update(day) { $0 = offset }
        return offset
    }

    /// Days since 1970, and the milliseconds of the day.
    static func split(_ milliseconds: Int64) -> (day: Int, rest: Int64) {
        let rest = milliseconds % day
        return rest < 0 ? (Int(milliseconds / day) - 1, rest + day) : (Int(milliseconds / day), rest)
    }
}
