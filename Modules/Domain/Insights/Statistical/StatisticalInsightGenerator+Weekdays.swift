extension StatisticalInsightGenerator {
    /// The types that are logged on some weekdays more often, or more rarely, than on others.
    func weekdays(_ period: ExaminedPeriod) -> [Insight] {
        let candidates = period.series.filter { isTestable($0, period) }
            .flatMap { WeekdayPattern.candidates($0, period) }
        let claims = FalseDiscovery.claims(candidates, rate: thresholds.falseDiscoveryRate, pValue: \.pValue)
            .filter { $0.ratio >= thresholds.minimumRatio || $0.ratio <= 1 / thresholds.minimumRatio }
        // The most significant one leads; those of the same type that say the same go into its sentence.
        var told: Set<String> = []
        return claims.compactMap { claim in
            guard told.insert(claim.series.id).inserted else { return nil }
            let same = claims.filter { $0.series.id == claim.series.id && $0.agrees(with: claim) }
            return insight(same)
        }
    }

    private func insight(_ same: [WeekdayPattern]) -> Insight? {
        guard let lead = same.first else { return nil }
        let days = Set(same.flatMap(\.weekdays))
        let together = lead.widened(to: days)
        let (observed, expected) = (together.observed, together.expected)
        let isMore = lead.ratio > 1
        let sentence: String
        switch lead.measure {
        case .days:
            let often = isMore ? (observed * 2 >= Double(lead.loggedDays) ? "mostly" : "more often") : "rarely"
            sentence =
                "You log \(lead.series.name) \(often) \(Self.names(days)): \(figure(observed)) of "
                + "\(lead.loggedDays) days, against \(figure(expected)) expected"
        case .amount:
            sentence =
                "You log \(lead.series.name) \(isMore ? "more" : "less") \(Self.names(days)): "
                + "\(figure(observed)) a day, against \(figure(expected)) on other days"
        }
        return Insight(
            kind: .weekday, sentence: sentence, eventTypeIds: [lead.series.id],
            figures: [
                "weekdays": .array(days.sorted().map { .string($0.description.lowercased()) }),
                "measure": .string(lead.measure.rawValue), "observed": .number(observed),
                "expected": .number(expected), "n": .integer(Int64(lead.loggedDays)),
                "p_value": .number(lead.pValue),
            ])
    }

    private static func names(_ days: Set<Weekday>) -> String {
        days == [.saturday, .sunday] ? "at weekends" : "on " + listed(days.sorted().map { "\($0)s" })
    }
}
