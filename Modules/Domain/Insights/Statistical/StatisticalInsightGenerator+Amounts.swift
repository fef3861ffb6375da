extension StatisticalInsightGenerator {
    /// A property and how often another type is logged, on the same day or one the day after the other.
    private struct Candidate {
        let property: AmountSeries
        let type: ExaminedPeriod.Series
        /// How many days after the events the property is looked at: before them where it is negative.
        let lag: Int
        let association: AmountAssociation

        /// Whether both are about the same property and type, and say that it is higher, or lower, alike.
        func resembles(_ other: Candidate) -> Bool {
            property.place == other.property.place && type.id == other.type.id
                && (association.strength > 0) == (other.association.strength > 0)
        }
    }

    /// The properties whose values are higher, or lower, the more often another type is logged on the same day, the day
    /// before or the day after.
    ///
    /// Of several claims with the same direction about a property and a type, only the strongest is returned.
    func amounts(_ period: ExaminedPeriod) throws -> [Insight] {
        let compared = compared(period)
        var candidates: [Candidate] = []
        for property in properties(period) {
            try Task.checkCancellation()
            for type in compared where type.id != property.series.id {
                candidates += [0, 1, -1].compactMap { candidate(property, type, $0, period) }
            }
        }
        let claims = FalseDiscovery.claims(candidates, rate: thresholds.falseDiscoveryRate) { $0.association.pValue }
            .filter { claim in
                let (rank, linear) = (claim.association.strength, claim.association.correlation)
                // Where one extreme day turns a figure that is told around, nothing is told.
                return abs(rank) >= thresholds.minimumStrength && (rank > 0) == (linear > 0)
                    && (claim.association.meanAbove > claim.association.meanBelow) == (rank > 0)
            }
        let told = claims.filter { claim in
            !claims.contains {
                $0.resembles(claim) && abs($0.association.strength) > abs(claim.association.strength)
            }
        }
        return told.map(insight)
    }

    /// The properties with values on enough days, those with the most days.
    private func properties(_ period: ExaminedPeriod) -> [AmountSeries] {
        let all = period.series.flatMap { series in
            series.history.properties.map { (series: series, property: $0) }
        }
        return all.enumerated().map { AmountSeries($1.property, of: $1.series, place: $0, period) }
            .filter { $0.count >= thresholds.minimumValueDays }
            .sorted { $0.count > $1.count }
            .prefix(thresholds.maximumComparedTypes).map(\.self)
    }

    /// Nil where there are too few days with both, or one of them is the same on all.
    private func candidate(
        _ property: AmountSeries, _ type: ExaminedPeriod.Series, _ lag: Int, _ period: ExaminedPeriod
    ) -> Candidate? {
        let (later, earlier) = (max(0, lag), max(0, -lag))
        var logged = 0
        let days = period.days(from: type.start, lag: abs(lag)).compactMap { index -> AmountAssociation.Day? in
            guard let value = property.values[index + later] else { return nil }
            let count = type.counts[index + earlier]
            if count > 0 { logged += 1 }
            // What comes first divides the days.
            let (first, second) = lag < 0 ? (value, Double(count)) : (Double(count), value)
            return AmountAssociation.Day(
                place: index - type.start, weekday: period.day(index).weekday, first: first, second: second)
        }
        guard days.count >= thresholds.minimumValueDays, logged >= thresholds.minimumLoggedDays,
            let association = AmountAssociation(days)
        else { return nil }
        return Candidate(property: property, type: type, lag: lag, association: association)
    }

    private func insight(_ found: Candidate) -> Insight {
        let association = found.association
        let (type, property) = (found.type.name, found.property)
        let isMore = association.correlation > 0
        let threshold = association.threshold
        let start: String
        let (above, below): (String, String)
        if found.lag < 0 {
            start = "The day after a higher \(property.name), you log \(type) \(isMore ? "more" : "less") often"
            let line = property.figure(threshold)
            above = "\(figure(association.meanAbove)) times a day after more than \(line)"
            below = "\(figure(association.meanBelow)) after \(line) or less"
        } else {
            let day = found.lag == 0 ? "On days with more \(type)" : "The day after more \(type)"
            start = "\(day), \(property.name) is \(isMore ? "higher" : "lower")"
            let times = counted(Int(threshold), "time")
            let (many, few) =
                threshold == 0 ? ("with it", "without") : ("with it more than \(times)", "with it less often")
            above = "\(property.figure(association.meanAbove)) on average \(found.lag == 0 ? "" : "after days ")\(many)"
            below = "\(property.figure(association.meanBelow)) \(few)"
        }
        let r = figure(association.correlation)
        let sentence =
            "\(start): \(above), against \(below) (r = \(r), n = \(counted(association.count, "day")))"
        return Insight(
            kind: .amount, sentence: sentence, detail: Self.likelihood(association.pValue),
            eventTypeIds: [property.series.id, found.type.id],
            figures: [
                "property": .string(property.key), "property_days_later": .integer(Int64(found.lag)),
                "correlation": .number(association.correlation), "strength": .number(association.strength),
                "threshold": .number(threshold), "mean_above": .number(association.meanAbove),
                "mean_below": .number(association.meanBelow), "n": .integer(Int64(association.count)),
                "p_value": .number(association.pValue),
            ])
    }
}

/// The values of a property on the days of a period: the mean of each day.
private struct AmountSeries {
    let series: ExaminedPeriod.Series
    let key: String
    /// Which property it is, among all.
    let place: Int
    /// The mean of the values of each day; nil on days without any.
    let values: [Double?]
    /// How many days have a value.
    let count: Int
    private let unit: String

    init(
        _ property: InsightInput.Property, of series: ExaminedPeriod.Series, place: Int, _ period: ExaminedPeriod
    ) {
        self.series = series
        self.place = place
        (key, unit) = (property.key, property.unit)
        values = (0..<period.count).map { index in
            let day = period.day(index)
            return property.values.value(in: day...day, aggregation: .mean)
        }
        count = values.lazy.filter { $0 != nil }.count
    }

    /// The name in sentences: `'hours' of sleep`.
    var name: String { "'\(key)' of \(series.name)" }

    /// A value with its unit.
    func figure(_ value: Double) -> String { TrendyDomain.figure(value) + unit }
}
