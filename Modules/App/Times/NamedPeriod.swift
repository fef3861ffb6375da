import TrendyDomain

/// The weeks, months and years that people name where they ask for a stretch of time: `this week`, `last month`.
struct NamedPeriod {
    /// The first day.
    let start: CivilTime
    /// The day after the last one.
    let end: CivilTime

    /// The period that the text names; nil where it names none.
    ///
    /// - Parameter now: What "this" and "last" are counted from.
    init?(_ text: String, on now: CivilTime) {
        let words = text.lowercased().split(whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0] == "this" || words[0] == "last" else { return nil }
        let steps = words[0] == "last" ? -1 : 0
        let today = now.startOfDay
        switch words[1] {
        case "week":
            start = today.advanced(byDays: 7 * steps - today.weekday)
            end = start.advanced(byDays: 7)
        case "month":
            start = CivilTime(year: today.year, month: today.month, day: 1).advanced(byMonths: steps)
            end = start.advanced(byMonths: 1)
        case "year":
            start = CivilTime(year: today.year + steps, month: 1, day: 1)
            end = CivilTime(year: start.year + 1, month: 1, day: 1)
        default: return nil
        }
    }
}

extension WhenParser {
    /// The moment since when something is asked for: that which the text names, or the beginning of a named period.
    ///
    /// - Throws: As ``parse(_:)``.
    func parseSince(_ text: String) throws(CommandFailure) -> Timestamp {
        if let period = NamedPeriod(text, on: zone.civil(now)) { return zone.moment(period.start) }
        return try parse(text)
    }

    /// The moment until when something is asked for: that which the text names, or the end of a named period.
    ///
    /// - Throws: As ``parse(_:)``.
    func parseUntil(_ text: String) throws(CommandFailure) -> Timestamp {
        if let period = NamedPeriod(text, on: zone.civil(now)) { return zone.moment(period.end) }
        return try parse(text)
    }
}
