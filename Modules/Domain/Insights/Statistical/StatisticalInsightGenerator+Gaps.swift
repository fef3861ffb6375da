extension StatisticalInsightGenerator {
    private struct Candidate {
        let series: ExaminedPeriod.Series
        let gap: Gap
        let longest: Int
        let pValue: Double
    }

    /// The types that have not been logged for longer than ever, and longer than chance explains.
    ///
    /// Where nothing at all was logged lately, one insight says so instead.
    func gaps(_ input: InsightInput, _ period: ExaminedPeriod) -> [Insight] {
        if period.silence > 0, !input.histories.contains(where: { $0.days[input.today] > 0 }) {
            return [silence(input, period)]
        }
        let candidates = period.series.filter { isTestable($0, period) }.compactMap { candidate($0, input, period) }
        let claims = FalseDiscovery.claims(candidates, rate: thresholds.falseDiscoveryRate, pValue: \.pValue)
        return claims.filter { $0.gap.length > $0.longest }.grouped(by: \.gap.length)
            .map { insight($0, input.dayText) }
    }

    private func silence(_ input: InsightInput, _ period: ExaminedPeriod) -> Insight {
        // It may be from before the days that are compared.
        let last = input.histories.compactMap { $0.days.lastDay(before: input.today) }.max() ?? period.first
        let length = last.distance(to: input.today) - 1
        return Insight(
            kind: .gap, sentence: "You have logged nothing for \(counted(length, "day")), since \(input.dayText(last))",
            eventTypeIds: [], figures: ["days": .integer(Int64(length)), "since": .string(last.description)])
    }

    private func candidate(
        _ series: ExaminedPeriod.Series, _ input: InsightInput, _ period: ExaminedPeriod
    ) -> Candidate? {
        let gaps = Gaps(series.history.days, today: input.today)
        guard let first = series.history.days.days?.lowerBound, let gap = gaps.current,
            // Given up, rather than interrupted: nothing that is news each day.
            gap.length <= first.distance(to: gap.after)
        else { return nil }
        let isLogged = period.keptDays(of: series).map { series.counts[$0] > 0 }
        let open = isLogged.reversed().prefix { !$0 }.count
        return Candidate(
            series: series, gap: gap, longest: gaps.longest?.length ?? 0,
            pValue: Self.chance(ofGap: open, after: isLogged.dropLast(open)))
    }

    /// How likely something has not been logged for so many days; the larger of two likelihoods.
    ///
    /// One takes each day as independent of the one before. One takes how gaps ended so far, for what is done for some
    /// days and then not for others: of the days in a gap, how many were followed by a day with an event. What is known
    /// of that before the first gap is worth two days: as many endings as there are events on other days.
    private static func chance(ofGap length: Int, after days: ArraySlice<Bool>) -> Double {
        guard length > 0 else { return 1 }
        let logged = Double(days.lazy.filter { $0 }.count)
        let unlogged = Double(days.count) - logged
        let endings = Double(zip(days, days.dropFirst()).lazy.filter { !$0 && $1 }.count)
        let share = (logged + 1) / (logged + unlogged + 2)
        return max(
            chance(ofMisses: length, hits: logged + 1, misses: unlogged + 1),
            chance(
                ofMisses: length - 1, hits: endings + 2 * share, misses: unlogged - endings + 2 * (1 - share)))
    }

    /// How likely so many misses in a row are, after so many hits and misses with the same unknown chance.
    ///
    /// The chance is averaged over what it may be, after these hits and misses: the number of misses is beta-geometric.
    /// One hit and one miss more than were seen is Laplace's rule of succession.
    private static func chance(ofMisses count: Int, hits: Double, misses: Double) -> Double {
        (0..<count).reduce(1) { chance, step in
            chance * (misses + Double(step)) / (hits + misses + Double(step))
        }
    }

    /// The insight about types that have not been logged since the same day.
    private func insight(_ found: [Candidate], _ dayText: (CalendarDay) -> String) -> Insight {
        let gap = found[0].gap
        let longest = found.map(\.longest).max() ?? 0
        let of = found.count > 1 ? " of any of them" : ""
        let record =
            longest == 0
            ? "there was no gap\(of) before" : "the longest gap\(of) before was \(counted(longest, "day"))"
        let pValue = found.map(\.pValue).max() ?? 1
        return Insight(
            kind: .gap,
            sentence: "You have not logged \(Self.names(found.map(\.series.name))) for \(counted(gap.length, "day")), "
                + "since \(dayText(gap.after)): \(record)",
            detail: Self.likelihood(pValue), eventTypeIds: found.map(\.series.id),
            figures: [
                "days": .integer(Int64(gap.length)), "since": .string(gap.after.description),
                "longest_before_days": .integer(Int64(longest)), "p_value": .number(pValue),
            ])
    }
}
