package import TrendyDomain
package import TrendyNotation

extension WhenParser {
    /// The text of an end in a file with what its start says: a time of day alone counts from the start's day, and a
    /// length like `+45m` from the start, as for `log --until`.
    ///
    /// - Throws: ``RowProblem`` where it counts from now, which is another moment in each import.
    package func endText(_ text: String, from start: Timestamp) throws(RowProblem) -> String {
        let plain = Names.trimmed(text).lowercased()
        if plain.hasPrefix("+"), let end = WhenParser(now: start, zone: zone).moment(plain) { return end.description }
        let isRelative = plain == "now" || plain.hasSuffix(" ago") || plain.hasPrefix("-")
        if isRelative, moment(plain) != nil {
            throw RowProblem(
                "the end '\(Names.trimmed(text))' counts from now; write its time of day or date, "
                    + "or how long it lasted: +45m")
        }
        return dated(text, from: start)
    }
}

/// Lengths of time as other programs write them.
package enum ISODuration {
    /// A length of ISO 8601, as `PT1H30M`, in seconds, which properties take; any other text as it is.
    package static func plain(_ text: String) -> String {
        guard text.contains(where: \.isNumber), let length = CalendarDuration(Names.trimmed(text)) else { return text }
        let seconds = length.days * 86_400 + length.seconds
        return seconds < 0 ? text : String(seconds)
    }
}

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
