extension StatisticalInsightGenerator {
    private struct Candidate {
        let first: ExaminedPeriod.Series
        let second: ExaminedPeriod.Series
        /// How many days after the first the second is looked for.
        let lag: Int
        let association: StratifiedAssociation

        /// Whether the shares of all days differ in the direction that the strata show. The sentence tells the shares.
        var isAsShared: Bool {
            let (both, alone) = (association.both, association.second - association.both)
            let others = association.count - association.first
            return (both * others > alone * association.first) == (association.strength > 0)
        }

        /// Whether both are about the same types, and say more, or less, of them alike.
        func resembles(_ other: Candidate) -> Bool {
            Set([first.id, second.id]) == Set([other.first.id, other.second.id])
                && (association.strength > 0) == (other.association.strength > 0)
        }
    }

    /// The pairs of types that are logged on the same days, or one the day after the other, more often, or more rarely,
    /// than chance explains.
    ///
    /// A pair that lasts for days stands out on the next day too. Of several claims with the same direction about a pair,
    /// only the strongest is returned.
    func correlations(_ period: ExaminedPeriod) throws -> [Insight] {
        let compared = compared(period)
        var (same, next): ([Candidate], [Candidate]) = ([], [])
        for (index, first) in compared.enumerated() {
            try Task.checkCancellation()
            for second in compared[(index + 1)...] {
                if let found = candidate(first, second, 0, period) { same.append(found) }
                for (first, second) in [(first, second), (second, first)] {
                    if let found = candidate(first, second, 1, period) { next.append(found) }
                }
            }
        }
        let claims = (claims(same) + claims(next)).sorted { $0.association.pValue < $1.association.pValue }
        let told = claims.filter { claim in
            !claims.contains {
                $0.resembles(claim) && abs($0.association.strength) > abs(claim.association.strength)
            }
        }
        return told.filter { $0.lag == 0 }.map(sameDay) + told.filter { $0.lag == 1 && $0.isAsShared }.map(nextDay)
    }

    /// The types that are compared with each other, those with the most days.
    func compared(_ period: ExaminedPeriod) -> [ExaminedPeriod.Series] {
        period.series.filter { isTestable($0, period) }
            .map { series in (series: series, days: series.counts.lazy.filter { $0 > 0 }.count) }
            .sorted { $0.days > $1.days }
            .prefix(thresholds.maximumComparedTypes).map(\.series)
    }

    private func claims(_ candidates: [Candidate]) -> [Candidate] {
        FalseDiscovery.claims(candidates, rate: thresholds.falseDiscoveryRate) { $0.association.pValue }
            .filter { abs($0.association.strength) >= thresholds.minimumStrength }
    }

    /// Nil where there are too few days.
    private func candidate(
        _ first: ExaminedPeriod.Series, _ second: ExaminedPeriod.Series, _ lag: Int, _ period: ExaminedPeriod
    ) -> Candidate? {
        let association = StratifiedAssociation(days(first, second, lag, period))
        guard association.isTestable, association.count >= thresholds.minimumDays,
            min(association.first, association.second) >= thresholds.minimumLoggedDays
        else { return nil }
        return Candidate(first: first, second: second, lag: lag, association: association)
    }

    /// The days on which both could have been logged, in strata of a weekday and about four weeks.
    private func days(
        _ first: ExaminedPeriod.Series, _ second: ExaminedPeriod.Series, _ lag: Int, _ period: ExaminedPeriod
    ) -> [StratifiedAssociation.Day] {
        let start = max(first.start, second.start)
        let weeks = (period.count - start + 6) / 7
        let blocks = max(1, (weeks + 2) / 4)
        let weeksInBlock = max(1, (weeks + blocks - 1) / blocks)
        return period.days(from: start, lag: lag).map { index in
            let place = index - start
            return StratifiedAssociation.Day(
                stratum: place / 7 / weeksInBlock * 7 + place % 7, place: place,
                first: first.counts[index] > 0, second: second.counts[index + lag] > 0)
        }
    }

    private func sameDay(_ found: Candidate) -> Insight {
        let association = found.association
        let isSwapped = association.second < association.first
        let (rarer, other) = isSwapped ? (found.second, found.first) : (found.first, found.second)
        let days = min(association.first, association.second)
        let often = association.strength > 0 ? "more" : "less"
        let sentence =
            "You log \(rarer.name) and \(other.name) on the same day \(often) often than by chance: "
            + "\(association.both) of \(days) days with \(rarer.name), "
            + "against \(figure(association.expected)) expected "
            + "(strength \(figure(association.strength)), n = \(association.count) days)"
        return Insight(
            kind: .correlation, sentence: sentence, detail: Self.likelihood(association.pValue),
            eventTypeIds: [rarer.id, other.id],
            figures: [
                "days_with_both": .integer(Int64(association.both)), "days_with_first": .integer(Int64(days)),
                "days_with_second": .integer(Int64(max(association.first, association.second))),
                "expected": .number(association.expected), "strength": .number(association.strength),
                "n": .integer(Int64(association.count)), "p_value": .number(association.pValue),
            ])
    }

    private func nextDay(_ found: Candidate) -> Insight {
        let association = found.association
        let (first, second) = (found.first, found.second)
        let others = association.count - association.first
        let alone = association.second - association.both
        let often = association.strength > 0 ? "more" : "less"
        let sentence =
            "The day after \(first.name) you log \(second.name) \(often) often than by chance: after "
            + "\(association.both) of \(counted(association.first, "day")) with \(first.name) "
            + "(\(Self.percent(association.both, of: association.first))), against \(alone) of "
            + "\(counted(others, "day")) without it (\(Self.percent(alone, of: others)))"
        return Insight(
            kind: .nextDay, sentence: sentence, detail: Self.likelihood(association.pValue),
            eventTypeIds: [first.id, second.id],
            figures: [
                "days_with_first": .integer(Int64(association.first)),
                "days_followed": .integer(Int64(association.both)),
                "days_without_first": .integer(Int64(others)),
                "days_followed_without_first": .integer(Int64(alone)),
                "expected": .number(association.expected), "strength": .number(association.strength),
                "n": .integer(Int64(association.count)), "p_value": .number(association.pValue),
            ])
    }

    private static func percent(_ part: Int, of whole: Int) -> String {
        "\(Int((100 * Double(part) / Double(max(1, whole))).rounded())) %"
    }
}
