import TrendyDomain

extension WhenParser {
    /// "10m", "1h30m", "3 days", "an hour": the moment so long before now.
    func before(_ words: ArraySlice<Substring>) -> Timestamp? { shifted(words, later: false) }

    /// The moment so long before or after now: days and weeks by the calendar, the rest by the clock.
    func shifted(_ words: ArraySlice<Substring>, later: Bool) -> Timestamp? {
        var parts = words
        if let first = parts.first, first == "a" || first == "an", parts.count == 2 {
            parts = ["1", parts[parts.startIndex + 1]]
        }
        guard let amounts = Self.amounts(parts.joined()) else { return nil }
        var moment = now
        for (count, unit) in amounts {
            if let days = Self.days(unit) {
                guard count == count.rounded(), count * Double(days) < 4_000_000 else { return nil }
                moment = zone.moment(zone.civil(moment).advanced(byDays: (later ? 1 : -1) * Int(count) * days))
            } else if let seconds = DurationText.seconds(of: unit) {
                guard count * seconds < 4_000_000 * 86_400 else { return nil }
                moment = moment.advanced(bySeconds: (later ? 1 : -1) * count * seconds)
            } else {
                return nil
            }
        }
        return moment
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
}
