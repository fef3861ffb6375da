import TrendyDomain

extension TrendReport {
    /// Looks at how many events of a type there were.
    ///
    /// - Parameters:
    ///   - name: What is looked at, in words.
    ///   - tally: All events that are looked at.
    ///   - first: The first day that may be looked at.
    init(
        of type: EventType, _ name: String, _ tally: EventTally, by period: CalendarPeriod, from first: CalendarDay,
        today: CalendarDay
    ) {
        // What was not there yet is no zero: a line begins with the first event.
        let start = max(first, tally.days.days?.lowerBound ?? first)
        self.init(
            type: type, measure: nil, subject: TextTable.singleLine(name),
            series: tally.trend(by: period, from: start, today: today),
            isEmpty: tally.days.total(in: first...today) == 0)
    }

    /// Looks at the values of a property, or at the time of events.
    ///
    /// - Throws: ``CommandFailure`` for a property that is neither a number nor a duration, and for values that come to
    ///   more than a number can be.
    init(
        of measure: Measure, of type: EventType, _ name: String, by period: CalendarPeriod, aggregation: Aggregation,
        from first: CalendarDay, in histories: Histories
    ) throws {
        let values: ValueTally
        switch measure {
        case .property(let definition):
            values = try histories.values(of: definition, of: type, keepsValues: aggregation == .median)
        case .time: values = try histories.lengths(of: type.id, scale: 1.0 / 60, keepsValues: aggregation == .median)
        }
        self.init(
            of: measure, of: type, name, values, by: period, aggregation: aggregation, from: first, histories.today)
        // Seconds are shown beside minutes.
        let unit = measure.isDuration ? 60.0 : 1
        try measure.requireFinite(series.points.map { point in point.value.map { $0 * unit } }, of: type)
    }

    /// Looks at values that are collected already, durations in minutes.
    init(
        of measure: Measure, of type: EventType, _ name: String, _ values: ValueTally, by period: CalendarPeriod,
        aggregation: Aggregation, from first: CalendarDay, _ today: CalendarDay
    ) {
        let start = max(first, values.days?.lowerBound ?? first)
        self.init(
            type: type, measure: measure,
            subject: TextTable.singleLine("\(measure.title) of \(name)"),
            series: values.trend(by: period, aggregation: aggregation, from: start, today: today),
            isEmpty: values.value(in: first...today, aggregation: .mean) == nil)
    }
}

extension Histories {
    /// Collects the values of a property: numbers as they are, durations in minutes.
    ///
    /// - Parameter step: Called for each value; what it throws ends the reading.
    /// - Throws: ``CommandFailure`` for a property that is neither.
    func values(
        of definition: PropertyDefinition, of type: EventType, keepsValues: Bool = false,
        _ step: () throws -> Void = {}
    ) throws -> ValueTally {
        try definition.requireNumbers(for: "a trend")
        let isDuration = definition.propertyType == .duration
        return try values(
            of: definition.key, type: type.id, scale: isDuration ? 1.0 / 60 : 1,
            keepsValues: keepsValues, step)
    }
}
