import TrendyDomain
import TrendyNotation

extension CivilTime {
    /// The same time of day on another day, as ``dayNumber`` counts them.
    func on(dayNumber: Int) -> CivilTime { advanced(byDays: dayNumber - self.dayNumber) }

    /// How many days a month has.
    static func days(inMonth month: Int, of year: Int) -> Int {
        Int(CivilDate.daysInMonth(Int64(month), year: Int64(year)))
    }
}
