import TrendyDomain

/// Reads a day, a time of day, or both: `yesterday 9:15`, `9:15 yesterday`, `mon 8am`, `20 nov`, `2026-11-20 14:30 +02:00`,
/// `3 days ago 9:15`.
struct DayAndTime {
    let now: Timestamp
    let zone: LocalZone
    let weekStart: WeekStart

    private var today: CivilTime { zone.civil(now).startOfDay }

    /// - Parameter words: In lower case.
    func read(_ words: [Substring]) -> WhenParser.Reading? {
        var rest = Self.dayFirst(Self.plain(words))[...]
        guard !rest.isEmpty else { return nil }
        var named = day(&rest)
        if words.contains("last") { named?.end = today }
        guard let time = rest.popFirst() else { return named.map { .day($0.latest(notAfter: today)) } }
        guard let clock = ClockTime(time) else { return nil }
        if rest.isEmpty {
            var civil = named?.latest(notAfter: zone.civil(now), at: clock) ?? today
            clock.set(on: &civil)
            return civil.isValid ? .clock(civil) : nil
        }
        guard rest.count == 1, let suffix = rest.first, let offset = Self.offset(suffix), let named else { return nil }
        var civil = named.latest(notAfter: zone.civil(now), at: clock)
        clock.set(on: &civil)
        return civil.isValid ? .moment(Timestamp(milliseconds: civil.localMilliseconds - offset)) : nil
    }

    /// The words without fillers ("at", "on", "the", "last") and commas, and with `8 am`, `8 uhr` and `14:30 +02:00` joined.
    private static func plain(_ words: [Substring]) -> [Substring] {
        var plain: [Substring] = []
        for (place, written) in words.enumerated() where !["at", "last", "on", "the"].contains(written) {
            let word = written.hasSuffix(",") && place < words.count - 1 ? written.dropLast() : written
            if word == "am" || word == "pm" || word == "uhr", let last = plain.last, last.last?.isNumber == true {
                plain[plain.count - 1] = last + word
            } else if let parts = splitAtT(word) {
                plain += [parts[0]] + splitOffset(parts[1])
            } else {
                plain += plain.isEmpty ? [word] : splitOffset(word)
            }
        }
        return plain
    }

    /// Moves a time of day in front of its day to the end.
    private static func dayFirst(_ words: [Substring]) -> [Substring] {
        guard words.count > 1, let first = words.first, ClockTime(first) != nil else { return words }
        return Array(words.dropFirst()) + [first]
    }

    private static func splitAtT(_ word: Substring) -> [Substring]? {
        guard word.count > 11, word[word.index(word.startIndex, offsetBy: 10)] == "t" else { return nil }
        return [word.prefix(10), word.dropFirst(11)]
    }

    /// Splits `14:30z` and `14:30+0200` into time and offset.
    private static func splitOffset(_ word: Substring) -> [Substring] {
        guard word.contains(":"), word.first?.isNumber == true,
            let index = word.firstIndex(where: { "z+-".contains($0) })
        else { return [word] }
        return [word[..<index], word[index...]]
    }

    // MARK: Days

    /// A day, with the recurrence of an incomplete date.
    private struct Day {
        enum Recurrence {
            case once, weekly, yearly
        }

        var civil: CivilTime
        var recurrence = Recurrence.once
        /// The upper limit for a recurring day: `last monday` is not today.
        var end: CivilTime?

        /// The latest such day; today counts if the time of day is over.
        func latest(notAfter limit: CivilTime, at clock: ClockTime? = nil) -> CivilTime {
            var timed = civil
            clock?.set(on: &timed)
            let isOver = timed.localMilliseconds <= limit.localMilliseconds
            let isBeforeEnd = end.map { civil.localMilliseconds < $0.localMilliseconds } ?? true
            guard recurrence != .once, !isOver || !isBeforeEnd else { return civil }
            if recurrence == .weekly { return civil.advanced(byDays: -7) }
            var before = civil
            // Not every year has a 29th of February.
            repeat { before.year -= 1 } while !before.isValid
            return before
        }
    }

    /// Takes the words of a day off the front; nil if there are none.
    private func day(_ words: inout ArraySlice<Substring>) -> Day? {
        if let day = severalWords(&words) { return day }
        guard let first = words.first, let day = named(first) ?? date(first) else { return monthAndDay(&words) }
        words.removeFirst()
        return day
    }

    /// `3 days ago`, `day before yesterday`, `this monday`, `next monday`: the first one after today.
    private func severalWords(_ words: inout ArraySlice<Substring>) -> Day? {
        if let ago = words.firstIndex(of: "ago") {
            let day = WhenParser(now: now, zone: zone).dayBefore(words[..<ago])
            if day != nil { words = words[(ago + 1)...] }
            return day.map { Day(civil: $0) }
        }
        let phrases: [([Substring], Int)] = [(["day", "before", "yesterday"], -2), (["day", "after", "tomorrow"], 2)]
        for (phrase, days) in phrases where words.starts(with: phrase) {
            words = words.dropFirst(phrase.count)
            return Day(civil: today.advanced(byDays: days))
        }
        guard let weekday = words.dropFirst().first.flatMap(CalendarNames.weekday) else { return nil }
        let days: Int
        switch words.first {
        // The day of this week, which may be in the future.
        case "this":
            let first = today.startOfWeek(from: weekStart.weekday)
            days = first.dayNumber - today.dayNumber + (weekday - first.weekday + 7) % 7
        case "next": days = (weekday - today.weekday + 6) % 7 + 1
        default: return nil
        }
        words = words.dropFirst(2)
        return Day(civil: today.advanced(byDays: days))
    }

    private func named(_ word: Substring) -> Day? {
        switch word {
        case "today": return Day(civil: today)
        case "yesterday": return Day(civil: today.advanced(byDays: -1))
        case "tomorrow": return Day(civil: today.advanced(byDays: 1))
        default:
            guard let weekday = CalendarNames.weekday(word) else { return nil }
            return Day(civil: today.advanced(byDays: -((today.weekday - weekday + 7) % 7)), recurrence: .weekly)
        }
    }

    private func date(_ word: Substring) -> Day? {
        guard let civil = Self.writtenDate(word) ?? WeekParser.day(word), civil.isValid else { return nil }
        return Day(civil: civil)
    }

    /// The parts of a date like `2026-11-20` or `2026/11/20`, without validation.
    static func writtenDate(_ word: Substring) -> CivilTime? {
        let separator: Character = word.contains("/") ? "/" : "-"
        let parts = word.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, let year = digits(parts[0]), (1...2).contains(parts[1].count),
            let month = digits(parts[1]), (1...2).contains(parts[2].count), let day = digits(parts[2])
        else { return nil }
        return CivilTime(year: year, month: month, day: day)
    }

    /// `nov 20`, `20 nov`, `20 november 2025`.
    private func monthAndDay(_ words: inout ArraySlice<Substring>) -> Day? {
        guard words.count >= 2 else { return nil }
        let (one, two) = (words[words.startIndex], words[words.startIndex + 1])
        guard let month = CalendarNames.month(one) ?? CalendarNames.month(two),
            let day = Self.dayOfMonth(CalendarNames.month(one) == nil ? one : two)
        else { return nil }
        let afterwards = words.dropFirst(2)
        if let year = afterwards.first, year.count == 4, let year = digits(year) {
            let civil = CivilTime(year: year, month: month, day: day)
            guard civil.isValid else { return nil }
            words = afterwards.dropFirst()
            return Day(civil: civil)
        }
        var civil = CivilTime(year: today.year, month: month, day: day)
        if month == 2 && day == 29 { while !civil.isValid { civil.year -= 1 } }
        guard civil.isValid else { return nil }
        words = afterwards
        return Day(civil: civil, recurrence: .yearly)
    }

    /// The number of a day in a month: `20`, `20th`, `20.`; nil for other words.
    static func dayOfMonth(_ word: Substring) -> Int? {
        var plain = word.hasSuffix(",") || word.hasSuffix(".") ? word.dropLast() : word
        for ending in ["st", "nd", "rd", "th"] where plain.hasSuffix(ending) { plain = plain.dropLast(2) }
        guard plain.count <= 2, let day = digits(plain), (1...31).contains(day) else { return nil }
        return day
    }

    // MARK: Offsets

    /// `z`, `utc`, `+02:00`, `+0200`, `+02` in milliseconds.
    private static func offset(_ word: Substring) -> Int64? {
        if word == "z" || word == "utc" || word == "gmt" { return 0 }
        guard let sign = word.first, sign == "+" || sign == "-" else { return nil }
        var plain = word.dropFirst().filter { $0 != ":" }
        if plain.count == 2 { plain += "00" }
        guard plain.count == 4, let number = digits(Substring(plain)), number / 100 < 24, number % 100 < 60 else {
            return nil
        }
        let minutes = Int64(number / 100 * 60 + number % 100)
        return (sign == "-" ? -minutes : minutes) * 60_000
    }
}
