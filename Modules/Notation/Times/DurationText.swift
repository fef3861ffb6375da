/// Reads and writes durations.
package enum DurationText {
    /// The seconds of `1h30m`, `1h30`, `45s`, `2 days`, `1:30:00` or a plain number; nil for other texts.
    package static func parse(_ text: String) -> Double? {
        let compact = text.lowercased().filter { !$0.isWhitespace }
        if let plain = NumberText.parse(compact) { return plain >= 0 ? plain : nil }
        if let clock = clock(compact) { return clock }
        guard let amounts = WhenParser.amounts(compact) else { return nil }
        var total = 0.0
        for (count, unit) in amounts {
            guard let seconds = seconds(of: unit) ?? longSeconds(of: unit) else { return nil }
            total += count * seconds
        }
        return total.isFinite ? total : nil
    }

    /// `1h30` as `1h30m`; other texts are returned unchanged.
    static func withMinutes(_ text: String) -> String {
        let (hours, minutes) = (text.dropLast(2), text.suffix(2))
        guard minutes.count == 2, let count = digits(minutes), count < 60, hours.last == "h",
            hours.dropLast().last?.isNumber == true
        else { return text }
        return text + "m"
    }

    /// Hours, minutes and seconds like `1:30:00`; two numbers would be ambiguous.
    private static func clock(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { NumberText.parse(String($0)) }
        guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
            hours >= 0, hours == hours.rounded(), minutes == minutes.rounded(), (0..<60).contains(minutes),
            (0..<60).contains(seconds)
        else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }

    /// The duration in its largest units: `1h 30m`.
    package static func text(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e12 else { return NumberText.text(seconds) }
        let whole = Int64(seconds)
        var parts: [String] = []
        if whole >= 3600 { parts.append("\(whole / 3600)h") }
        if whole / 60 % 60 > 0 { parts.append("\(whole / 60 % 60)m") }
        let rest = seconds - Double(whole / 60 * 60)
        if rest > 0 || parts.isEmpty { parts.append(NumberText.text(rest) + "s") }
        return parts.joined(separator: " ")
    }

    /// How long something lasts or is apart, as people say it: `1h 30m`, `3 days`, `more than a year`.
    ///
    /// A person compares such a span with the calendar, and nobody counts days in hours.
    package static func span(_ seconds: Double) -> String {
        let days = seconds / 86_400
        if days < 2 { return text(seconds) }
        return days <= 366 ? "\(Int(days)) days" : "more than a year"
    }

    /// How long to wait, as people say it. It is never less than the seconds.
    package static func wait(_ seconds: Double) -> String {
        let days = (seconds / 86_400).rounded(.up)
        return span(days > 2 ? days * 86_400 : seconds.rounded(.up))
    }

    /// The seconds of a unit with a fixed length.
    package static func seconds(of unit: Substring) -> Double? {
        switch unit {
        case "s", "sec", "secs", "second", "seconds": 1
        case "m", "min", "mins", "minute", "minutes": 60
        case "h", "hr", "hrs", "hour", "hours": 3600
        default: nil
        }
    }

    private static func longSeconds(of unit: Substring) -> Double? {
        switch unit {
        case "d", "day", "days": 86_400
        case "w", "week", "weeks": 604_800
        default: nil
        }
    }
}
