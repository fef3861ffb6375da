extension StatisticalInsightGenerator {
    /// The types that are logged on some weekdays more often, or more rarely, than on others.
    func weekdays(_ period: ExaminedPeriod) -> [Insight] {
        let candidates = period.series.filter { isTestable($0, period) }
            .flatMap { WeekdayPattern.candidates($0, period) }
        let claims = FalseDiscovery.claims(candidates, rate: thresholds.falseDiscoveryRate, pValue: \.pValue)
            .filter { $0.ratio >= thresholds.minimumRatio || $0.ratio <= 1 / thresholds.minimumRatio }
        // The most significant one of a type leads; those of the same type that say the same go into its sentence.
        var told: Set<String> = []
        let findings = claims.compactMap { claim -> Finding? in
            guard told.insert(claim.series.id).inserted else { return nil }
            let same = claims.filter { $0.series.id == claim.series.id && $0.agrees(with: claim) }
            return Finding(claim.widened(to: Set(same.flatMap(\.weekdays))), isMore: claim.ratio > 1)
        }
        return findings.grouped(by: \.words).map(insight)
    }

    /// A type and its weekdays.
    private struct Finding {
        /// What types must have in common to share a sentence.
        struct Words: Hashable {
            let weekdays: Set<Weekday>
            let measure: WeekdayPattern.Measure
            let often: String
        }

        let pattern: WeekdayPattern
        let words: Words

        init(_ pattern: WeekdayPattern, isMore: Bool) {
            let often =
                switch pattern.measure {
                case .days where isMore: pattern.observed * 2 >= Double(pattern.loggedDays) ? "mostly" : "more often"
                case .days: "rarely"
                case .amount: isMore ? "more" : "less"
                }
            self.pattern = pattern
            words = Words(weekdays: pattern.weekdays, measure: pattern.measure, often: often)
        }
    }

    /// The insight about types with the same weekdays, with their figures added up.
    private func insight(_ findings: [Finding]) -> Insight {
        let patterns = findings.map(\.pattern)
        let words = findings[0].words
        let observed = patterns.reduce(0) { $0 + $1.observed }
        let expected = patterns.reduce(0) { $0 + $1.expected }
        let days = patterns.reduce(0) { $0 + $1.loggedDays }
        let pValue = patterns.map(\.pValue).max() ?? 1
        let figures =
            switch words.measure {
            case .days: "\(figure(observed)) of \(counted(days, "day")), against \(figure(expected)) expected"
            case .amount: "\(figure(observed)) a day, against \(figure(expected)) on other days"
            }
        return Insight(
            kind: .weekday,
            sentence: "You log \(Self.names(patterns.map(\.series.name))) \(words.often) "
                + "\(Self.names(words.weekdays)): \(figures)",
            detail: Self.likelihood(pValue), eventTypeIds: patterns.map(\.series.id),
            figures: [
                "weekdays": .array(words.weekdays.sorted().map { .string($0.description.lowercased()) }),
                "measure": .string(words.measure.rawValue), "observed": .number(observed),
                "expected": .number(expected), "n": .integer(Int64(days)), "p_value": .number(pValue),
            ])
    }

    private static func names(_ days: Set<Weekday>) -> String {
        days == [.saturday, .sunday] ? "at weekends" : "on " + listed(days.sorted().map { "\($0)s" })
    }
}
