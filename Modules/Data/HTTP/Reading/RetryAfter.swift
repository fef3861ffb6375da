import TrendyDomain

/// Reads how long a server asks to wait.
enum RetryAfter {
    /// The longest wait that is believed, in seconds: a day. A server that says more is mistaken.
    static let longest = 86_400.0

    /// The seconds that a `Retry-After` field asks for: a number of them, or a date (RFC 9110, section 10.2.3).
    ///
    /// - Parameter now: The time by the clock that the date is from: the server's, where it tells it.
    static func seconds(_ header: String?, now: Timestamp) -> Double? {
        guard let text = header?.trimmed, !text.isEmpty else { return nil }
        if let number = Double(text) { return bounded(number) }
        return HTTPDate.timestamp(text, now: now).flatMap { bounded($0.seconds(since: now)) }
    }

    /// A wait within reason; nil for what is no number.
    static func bounded(_ seconds: Double?) -> Double? {
        guard let seconds, !seconds.isNaN else { return nil }
        return min(max(seconds, 0), longest)
    }
}

extension String {
    /// The text without blanks at its ends.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}
