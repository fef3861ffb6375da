package import TrendyDomain

extension WhenParser {
    /// A time of day with its day, as the end of what began at a moment: the first one from then on, past midnight where
    /// it is before the start. Any other text stays as it is.
    package func dated(_ text: String, from start: Timestamp) -> String {
        guard ClockTime.isAlone(in: text) else { return text }
        let text = SpokenTime.written(text) ?? text
        let day = zone.civil(start).startOfDay
        let same = "\(day.dayText) \(text)"
        guard let civil = reading(same)?.civil else { return text }
        // Where the clock shows it twice, the second one may be after the start.
        let end = zone.moments(civil).last ?? zone.moment(civil)
        return end < start ? "\(day.advanced(byDays: 1).dayText) \(text)" : same
    }
}

extension ClockTime {
    /// Whether a text is a time of day and names no day.
    package static func isAlone(in text: String) -> Bool {
        let plain = (SpokenTime.written(text) ?? text.lowercased()).filter { !$0.isWhitespace }
        return ClockTime(plain[...]) != nil
    }
}
