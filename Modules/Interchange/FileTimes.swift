package import TrendyDomain
package import TrendyNotation

extension WhenParser {
    /// The text of an end, completed by its start: a time of day is the first one after the start, and `+45m` counts from
    /// the start, as for `log --until`.
    ///
    /// - Throws: ``RowError`` for an end relative to now, which differs in each import.
    package func endText(_ text: String, from start: Timestamp) throws(RowError) -> String {
        let plain = Names.trimmed(text).lowercased()
        if plain.hasPrefix("+"), let end = WhenParser(now: start, zone: zone).moment(plain) { return end.description }
        let isRelative = plain == "now" || plain.hasSuffix(" ago") || plain.hasPrefix("-")
        if isRelative, moment(plain) != nil {
            throw RowError(
                "the end '\(Names.trimmed(text))' is relative to the present time; write a time of day, a date, "
                    + "or a duration like +45m")
        }
        return dated(text, from: start)
    }
}

/// Durations of other programs.
package enum ISODuration {
    /// The seconds of an ISO 8601 duration like `PT1H30M`; other texts are returned unchanged.
    package static func plain(_ text: String) -> String {
        guard text.contains(where: \.isNumber), let length = CalendarDuration(Names.trimmed(text)) else { return text }
        let seconds = length.days * 86_400 + length.seconds
        return seconds < 0 ? text : String(seconds)
    }
}

/// Remarks on the times of imported rows.
struct TimeRemarks {
    private struct Found {
        var changes = ClockChanges()
        /// The number of rows with a day but no time of day.
        var days = 0
        /// The line of the first one.
        var firstDay = 0
    }

    private var found = Found()
    private var before = Found()

    /// Starts a row.
    mutating func begin() { before = found }

    /// Drops the remarks of the present row, which is not imported.
    mutating func takeBack() { found = before }

    /// Records a clock time.
    mutating func note(_ civil: CivilTime, in zone: LocalZone) { found.changes.note(civil, in: zone) }

    /// Records the time of a row.
    mutating func note(_ reading: WhenParser.Reading?, line: Int, in zone: LocalZone) {
        switch reading {
        case .clock(let civil): note(civil, in: zone)
        case .day: noteDay(line: line)
        case .moment, nil: break
        }
    }

    /// Records a row with a day but no time of day.
    mutating func noteDay(line: Int) {
        if found.days == 0 { found.firstDay = line }
        found.days += 1
    }

    /// The remarks as sentences.
    var remarks: [String] {
        if found.days == 0 { return found.changes.remarks }
        let verbs = found.days == 1 ? "has no time of day and starts" : "have no time of day and start"
        let place = found.days == 1 ? "line" : "the first is line"
        return found.changes.remarks + [
            "\(counted(found.days, "row")) \(verbs) at 00:00 (\(place) \(found.firstDay))"
        ]
    }
}

/// Counts the times of a file that were skipped or repeated by a change of the clock.
struct ClockChanges {
    /// Times of one sort.
    private struct Found {
        var count = 0
        /// The first one, as written and as read.
        var example = ""
    }

    private var never = Found()
    private var twice = Found()

    /// Records a clock time.
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

    /// The remarks as sentences.
    var remarks: [String] {
        var remarks: [String] = []
        if never.count > 0 {
            let verb = never.count == 1 ? "does" : "do"
            remarks.append(
                "\(counted(never.count, "time")) \(verb) not exist, because the clock was put forward: shifted to after "
                    + "the change (\(never.example))")
        }
        if twice.count > 0 {
            let verb = twice.count == 1 ? "is" : "are"
            remarks.append(
                "\(counted(twice.count, "time")) \(verb) ambiguous, because the clock was put back: read as the first of "
                    + "the two (\(twice.example))")
        }
        return remarks
    }
}
