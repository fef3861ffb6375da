package import TrendyDomain

extension WhenParser {
    /// The moment "10m", "1h30m", "3 days" or "half an hour" ago.
    package func before(_ words: ArraySlice<Substring>) -> Timestamp? { shifted(words, later: false) }

    /// The day "3 days" or "a week" ago; nil if the duration is not in whole days.
    func dayBefore(_ words: ArraySlice<Substring>) -> CivilTime? {
        let amounts = Self.amounts(Self.inDigits(words).joined())
        guard let amounts, amounts.allSatisfy({ Self.days($0.unit) ?? Self.months($0.unit) != nil }) else { return nil }
        return before(words).map { zone.civil($0).startOfDay }
    }

    /// The moment at a distance from now: days and longer units by the calendar, others by the clock.
    func shifted(_ words: ArraySlice<Substring>, later: Bool) -> Timestamp? {
        guard let amounts = Self.amounts(Self.inDigits(words).joined()) else { return nil }
        var moment = now
        for (count, unit) in amounts {
            if let days = Self.days(unit) {
                guard count == count.rounded(), count * Double(days) < 4_000_000 else { return nil }
                moment = zone.moment(zone.civil(moment).advanced(byDays: (later ? 1 : -1) * Int(count) * days))
            } else if let months = Self.months(unit) {
                guard count == count.rounded(), count * Double(months) < 120_000 else { return nil }
                moment = zone.moment(zone.civil(moment).advanced(byMonths: (later ? 1 : -1) * Int(count) * months))
            } else if let seconds = DurationText.seconds(of: unit) {
                guard count * seconds < 4_000_000 * 86_400 else { return nil }
                moment = moment.advanced(bySeconds: (later ? 1 : -1) * count * seconds)
            } else {
                return nil
            }
        }
        return moment
    }

    /// The error for a duration where a time is needed; nil for other texts.
    func lengthAlone(_ text: String, after origin: String) -> String? {
        let words = text.lowercased().split(whereSeparator: \.isWhitespace)
        guard before(words[...]) != nil else { return nil }
        return "'\(text)' is a duration; "
            + "write '\(text) ago', or '+\(text)' for the time after \(origin)"
    }

    private static let numbers: [Substring] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ]

    /// "one hour", "an hour" and "half an hour" with digits; other texts are returned unchanged.
    private static func inDigits(_ words: ArraySlice<Substring>) -> ArraySlice<Substring> {
        guard let first = words.first, let unit = words.last, words.count > 1 else { return words }
        if let place = numbers.firstIndex(of: first) { return [Substring("\(place + 1)")] + words.dropFirst() }
        let article = words.dropFirst().first.map { $0 == "a" || $0 == "an" } ?? false
        switch first {
        case "a", "an": return words.count == 2 ? ["1", unit] : words
        case "half": return words.count == 2 || words.count == 3 && article ? ["0.5", unit] : words
        default: return words
        }
    }

    private static func days(_ unit: Substring) -> Int? {
        switch unit {
        case "d", "day", "days": 1
        case "w", "week", "weeks": 7
        default: nil
        }
    }

    private static func months(_ unit: Substring) -> Int? {
        switch unit {
        case "month", "months": 1
        case "y", "year", "years": 12
        default: nil
        }
    }

    /// Splits "1h30m" into its numbers and units; "1h30" is the same.
    package static func amounts(_ text: String) -> [(count: Double, unit: Substring)]? {
        var rest = DurationText.withMinutes(text)[...]
        var found: [(Double, Substring)] = []
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
            rest = rest.dropFirst(number.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard !unit.isEmpty, let count = decimal(number) else { return nil }
            found.append((count, unit))
        }
        return found.isEmpty ? nil : found
    }

    /// The number, with a decimal point or comma. A comma before three digits is ambiguous and refused.
    private static func decimal(_ text: Substring) -> Double? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return Double(text) }
        guard !parts[0].isEmpty, !parts[1].isEmpty, parts[1].count != 3, !text.contains(".") else { return nil }
        return Double(parts.joined(separator: "."))
    }
}
