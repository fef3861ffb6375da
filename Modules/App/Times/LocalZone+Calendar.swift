public import TrendyDomain

extension LocalZone: UTCOffsetSource {
    /// Milliseconds that a clock on the wall is ahead of UTC at a moment.
    public func utcOffset(at moment: Timestamp) -> Int64 {
        civil(moment).localMilliseconds - moment.milliseconds
    }

    /// The day on which a moment is.
    func day(of moment: Timestamp) -> CalendarDay { CalendarDay(daysSince1970: civil(moment).dayNumber) }

    /// The moment at which a day begins.
    func start(of day: CalendarDay) -> Timestamp {
        moment(CivilTime(localMilliseconds: Int64(day.daysSince1970) * 86_400_000))
    }
}
