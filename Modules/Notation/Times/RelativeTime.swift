package import TrendyDomain

/// The distance of a moment from now, in words.
package enum RelativeTime {
    /// The maximum width of the text within a day, in columns.
    package static let width = 10

    /// `just now`, `5 min ago`, `3 h ago`, `2 days ago`; `in 5 min` for the future.
    ///
    /// Units are whole and rounded down; a day has 24 hours.
    package static func text(_ moment: Timestamp, now: Timestamp) -> String {
        let minutes = abs(now.milliseconds - moment.milliseconds) / 60_000
        if minutes == 0 { return "just now" }
        let length =
            minutes < 60 ? "\(minutes) min" : minutes < 25 * 60 ? "\(minutes / 60) h" : "\(minutes / 1440) days"
        let plural = minutes / 1440 == 1 && minutes >= 25 * 60 ? "1 day" : length
        return moment > now ? "in \(plural)" : "\(plural) ago"
    }
}
