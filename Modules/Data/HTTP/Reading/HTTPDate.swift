import TrendyDomain

/// Reads the dates in header fields, in the three forms that a recipient must know (RFC 9110, section 5.6.7).
enum HTTPDate {
    /// The moment of a date; nil where the text is none.
    ///
    /// - Parameter now: Decides on the century of a year with two digits: it is at most 50 years ahead.
    static func timestamp(_ text: String, now: Timestamp) -> Timestamp? {
        let parts = text.split { $0 == " " }
        switch parts.count {
        case 6 where parts[5] == "GMT" && parts[3].count == 4:
            // Sun, 06 Nov 1994 08:49:37 GMT
            return moment(year: parts[3], month: parts[2], day: parts[1], time: parts[4])
        case 4 where parts[3] == "GMT":
            // Sunday, 06-Nov-94 08:49:37 GMT
            let day = parts[1].split(separator: "-")
            guard day.count == 3, day[2].count == 2, let year = Int(day[2]) else { return nil }
            // The description begins with the year.
            let century = (Int(now.description.prefix(2)) ?? 20) * 100
            let candidates = [century + 100 + year, century + year, century - 100 + year].compactMap {
                moment(year: "\($0)", month: day[1], day: day[0], time: parts[2])
            }
            return candidates.first { $0.seconds(since: now) <= fiftyYears }
        case 5 where parts[4].count == 4:
            // Sun Nov  6 08:49:37 1994
            return moment(year: parts[4], month: parts[1], day: parts[2], time: parts[3])
        default: return nil
        }
    }

    private static let fiftyYears = 50 * 365.25 * 86_400

    private static func moment(
        year: some StringProtocol, month: some StringProtocol, day: some StringProtocol, time: some StringProtocol
    ) -> Timestamp? {
        guard let place = months.firstIndex(of: String(month)), (1...2).contains(day.count) else { return nil }
        func twoDigits(_ text: some StringProtocol) -> String { text.count < 2 ? "0\(text)" : String(text) }
        return Timestamp("\(year)-\(twoDigits("\(place + 1)"))-\(twoDigits(day))T\(time)Z")
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
