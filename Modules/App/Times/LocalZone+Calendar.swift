import TrendyDomain

extension LocalZone {
    /// The day on which a moment is.
    func day(of moment: Timestamp) -> CalendarDay { CalendarDay(daysSince1970: civil(moment).dayNumber) }

    /// The moment at which a day begins.
    func start(of day: CalendarDay) -> Timestamp {
        moment(CivilTime(localMilliseconds: Int64(day.daysSince1970) * 86_400_000))
    }
}
