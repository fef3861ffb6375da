/// A time of day: `9:15`, `14:30:05`, `9am`, `9:30pm`, `8.30uhr`.
package struct ClockTime {
    private var hour: Int
    private var minute = 0
    private var second = 0
    private var millisecond = 0

    /// Reads a time of day in lower case; nil for other texts.
    package init?(_ word: Substring) {
        if word == "noon" || word == "midnight" {
            hour = word == "noon" ? 12 : 0
            return
        }
        var text = word
        var half: Substring?
        if text.hasSuffix("am") || text.hasSuffix("pm") {
            half = text.suffix(2)
            text = text.dropLast(2)
        }
        let isGerman = half == nil && text.hasSuffix("uhr")
        if isGerman { text = text.dropLast(3) }
        let separator: Character = isGerman && !text.contains(":") ? "." : ":"
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts.count > 1 || half != nil || isGerman, parts[0].count <= 2,
            let hour = digits(parts[0])
        else { return nil }
        self.hour = hour
        if parts.count > 1 {
            guard parts[1].count == 2, let minute = digits(parts[1]) else { return nil }
            self.minute = minute
        }
        if parts.count > 2 {
            guard readSeconds(parts[2]) else { return nil }
        }
        if let half {
            guard (1...12).contains(hour) else { return nil }
            self.hour = hour % 12 + (half == "pm" ? 12 : 0)
        }
        guard self.hour < 24, minute < 60, second < 60 else { return nil }
    }

    private mutating func readSeconds(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts[0].count == 2, let second = digits(parts[0]) else { return false }
        self.second = second
        guard parts.count == 2 else { return true }
        guard digits(parts[1].prefix(18)) != nil else { return false }
        let three = (parts[1] + "00").prefix(3)
        millisecond = digits(three) ?? 0
        return true
    }

    /// The civil time on a day.
    package func set(on civil: inout CivilTime) {
        civil.hour = hour
        civil.minute = minute
        civil.second = second
        civil.millisecond = millisecond
    }
}
