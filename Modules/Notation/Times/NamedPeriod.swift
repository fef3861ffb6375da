package import TrendyDomain

/// A period with a name: `this week`, `last month`, `november`, `2025`, `2025-11`, `last night`.
package struct NamedPeriod {
    /// The start.
    package let start: CivilTime
    /// The end, which is not in the period.
    package let end: CivilTime

    /// Reads a period; nil for other texts.
    ///
    /// - Parameter now: The present time, for "this", "last" and "next".
    init?(_ text: String, on now: CivilTime, weekStart: WeekStart) {
        let words = text.lowercased().split(whereSeparator: \.isWhitespace)
        let today = now.startOfDay
        guard
            let found = Self.calendar(words, today, weekStart) ?? Self.partOfDay(words, today)
                ?? Self.dated(words, today)
        else {
            return nil
        }
        (start, end) = found
    }

    private static func calendar(
        _ words: [Substring], _ today: CivilTime, _ weekStart: WeekStart
    ) -> (CivilTime, CivilTime)? {
        let steps: [Substring: Int] = ["last": -1, "this": 0, "next": 1]
        guard words.count == 2, let step = steps[words[0]] else { return nil }
        switch words[1] {
        case "week":
            let start = today.startOfWeek(from: weekStart.weekday).advanced(byDays: 7 * step)
            return (start, start.advanced(byDays: 7))
        case "month": return month(CivilTime(year: today.year, month: today.month, day: 1).advanced(byMonths: step))
        case "year": return year(today.year + step)
        default: return nil
        }
    }

    /// The hours of a part of a day.
    private static func partOfDay(_ words: [Substring], _ today: CivilTime) -> (CivilTime, CivilTime)? {
        func hours(_ start: Int, _ end: Int, from day: CivilTime) -> (CivilTime, CivilTime) {
            func at(_ hour: Int) -> CivilTime {
                var time = day.advanced(byDays: hour / 24)
                time.hour = hour % 24
                return time
            }
            return (at(start), at(end))
        }
        switch words.joined(separator: " ") {
        case "this morning": return hours(5, 12, from: today)
        case "this afternoon": return hours(12, 18, from: today)
        case "this evening", "tonight": return hours(18, 24, from: today)
        case "last night": return hours(20, 30, from: today.advanced(byDays: -1))
        default: return nil
        }
    }

    /// A year, or a month; without a year, the month is the latest one that has begun.
    private static func dated(_ words: [Substring], _ today: CivilTime) -> (CivilTime, CivilTime)? {
        let numbers = words[words.startIndex...].first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        if words.count == 1, let number = numbers.first, number.count == 4, let written = digits(number),
            (1900...2199).contains(written)
        {
            if numbers.count == 1 { return year(written) }
            guard numbers.count == 2, numbers[1].count == 2, let number = digits(numbers[1]), (1...12).contains(number)
            else { return nil }
            return month(CivilTime(year: written, month: number, day: 1))
        }
        guard words.count <= 2, let name = words.first, let number = CalendarNames.month(name) else { return nil }
        if words.count == 2 {
            guard words[1].count == 4, let written = digits(words[1]) else { return nil }
            return month(CivilTime(year: written, month: number, day: 1))
        }
        return month(CivilTime(year: number > today.month ? today.year - 1 : today.year, month: number, day: 1))
    }

    private static func month(_ start: CivilTime) -> (CivilTime, CivilTime) { (start, start.advanced(byMonths: 1)) }

    private static func year(_ year: Int) -> (CivilTime, CivilTime) {
        (CivilTime(year: year, month: 1, day: 1), CivilTime(year: year + 1, month: 1, day: 1))
    }
}

extension WhenParser {
    /// Reads a period; nil for other texts.
    package func period(_ text: String) -> NamedPeriod? {
        NamedPeriod(text, on: zone.civil(now), weekStart: weekStart)
    }

    /// The moment of a text for `--since`; for a period its start.
    ///
    /// - Throws: As ``parse(_:)``.
    package func parseSince(_ text: String) throws(InputError) -> Timestamp {
        if let period = period(text) { return zone.moment(period.start) }
        return try parse(text)
    }

    /// The moment of a text for `--until`; for a period its end. A day without a time of day is a period.
    ///
    /// - Throws: As ``parse(_:)``.
    package func parseUntil(_ text: String) throws(InputError) -> Timestamp {
        if let period = period(text) { return zone.moment(period.end) }
        let moment = try parse(text)
        guard case .day(let civil) = typedReading(text) else { return moment }
        return zone.moment(civil.advanced(byDays: 1))
    }

    /// The moments of `--since` and `--until`, if given.
    ///
    /// - Throws: As ``parse(_:)``, and if the end is before the start.
    package func parseRange(
        since: String?, until: String?
    ) throws(InputError) -> (since: Timestamp?, until: Timestamp?) {
        var range: (since: Timestamp?, until: Timestamp?) = (nil, nil)
        if let since { range.since = try parseSince(since) }
        if let until { range.until = try parseUntil(until) }
        guard let since, let until, let start = range.since, let end = range.until, end <= start else { return range }
        // Two equal times are an empty range, which is allowed.
        if end == start, try parseSince(until) == start { return range }
        throw .usage("--until \(quoted(until)) is before --since \(quoted(since)); exchange them")
    }
}
