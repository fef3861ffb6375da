package import TrendyDomain

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
    package func parseSince(_ text: String) throws(InputError) -> Timestamp {
        if let period = NamedPeriod(text, on: zone.civil(now)) { return zone.moment(period.start) }
        return try parse(text)
    }

    /// The moment until when something is asked for: that which the text names, or the end of a named period. A day
    /// without a time of day is such a period.
    ///
    /// - Throws: As ``parse(_:)``.
    func parseUntil(_ text: String) throws(InputError) -> Timestamp {
        if let period = NamedPeriod(text, on: zone.civil(now)) { return zone.moment(period.end) }
        let moment = try parse(text)
        guard case .day(let civil) = reading(text) else { return moment }
        return zone.moment(civil.advanced(byDays: 1))
    }

    /// The moments since when and until when something is asked for, where they are given.
    ///
    /// - Throws: As ``parse(_:)``, and where the end comes before the beginning.
    package func parseRange(
        since: String?, until: String?
    ) throws(InputError) -> (since: Timestamp?, until: Timestamp?) {
        var range: (since: Timestamp?, until: Timestamp?) = (nil, nil)
        if let since { range.since = try parseSince(since) }
        if let until { range.until = try parseUntil(until) }
        guard let since, let until, let start = range.since, let end = range.until, end <= start else { return range }
        // Two equal times of day are a range that is empty, but not the wrong way round.
        if end == start, try parseSince(until) == start { return range }
        throw .usage("--until \(quoted(until)) is before --since \(quoted(since)); change the one for the other")
    }
}
