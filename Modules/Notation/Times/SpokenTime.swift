/// Converts colloquial times into the forms that ``WhenParser`` reads: `half past 8` into `8:30`, `last night` into
/// `yesterday 22:00`, `in 5 min` into `+5 min`, `0915` into `09:15`, `20.11.` into `20 nov`.
///
/// It is used only for input of people, because `0915` is a number in a file.
enum SpokenTime {
    /// The converted text; nil if there is nothing to convert.
    static func written(_ text: String) -> String? {
        let words = text.lowercased().split(whereSeparator: \.isWhitespace)
        if words.count > 1, words[0] == "in" { return "+" + words.dropFirst().joined(separator: " ") }
        var rest = words[...]
        var written: [Substring] = []
        while let next = rest.first {
            if let (clock, count) = minutesOfHour(rest) {
                written.append(clock)
                rest = rest.dropFirst(count)
                continue
            }
            rest.removeFirst()
            switch (next, rest.first) {
            case ("last", "night"): written += ["yesterday"]
            case ("this", let part?) where partsOfDay[part] != nil: written += ["today"]
            case ("tonight", _): written += ["today", "20:00"]
            default: written += partsOfDay[next].map { [$0] } ?? digits(next) ?? dotted(next) ?? [next]
            }
        }
        return written == words ? nil : written.joined(separator: " ")
    }

    /// A typical time of each part of a day.
    private static let partsOfDay: [Substring: Substring] = [
        "morning": "8:00", "afternoon": "15:00", "evening": "19:00", "night": "22:00",
    ]

    private static let minutes: [Substring: Int] = [
        "half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25,
    ]

    /// `half past 8`, `quarter to 9 pm`, `20 past 8`: the time, and its number of words.
    private static func minutesOfHour(_ words: ArraySlice<Substring>) -> (clock: Substring, count: Int)? {
        var rest = words
        if rest.first == "a" { rest.removeFirst() }
        guard let first = rest.popFirst(), let count = minutes[first] ?? TrendyNotation.digits(first), count < 60 else {
            return nil
        }
        if let unit = rest.first, ["min", "mins", "minutes"].contains(unit) { rest.removeFirst() }
        guard let relation = rest.popFirst(), ["past", "after", "to", "before"].contains(relation),
            let written = rest.popFirst()
        else { return nil }
        let half = ["am", "pm"].first { written.hasSuffix($0) || rest.first == $0 }
        if let half, rest.first == half[...] { rest.removeFirst() }
        guard var hour = TrendyNotation.digits(written.hasSuffix(half ?? " ") ? written.dropLast(2) : written),
            half == nil ? hour < 24 : (1...12).contains(hour)
        else { return nil }
        if let half { hour = hour % 12 + (half == "pm" ? 12 : 0) }
        let isBefore = relation == "to" || relation == "before"
        let minute = (hour * 60 + (isBefore ? -count : count) + 1440) % 1440
        return ("\(minute / 60):\(twoDigits(minute % 60))", words.count - rest.count)
    }

    /// `0915`, `20261120` and `20261120t1430` with separators.
    private static func digits(_ word: Substring) -> [Substring]? {
        if word.count == 4, TrendyNotation.digits(word) != nil {
            let clock = word.prefix(2) + ":" + word.suffix(2)
            return ClockTime(clock) == nil ? nil : [clock]
        }
        guard let compact = CompactTime(String(word)), !compact.isUTC else { return nil }
        let day = Substring(compact.civil.dayText)
        guard !compact.isDay else { return [day] }
        return [
            day,
            "\(twoDigits(compact.civil.hour)):\(twoDigits(compact.civil.minute)):\(twoDigits(compact.civil.second))",
        ]
    }

    /// `20.11.` and `20.11.2026`; dates with points have the day first everywhere.
    private static func dotted(_ word: Substring) -> [Substring]? {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count <= 2, parts[1].count <= 2, let day = TrendyNotation.digits(parts[0]),
            let month = TrendyNotation.digits(parts[1]), (1...12).contains(month)
        else { return nil }
        if parts[2].isEmpty { return ["\(day)", Substring(CivilTime.monthNames[month - 1].lowercased())] }
        guard parts[2].count == 4, let year = TrendyNotation.digits(parts[2]) else { return nil }
        return ["\(year)-\(twoDigits(month))-\(twoDigits(day))"]
    }
}
