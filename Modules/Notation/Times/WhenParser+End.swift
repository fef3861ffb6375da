package import TrendyDomain

extension WhenParser {
    /// Adds the day to a time of day that is an end: the first one after the start. Other texts are returned unchanged.
    package func dated(_ text: String, from start: Timestamp) -> String {
        guard ClockTime.isAlone(in: text) else { return text }
        let text = SpokenTime.written(text) ?? text
        let day = zone.civil(start).startOfDay
        let same = "\(day.dayText) \(text)"
        guard let civil = reading(same)?.civil else { return text }
        // Of a repeated time, the second one may be after the start.
        let end = zone.moments(civil).last ?? zone.moment(civil)
        return end < start ? "\(day.advanced(byDays: 1).dayText) \(text)" : same
    }
}

extension ClockTime {
    /// Whether a text is a time of day without a day.
    package static func isAlone(in text: String) -> Bool {
        let plain = (SpokenTime.written(text) ?? text.lowercased()).filter { !$0.isWhitespace }
        return ClockTime(plain[...]) != nil
    }
}
