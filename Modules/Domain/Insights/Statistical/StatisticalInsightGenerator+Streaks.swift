extension StatisticalInsightGenerator {
    /// The types that have been logged some days in a row up to now, the longest row first.
    func streaks(_ input: InsightInput) -> [Insight] {
        let found = input.histories.compactMap { history -> (length: Int, insight: Insight)? in
            let streaks = Streaks(history.days, today: input.today)
            guard let current = streaks.current, let longest = streaks.longest,
                current.length >= thresholds.minimumStreak
            else { return nil }
            let figures: [String: JSONValue] = [
                "days": .integer(Int64(current.length)), "since": .string(current.first.description),
                "longest_days": .integer(Int64(longest.length)), "is_today_logged": .boolean(streaks.isTodayLogged),
            ]
            let end = streaks.isTodayLogged ? "" : ", up to yesterday"
            // Of equal ones the current one is the latest, and stands for all.
            let record =
                longest == current
                ? "no streak was longer"
                : "the longest was \(longest.length), up to \(longest.last)"
            let sentence =
                "You have logged \(history.name) \(current.length) days in a row, "
                + "since \(current.first)\(end): \(record)"
            let insight = Insight(
                kind: .streak, sentence: sentence, eventTypeIds: [history.eventTypeId], figures: figures)
            return (current.length, insight)
        }
        return found.sorted { $0.length > $1.length }.map(\.insight)
    }
}
