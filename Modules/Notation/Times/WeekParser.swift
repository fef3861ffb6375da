import TrendyDomain

/// Reads weeks: `last`, `2026-W10`, `3 weeks ago`, or any time in a week.
package struct WeekParser: Sendable {
    /// The reader of times, with the present time.
    package let times: WhenParser

    package init(times: WhenParser) {
        self.times = times
    }

    /// The first day of the week that the text names. A week with a number is one of ISO 8601, from Monday, whatever day
    /// the others begin with.
    ///
    /// - Throws: ``InputError`` that says how a week is written.
    package func firstDay(_ text: String) throws(InputError) -> CivilTime {
        var words = text.lowercased().split(whereSeparator: \.isWhitespace)
        if words.count == 2, words[1] == "week" { words.removeLast() }
        if words == ["this"] { return current }
        if words == ["last"] { return current.advanced(byDays: -7) }
        if words.count == 1, let monday = try numbered(words[0]) { return monday }
        guard let moment = times.moment(text) else {
            throw .data(
                WhenParser.missingDay(in: text)
                    ?? "'\(text)' is not a week; write it like last, 2026-W10, '3 weeks ago' or a day in it")
        }
        return start(of: times.zone.civil(moment))
    }

    /// The first day of the week that has today.
    package var current: CivilTime { start(of: times.zone.civil(times.now)) }

    private func start(of civil: CivilTime) -> CivilTime { civil.startOfWeek(from: times.weekStart.weekday) }

    /// `2026-w10`, as ISO 8601 counts weeks: the first one has the 4th of January. Nil for anything else.
    private func numbered(_ word: Substring) throws(InputError) -> CivilTime? {
        let parts = word.split(separator: "w", omittingEmptySubsequences: false)
        guard parts.count == 2, let year = digits(parts[0].hasSuffix("-") ? parts[0].dropLast() : parts[0]),
            (1...9998).contains(year), let number = digits(parts[1]), number < 100
        else { return nil }
        let count = Self.weeks(in: year)
        guard (1...count).contains(number) else {
            throw .data("the year \(year) has no week \(number); write a week from 1 to \(count)")
        }
        return Self.monday(ofWeek: number, in: year)
    }

    private static func monday(ofWeek number: Int, in year: Int) -> CivilTime {
        CivilTime(year: year, month: 1, day: 4).startOfWeek(from: .monday).advanced(byDays: 7 * (number - 1))
    }

    private static func weeks(in year: Int) -> Int {
        (monday(ofWeek: 1, in: year + 1).dayNumber - monday(ofWeek: 1, in: year).dayNumber) / 7
    }

    /// The day that `2026-w47-3` names by its week, as ISO 8601 has it; nil for anything else.
    package static func day(_ word: Substring) -> CivilTime? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, let year = digits(parts[0]), (1...9998).contains(year),
            parts[1].count == 3, parts[1].first == "w", let number = digits(parts[1].dropFirst()),
            (1...weeks(in: year)).contains(number), parts[2].count == 1, let weekday = digits(parts[2]),
            (1...7).contains(weekday)
        else { return nil }
        return monday(ofWeek: number, in: year).advanced(byDays: weekday - 1)
    }
}
