extension StatisticalInsightGenerator {
    /// Says that there are no days to examine.
    func nothingLogged(_ input: InsightInput) -> Insight {
        let isTodayLogged = input.histories.contains { $0.days[input.today] > 0 }
        let days = input.histories.compactMap(\.days.days)
        let state =
            if isTodayLogged {
                "the first day is not over"
            } else if let first = days.map(\.lowerBound).min() {
                "nothing is logged so far, and the first event lies on \(input.dayText(first))"
            } else {
                "nothing has been logged"
            }
        return Insight(
            kind: .tooLittleData, sentence: "There is too little data for patterns yet: \(state); \(needed)",
            eventTypeIds: [], figures: needs)
    }

    /// Says that no examined day has an event, and which days have.
    private func nothingLately(_ input: InsightInput, _ period: ExaminedPeriod) -> Insight {
        let (place, figures) = whereabouts(input.histories, period)
        return Insight(
            kind: .tooLittleData,
            sentence: "There is too little data for patterns: nothing is logged between "
                + "\(period.dayText(period.first)) and \(period.dayText(period.last)); \(place)",
            eventTypeIds: [], figures: figures.merging(needs) { figure, _ in figure })
    }

    /// Says for which types there is too little data to find patterns; nothing where there is enough for all.
    func shortages(_ input: InsightInput, _ period: ExaminedPeriod) -> [Insight] {
        if period.series.isEmpty { return [nothingLately(input, period)] }
        let short = period.series.filter { !isTestable($0, period) }
        guard !short.isEmpty else { return elsewhere(input, period) }
        let isAll = short.count == period.series.count
        let sentence: String
        if isAll {
            let logged = short.map { series in series.counts.lazy.filter { $0 > 0 }.count }.max() ?? 0
            let state =
                period.count == 1
                ? "only one day is over" : "no type was logged on more than \(logged) of \(period.count) days"
            sentence = "There is too little data for patterns yet: \(state); \(needed)"
        } else {
            sentence = "There is too little data for patterns of \(Self.names(short.map(\.name))) yet; \(needed)"
        }
        return [
            Insight(kind: .tooLittleData, sentence: sentence, eventTypeIds: short.map(\.id), figures: needs)
        ] + elsewhere(input, period)
    }

    /// Says which types have events only outside the examined days, and when; empty where there are none.
    private func elsewhere(_ input: InsightInput, _ period: ExaminedPeriod) -> [Insight] {
        let examined = Set(period.series.map(\.id))
        let others = input.histories.filter { $0.days.total > 0 && !examined.contains($0.eventTypeId) }
            // What was logged today for the first time is no news.
            .filter { ($0.days.days?.lowerBound).map { $0 != input.today } ?? false }
        guard !others.isEmpty else { return [] }
        let (place, figures) = whereabouts(others, period)
        let names = Self.names(others.map(\.name))
        return [
            Insight(
                kind: .tooLittleData,
                sentence: "Nothing is logged of \(names) between \(period.dayText(period.first)) and "
                    + "\(period.dayText(period.last)); \(place)",
                eventTypeIds: others.map(\.eventTypeId), figures: figures)
        ]
    }

    /// Where the events of some types are, in words and figures.
    private func whereabouts(
        _ histories: [InsightInput.History], _ period: ExaminedPeriod
    ) -> (place: String, figures: [String: JSONValue]) {
        let total = histories.reduce(0) { $0 + $1.days.total }
        let days = histories.compactMap(\.days.days)
        let first = days.map(\.lowerBound).min() ?? period.first
        let last = days.map(\.upperBound).max() ?? period.last
        let lie = total == 1 ? "lies" : "lie"
        let (start, end) = (period.dayText(first), period.dayText(last))
        let place = first == last ? "on \(start)" : "between \(start) and \(end)"
        return (
            "\(counted(total, "event")) \(lie) \(place)",
            [
                "events": .integer(Int64(total)), "first_event_day": .string(first.description),
                Insight.lastEventDay: .string(last.description),
            ]
        )
    }

    private var needed: String {
        "it takes \(thresholds.minimumLoggedDays) days with an event, over at least \(thresholds.minimumDays) days"
    }

    private var needs: [String: JSONValue] {
        [
            "needed_logged_days": .integer(Int64(thresholds.minimumLoggedDays)),
            "needed_days": .integer(Int64(thresholds.minimumDays)),
        ]
    }
}
