import TrendyDomain

/// Reads the times that people write: see ``WhenParser/forms``.
struct WhenParser: Sendable {
    /// The moment that "now", "today" and "ago" are counted from.
    let now: Timestamp
    /// The zone that times without one are meant in.
    let zone: LocalZone

    /// The accepted forms, for error messages and help.
    static let forms =
        "2026-11-20T14:30:00Z, '2026-11-20 14:30', 2026-11-20, 14:30, 'yesterday 9:00', '10m ago', '3 days ago', now"

    /// The moment that the text names.
    ///
    /// - Throws: ``CommandFailure`` that lists the accepted forms.
    func parse(_ text: String) throws(CommandFailure) -> Timestamp {
        guard let moment = moment(text) else {
            throw .data("'\(text)' is no time; write it like \(Self.forms)")
        }
        return moment
    }

    /// The moment that the text names, nil where it names none.
    func moment(_ text: String) -> Timestamp? {
        if let exact = Timestamp(text) { return exact }
        let words = text.lowercased().split(whereSeparator: \.isWhitespace)
        guard let last = words.last else { return nil }
        if words.count == 1 && last == "now" { return now }
        if last == "ago" { return ago(words.dropLast()) }
        return inRange(dayAndTime(words))
    }

    /// As ``moment(_:)``, and seconds since 1970 too, for data from elsewhere.
    func momentOrEpoch(_ text: String) -> Timestamp? {
        if let epoch = epoch(text) { return epoch }
        return moment(text)
    }

    private func inRange(_ moment: Timestamp?) -> Timestamp? {
        moment.flatMap { $0 >= .earliest && $0 <= .latest ? $0 : nil }
    }

    private func epoch(_ text: String) -> Timestamp? {
        let bytes = text.utf8
        guard let first = bytes.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else { return nil }
        let digits = first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        guard !digits.isEmpty, digits.count <= 18, digits.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E })
        else { return nil }
        guard let seconds = Double(text), seconds.isFinite, abs(seconds) < 1e12 else { return nil }
        return inRange(Timestamp(milliseconds: Int64((seconds * 1000).rounded(.down))))
    }

    // MARK: Ago

    /// "10m", "1h30m", "3 days", "an hour": the moment so long before now.
    private func ago(_ words: ArraySlice<Substring>) -> Timestamp? {
        var parts = words
        if let first = parts.first, first == "a" || first == "an", parts.count == 2 {
            parts = ["1", parts[parts.startIndex + 1]]
        }
        guard let amounts = Self.amounts(parts.joined()) else { return nil }
        var moment = now
        for (count, unit) in amounts {
            if let days = Self.days(unit) {
                guard count == count.rounded(), count * Double(days) < 4_000_000 else { return nil }
                moment = zone.moment(zone.civil(moment).advanced(byDays: -Int(count) * days))
            } else if let seconds = DurationText.seconds(of: unit) {
                guard count * seconds < 4_000_000 * 86_400 else { return nil }
                moment = moment.advanced(bySeconds: -count * seconds)
            } else {
                return nil
            }
        }
        return inRange(moment)
    }

    private static func days(_ unit: Substring) -> Int? {
        switch unit {
        case "d", "day", "days": 1
        case "w", "week", "weeks": 7
        default: nil
        }
    }

    /// Splits "1h30m" into its numbers and units.
    static func amounts(_ text: String) -> [(count: Double, unit: Substring)]? {
        var rest = text[...]
        var found: [(Double, Substring)] = []
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(number.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard !unit.isEmpty, let count = Double(number) else { return nil }
            found.append((count, unit))
        }
        return found.isEmpty ? nil : found
    }

    // MARK: Day and time

    private func dayAndTime(_ words: [Substring]) -> Timestamp? {
        var words = words
        if words.count == 1, let parts = Self.splitAtT(words[0]) { words = parts }
        if words.count == 2 { words = [words[0]] + Self.splitOffset(words[1]) }
        var rest = words[...]
        guard let first = rest.first else { return nil }
        var civil = zone.civil(now).startOfDay
        let namedDay = day(first)
        if let namedDay {
            civil = namedDay
            rest = rest.dropFirst()
        }
        if let time = rest.first {
            guard let clock = ClockTime(time) else { return nil }
            clock.set(on: &civil)
            rest = rest.dropFirst()
        } else if namedDay == nil {
            return nil
        }
        guard civil.isValid else { return nil }
        guard let suffix = rest.first else { return zone.moment(civil) }
        guard rest.count == 1, namedDay != nil, let offset = Self.offset(suffix) else { return nil }
        return Timestamp(milliseconds: civil.localMilliseconds - offset)
    }

    private static func splitAtT(_ word: Substring) -> [Substring]? {
        guard word.count > 11, word[word.index(word.startIndex, offsetBy: 10)] == "t" else { return nil }
        return [word.prefix(10), word.dropFirst(11)]
    }

    /// `14:30z` and `14:30+0200` as the time and what follows it.
    private static func splitOffset(_ word: Substring) -> [Substring] {
        guard word.first?.isNumber == true, let index = word.firstIndex(where: { "z+-".contains($0) }) else {
            return [word]
        }
        return [word[..<index], word[index...]]
    }

    private func day(_ word: Substring) -> CivilTime? {
        let today = zone.civil(now).startOfDay
        switch word {
        case "today": return today
        case "yesterday": return today.advanced(byDays: -1)
        case "tomorrow": return today.advanced(byDays: 1)
        default: break
        }
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, let year = digits(parts[0]), (1...2).contains(parts[1].count),
            let month = digits(parts[1]), (1...2).contains(parts[2].count), let day = digits(parts[2])
        else { return nil }
        let civil = CivilTime(year: year, month: month, day: day)
        return civil.isValid ? civil : nil
    }

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

/// The whole number that a text of ASCII digits writes.
func digits(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
}
