import TrendyDomain
import TrendyNotation

/// What a person has to know of the times in the rows of a file that go in.
struct TimeNotes {
    private struct Found {
        var changes = ClockChanges()
        /// How many rows have a day and no time of it.
        var days = 0
        /// The line of the first of them.
        var firstDay = 0
    }

    private var found = Found()
    private var before = Found()

    /// Begins a row.
    mutating func begin() { before = found }

    /// Forgets the row that was begun last, which does not go in.
    mutating func takeBack() { found = before }

    /// Takes note of what a clock on the wall is said to show.
    mutating func note(_ civil: CivilTime, in zone: LocalZone) { found.changes.note(civil, in: zone) }

    /// Takes note of what a row says of its time.
    mutating func note(_ reading: WhenParser.Reading?, line: Int, in zone: LocalZone) {
        switch reading {
        case .clock(let civil): note(civil, in: zone)
        case .day: noteDay(line: line)
        case .moment, nil: break
        }
    }

    /// Takes note of a row that has a day and no time of it, beside rows that have one.
    mutating func noteDay(line: Int) {
        if found.days == 0 { found.firstDay = line }
        found.days += 1
    }

    /// In sentences.
    var remarks: [String] {
        if found.days == 0 { return found.changes.remarks }
        let verbs = found.days == 1 ? "has no time of day and is" : "have no time of day and are"
        let place = found.days == 1 ? "line" : "the first is line"
        return found.changes.remarks + [
            "\(counted(found.days, "row")) \(verbs) at 00:00 of the day (\(place) \(found.firstDay))"
        ]
    }
}
