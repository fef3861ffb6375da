extension UTCOffsetSource {
    /// The day that an all-day event has, or the last of its days, wherever it was logged.
    ///
    /// Such an event has the midnight at which its day began where it was logged, and no time zone. Read as a moment
    /// it would be on the day before for whoever is west of there. So:
    ///
    /// - Where a day begins here at that moment, it is that day.
    /// - Otherwise it was midnight somewhere else, and it is the date in UTC thirteen hours later. That is right for
    ///   what was logged where clocks are from 10:59 behind UTC to 13:00 ahead, daylight-saving time included. Farther
    ///   out (UTC−11 and −12; +13:45 of Chatham's summer, +14 of Kiribati) midnights are those of other zones on the
    ///   day before or after: what was logged there has its day only there.
    /// - In every zone of today midnight is on a full quarter of an hour of UTC. Any other moment was chosen by a
    ///   program, and is on the day that it falls on here.
    ///
    /// ```swift
    /// let newYork = FixedUTCOffset(milliseconds: -5 * 3_600_000)
    /// let inBerlin = Timestamp(milliseconds: 1_763_593_200_000)  // 2025-11-19T23:00:00Z
    /// newYork.day(ofAllDay: inBerlin)  // 2025-11-20
    /// ```
    ///
    /// Moments outside the years 0 to 9999 count as the first or last one within.
    public func day(ofAllDay moment: Timestamp) -> CalendarDay {
        let moment = min(max(moment, .earliest), .latest)
        let (here, rest) = LocalCalendar.split(moment.milliseconds + utcOffset(at: moment))
        let isBeginning = rest == 0 || day(of: moment.advanced(byMilliseconds: -1)).daysSince1970 != here
        if isBeginning || !AllDay.isMidnight(moment) { return CalendarDay(daysSince1970: here) }
        return CalendarDay(daysSince1970: LocalCalendar.split(moment.milliseconds + AllDay.farthestEast).day)
    }

    /// The day on which a moment is here.
    public func day(of moment: Timestamp) -> CalendarDay {
        CalendarDay(daysSince1970: LocalCalendar.split(moment.milliseconds + utcOffset(at: moment)).day)
    }

    /// The moment at which a day begins here: its first midnight, or later where clocks are put forward then.
    public func start(of day: CalendarDay) -> Timestamp {
        let local = Int64(day.daysSince1970) * AllDay.day
        let before = local - utcOffset(at: Timestamp(milliseconds: local - AllDay.day))
        let after = local - utcOffset(at: Timestamp(milliseconds: local + AllDay.day))
        let shown = [before, after].filter { $0 + utcOffset(at: Timestamp(milliseconds: $0)) == local }
        return Timestamp(milliseconds: shown.min() ?? before)
    }
}

/// What is known of the midnights of all zones, in milliseconds.
enum AllDay {
    static let day: Int64 = 86_400_000
    static let quarterHour: Int64 = 900_000
    /// The clock farthest ahead of UTC that more than some ten thousand people have: New Zealand's in summer.
    static let farthestEast: Int64 = 13 * 3_600_000

    /// Whether a day can begin somewhere at a moment.
    static func isMidnight(_ moment: Timestamp) -> Bool { moment.milliseconds % quarterHour == 0 }
}
