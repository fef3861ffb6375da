import TrendyDomain
import TrendyNotation

/// Counts the times of a file that a clock never shows, or shows twice, because it is changed then.
struct ClockChanges {
    /// Times of one sort.
    private struct Found {
        var count = 0
        /// The first of them, as it is written and as it is read.
        var example = ""
    }

    private var never = Found()
    private var twice = Found()

    /// Takes note of what a clock on the wall is said to show.
    mutating func note(_ civil: CivilTime, in zone: LocalZone) {
        let count = zone.moments(civil).count
        if count == 1 { return }
        let moment = zone.moment(civil)
        let text = "\(civil.dayText) \(twoDigits(civil.hour)):\(twoDigits(civil.minute))"
        if count == 0 {
            if never.count == 0 { never.example = "\(text) as \(zone.clockText(moment))" }
            never.count += 1
        } else {
            if twice.count == 0 { twice.example = "\(text) as \(zone.clockText(moment))\(zone.offsetText(moment))" }
            twice.count += 1
        }
    }

    /// What a person has to know of them, in sentences.
    var remarks: [String] {
        var remarks: [String] = []
        if never.count > 0 {
            let verb = never.count == 1 ? "was" : "were"
            remarks.append(
                "\(counted(never.count, "time")) never \(verb) on the clock, which was put forward then: read as that "
                    + "much later (\(never.example))")
        }
        if twice.count > 0 {
            let verb = twice.count == 1 ? "was" : "were"
            remarks.append(
                "\(counted(twice.count, "time")) \(verb) on the clock twice, which was put back then: read as the first "
                    + "of the two (\(twice.example))")
        }
        return remarks
    }
}
