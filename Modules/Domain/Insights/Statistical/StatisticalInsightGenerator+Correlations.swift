extension StatisticalInsightGenerator {
    private struct Candidate {
        let first: ExaminedPeriod.Series
        let second: ExaminedPeriod.Series
        let association: StratifiedAssociation
    }

    /// The pairs of types that are logged on the same days more often, or more rarely, than chance explains.
    func correlations(_ period: ExaminedPeriod) throws -> [Insight] {
        let testable = period.series.filter { isTestable($0, period) }
            .map { series in (series: series, days: series.counts.lazy.filter { $0 > 0 }.count) }
            .sorted { $0.days > $1.days }
            .prefix(thresholds.maximumComparedTypes).map(\.series)
        var candidates: [Candidate] = []
        for (index, first) in testable.enumerated() {
            try Task.checkCancellation()
            for second in testable[(index + 1)...] {
                let association = StratifiedAssociation(days(first, second, period))
                if isTestable(association) {
                    candidates.append(Candidate(first: first, second: second, association: association))
                }
            }
        }
        let claims = FalseDiscovery.claims(candidates, rate: thresholds.falseDiscoveryRate) { $0.association.pValue }
        return claims.filter { abs($0.association.strength) >= thresholds.minimumStrength }.map(insight)
    }

    private func isTestable(_ association: StratifiedAssociation) -> Bool {
        association.isTestable && association.count >= thresholds.minimumDays
            && min(association.first, association.second) >= thresholds.minimumLoggedDays
    }

    /// The days on which both could have been logged, in strata of a weekday and about four weeks.
    private func days(
        _ first: ExaminedPeriod.Series, _ second: ExaminedPeriod.Series, _ period: ExaminedPeriod
    ) -> [StratifiedAssociation.Day] {
        let start = max(first.start, second.start)
        let weeks = (period.count - start + 6) / 7
        let blocks = max(1, (weeks + 2) / 4)
        let weeksInBlock = max(1, (weeks + blocks - 1) / blocks)
        return (start..<period.count).filter { period.isKept[$0] }.map { index in
            let place = index - start
            return StratifiedAssociation.Day(
                stratum: place / 7 / weeksInBlock * 7 + place % 7, place: place,
                first: first.counts[index] > 0, second: second.counts[index] > 0)
        }
    }

    private func insight(_ found: Candidate) -> Insight {
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
            kind: .correlation, sentence: sentence, eventTypeIds: [rarer.id, other.id],
            figures: [
                "days_with_both": .integer(Int64(association.both)), "days_with_first": .integer(Int64(days)),
                "days_with_second": .integer(Int64(max(association.first, association.second))),
                "expected": .number(association.expected), "strength": .number(association.strength),
                "n": .integer(Int64(association.count)), "p_value": .number(association.pValue),
            ])
    }
}
