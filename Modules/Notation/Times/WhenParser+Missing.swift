import TrendyDomain

/// The errors for dates that do not exist.
extension WhenParser {
    /// The error for a day that does not exist; nil for other texts.
    package static func missingDay(in text: String) -> String? {
        let words = text.lowercased().split(whereSeparator: \.isWhitespace)
        let reason = words.compactMap(writtenReason).first ?? namedReason(words) ?? numberedReason(words)
        return reason.map { "'\(text)' is not a day of the calendar: \($0)" }
    }

    /// Checks `2026-02-30`, with or without a time of day.
    private static func writtenReason(_ word: Substring) -> String? {
        guard let date = DayAndTime.writtenDate(word.prefix { $0 != "t" }) else { return nil }
        return reason(year: date.year, month: date.month, day: date.day)
    }

    /// Checks `feb 30`, `30 feb` and `30 february 2026`.
    private static func namedReason(_ words: [Substring]) -> String? {
        for (place, word) in words.enumerated() {
            guard let month = CalendarNames.month(word) else { continue }
            let behind = words.dropFirst(place + 1)
            let before = words.prefix(place).last.flatMap(DayAndTime.dayOfMonth)
            guard let day = before ?? behind.first.flatMap(DayAndTime.dayOfMonth) else { return nil }
            let last = before == nil ? behind.dropFirst().first : behind.first
            return reason(year: last.flatMap { $0.count == 4 ? digits($0) : nil }, month: month, day: day)
        }
        return nil
    }

    /// Checks `30.2.2026`, with day and month in any order.
    private static func numberedReason(_ words: [Substring]) -> String? {
        let parts = (words.first ?? "").split(whereSeparator: { $0 == "/" || $0 == "." }).map { digits($0) }
        guard parts.count == 3, let first = parts[0], let second = parts[1], let year = parts[2], year > 99,
            year < 10_000
        else { return nil }
        if (1...12).contains(second) { return reason(year: year, month: second, day: first) }
        return (1...12).contains(first) ? reason(year: year, month: first, day: second) : nil
    }

    /// Why a day does not exist; nil if it does.
    private static func reason(year: Int?, month: Int, day: Int) -> String? {
        guard (1...12).contains(month) else { return "a year has 12 months" }
        // Without a year, February may have 29 days.
        let days = Int(CivilDate.daysInMonth(Int64(month), year: Int64(year ?? 2024)))
        if (1...days).contains(day) { return nil }
        let name = CalendarNames.name(ofMonth: month)
        guard let year else { return "\(name) has \(days) days" + (month == 2 ? " at most" : "") }
        return "\(name) \(year) has \(days) days"
    }
}
