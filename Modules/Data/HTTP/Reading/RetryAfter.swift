import TrendyDomain

/// Reads how long a server asks to wait.
enum RetryAfter {
    /// The longest wait that is believed, in seconds: a day. A server that says more is mistaken.
    static let longest = 86_400.0

    /// The seconds that a `Retry-After` field asks for: a number of them, or a date (RFC 9110, section 10.2.3).
    static func seconds(_ header: String?, now: Timestamp) -> Double? {
        guard let text = header?.trimmed, !text.isEmpty else { return nil }
        if let number = Double(text) { return bounded(number) }
        return date(text).flatMap { bounded($0.seconds(since: now)) }
    }

    /// A wait within reason; nil for what is no number.
    static func bounded(_ seconds: Double?) -> Double? {
        guard let seconds, !seconds.isNaN else { return nil }
        return min(max(seconds, 0), longest)
    }

    /// Reads the one form of date that senders must use: `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func date(_ text: String) -> Timestamp? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", parts[1].count == 2,
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return Timestamp("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

extension String {
    /// The text without blanks at its ends.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}
