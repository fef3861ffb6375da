extension StatisticalInsightGenerator {
    /// The facts about the streak of a type.
    private struct Facts: Hashable {
        let current: Streak
        let isTodayLogged: Bool
        let longest: Streak
    }

    /// The types that have been logged some days in a row up to now, the longest row first; those with the same row
    /// together.
    func streaks(_ input: InsightInput) -> [Insight] {
        let found = input.histories.compactMap { history -> (history: InsightInput.History, facts: Facts)? in
            let streaks = Streaks(history.days, today: input.today)
            guard let current = streaks.current, let longest = streaks.longest,
                current.length >= thresholds.minimumStreak
            else { return nil }
            return (history, Facts(current: current, isTodayLogged: streaks.isTodayLogged, longest: longest))
        }
        return found.grouped(by: \.facts).sorted { $0[0].facts.current.length > $1[0].facts.current.length }
            .map { group in insight(group[0].facts, of: group.map(\.history), input.dayText) }
    }

    private func insight(
        _ facts: Facts, of histories: [InsightInput.History], _ dayText: (CalendarDay) -> String
    ) -> Insight {
        let (current, longest) = (facts.current, facts.longest)
        let names = Self.names(histories.map(\.name))
        let each = histories.count > 1 ? " each" : ""
        let end = facts.isTodayLogged ? "" : ", up to \(dayText(current.last))"
        // Of equal ones the current one is the latest, and stands for all.
        let record =
            longest == current
            ? "no streak was longer"
            : "the longest was \(counted(longest.length, "day")), up to \(dayText(longest.last))"
        return Insight(
            kind: .streak,
            sentence: "You have logged \(names)\(each) \(counted(current.length, "day")) in a row, "
                + "since \(dayText(current.first))\(end): \(record)",
            eventTypeIds: histories.map(\.eventTypeId),
            figures: [
                "days": .integer(Int64(current.length)), "since": .string(current.first.description),
                "longest_days": .integer(Int64(longest.length)), "is_today_logged": .boolean(facts.isTodayLogged),
            ])
    }
}
