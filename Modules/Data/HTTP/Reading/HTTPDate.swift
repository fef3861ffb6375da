import TrendyDomain

/// Reads the dates in header fields.
enum HTTPDate {
    /// The moment of the one form of date that senders must use (RFC 9110, section 5.6.7):
    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func timestamp(_ text: String) -> Timestamp? {
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
