import TrendyNotation

/// Lengths of time as other programs write them.
enum WrittenLength {
    /// A length of ISO 8601, as `PT1H30M`, in seconds, which properties take; any other text as it is.
    static func plain(_ text: String) -> String {
        guard text.contains(where: \.isNumber), let length = CalendarDuration(Names.trimmed(text)) else { return text }
        let seconds = length.days * 86_400 + length.seconds
        return seconds < 0 ? text : String(seconds)
    }
}
