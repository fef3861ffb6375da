import TrendyDomain

extension TrendReport {
    /// Looks at how many events of a type there were.
    ///
    /// - Parameters:
    ///   - tally: All events of the type.
    ///   - first: The first day that may be looked at.
    init(
        of type: EventType, _ tally: EventTally, by period: CalendarPeriod, from first: CalendarDay, today: CalendarDay
    ) {
        // What was not there yet is no zero: a line begins with the first event.
        let start = max(first, tally.days.days?.lowerBound ?? first)
        self.init(
            type: type, property: nil, subject: TextTable.singleLine(type.name),
            series: tally.trend(by: period, from: start, today: today))
    }

    /// Looks at the values of a property.
    ///
    /// - Throws: ``CommandFailure`` for a property that is neither a number nor a duration.
    init(
        of definition: PropertyDefinition, of type: EventType, by period: CalendarPeriod, aggregation: Aggregation,
        from first: CalendarDay, in histories: Histories
    ) throws {
        let values = try histories.values(of: definition, of: type)
        self.init(of: definition, of: type, values, by: period, aggregation: aggregation, from: first, histories.today)
    }

    /// Looks at the values of a property that are collected already.
    init(
        of definition: PropertyDefinition, of type: EventType, _ values: ValueTally, by period: CalendarPeriod,
        aggregation: Aggregation, from first: CalendarDay, _ today: CalendarDay
    ) {
        let start = max(first, values.days?.lowerBound ?? first)
        let unit = definition.propertyType == .duration ? " (minutes)" : ""
        self.init(
            type: type, property: definition.key,
            subject: TextTable.singleLine("\(definition.key) of \(type.name)") + unit,
            series: values.trend(by: period, aggregation: aggregation, from: start, today: today))
    }
}

extension Histories {
    /// Collects the values of a property: numbers as they are, durations in minutes.
    ///
    /// - Parameter step: Called for each value; what it throws ends the reading.
    /// - Throws: ``CommandFailure`` for a property that is neither.
    func values(
        of definition: PropertyDefinition, of type: EventType, _ step: () throws -> Void = {}
    ) throws -> ValueTally {
        guard [.number, .duration].contains(definition.propertyType) else {
            throw CommandFailure.data(
                "the property '\(definition.key)' is a \(definition.propertyType); a trend needs a number or a duration"
            )
        }
        let isDuration = definition.propertyType == .duration
        return try values(of: definition.key, type: type.id, scale: isDuration ? 1.0 / 60 : 1, step)
    }
}
