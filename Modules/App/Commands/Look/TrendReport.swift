import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

extension TrendReport {
    /// Writes the chart, or JSON with `--json`.
    ///
    /// - Parameters:
    ///   - days: The period.
    ///   - empty: The answer if the period has no events.
    func write(
        to context: CommandContext, on screen: Screen, days: ClosedRange<CalendarDay>, empty: EmptyPeriod?
    ) throws {
        if context.wantsJSON { return try context.output.json(TrendJSON(self, days, empty?.others)) }
        try context.show(lines(screen), or: empty, on: screen)
    }

    private func lines(_ screen: Screen) -> [String] {
        let color = RGBColor(hex: type.color)
        let chart = LineChart(
            points: series.points.map {
                .init(label: Self.label($0.bucket), value: $0.value, average: $0.movingAverage)
            },
            color: color, isWhole: isCount
        ).lines(screen)
        var head = LineBuilder(screen)
        let way = property == nil ? "" : ", \(series.aggregation.rawValue)"
        head.add("\(title) by \(series.period.rawValue)\(way), since \(first)") { screen.style.bold($0) }
        return [head.line, ""] + chart + ["", legend(screen, color), ""]
            + TextWrap.lines(statement, columns: screen.width)
    }

    private func legend(_ screen: Screen, _ color: RGBColor?) -> String {
        let isASCII = screen.glyphs.isASCII
        var line = LineBuilder(screen)
        line.add(LineChart.valueMark(isASCII)) { screen.style.colored($0, color) }
        line.add(" \(series.period.rawValue)")
        line.skip(3)
        line.add("\(LineChart.lineMark(isASCII)) average of \(counted(series.window, series.period.rawValue))")
        return line.line
    }

    private static func label(_ bucket: TimeBucket) -> String {
        if case .week(let week) = bucket { return week.firstDay.description }
        return bucket.description
    }
}

/// A trend as JSON.
private struct TrendJSON: Encodable {
    struct Point: Encodable {
        var bucket: String
        var value: Double?
        /// The value of a duration in seconds; the chart shows minutes.
        var seconds: Double?
        var movingAverage: Double?
        var isComplete: Bool

        enum CodingKeys: String, CodingKey {
            case bucket, value, seconds
            case movingAverage = "moving_average"
            case isComplete = "is_complete"
        }
    }

    struct Direction: Encodable {
        var kind: String
        var count: Int
        var earlierMean: Double?
        var laterMean: Double?
        var tau: Double?
        var pValue: Double?

        enum CodingKeys: String, CodingKey {
            case kind, count, tau
            case earlierMean = "earlier_mean"
            case laterMean = "later_mean"
            case pValue = "p_value"
        }
    }

    var eventType: String
    var eventTypeId: String
    var property: String?
    /// The unit of durations; nil for numbers.
    var unit: String?
    var aggregation: String
    var by: String
    var window: Int
    /// The first and the last day of the period.
    var first: String
    var last: String
    /// The period of the events, if there are none on these days.
    var elsewhere: EventDays?
    var points: [Point]
    var direction: Direction
    var sentence: String

    @MainActor
    init(_ report: TrendReport, _ days: ClosedRange<CalendarDay>, _ elsewhere: EventDays?) {
        let series = report.series
        first = days.lowerBound.description
        last = days.upperBound.description
        self.elsewhere = elsewhere
        eventType = report.type.name
        eventTypeId = report.type.id
        property = report.property
        aggregation = series.aggregation.rawValue
        by = series.period.rawValue
        window = series.window
        let isDuration = report.isInMinutes
        unit = isDuration ? "minutes" : nil
        points = series.points.map { point in
            Point(
                bucket: point.bucket.description, value: point.value,
                seconds: isDuration ? point.value.map { Measure.seconds($0 * 60) } : nil,
                movingAverage: point.movingAverage, isComplete: point.isComplete)
        }
        let found = series.direction
        direction = Direction(
            kind: found.kind.rawValue, count: found.count, earlierMean: found.earlierMean, laterMean: found.laterMean,
            tau: found.tau, pValue: found.pValue)
        sentence = report.sentence
    }

    enum CodingKeys: String, CodingKey {
        case property, unit, aggregation, by, window, first, last, elsewhere, points, direction, sentence
        case eventType = "event_type"
        case eventTypeId = "event_type_id"
    }
}

extension TrendReport {
    /// The trend of the values of a property, or of the durations of events.
    ///
    /// - Throws: ``CommandFailure`` for a property that is neither a number nor a duration, and for values that are
    ///   too large.
    init(
        of measure: Measure, of type: EventType, _ name: String, by period: CalendarPeriod, aggregation: Aggregation,
        from first: CalendarDay, in histories: StatisticsReader
    ) throws {
        let values: ValueTally
        switch measure {
        case .property(let definition):
            values = try histories.values(of: definition, of: type, keepsValues: aggregation == .median)
        case .time: values = try histories.lengths(of: type.id, scale: 1.0 / 60, keepsValues: aggregation == .median)
        }
        self.init(
            of: measure, of: type, name, values, by: period, aggregation: aggregation, from: first, histories.today)
        // JSON has seconds, and the chart has minutes.
        let unit = measure.isDuration ? 60.0 : 1
        try measure.requireFinite(series.points.map { point in point.value.map { $0 * unit } }, of: type)
    }
}

extension StatisticsReader {
    /// Collects the values of a property, durations in minutes.
    ///
    /// - Parameter step: Called for each value; an error stops the reading.
    /// - Throws: ``CommandFailure`` for a property that is neither a number nor a duration.
    func values(
        of definition: PropertyDefinition, of type: EventType, keepsValues: Bool = false,
        _ step: () throws -> Void = {}
    ) throws -> ValueTally {
        try definition.requireNumbers(for: "a trend")
        let isDuration = definition.propertyType == .duration
        return try values(
            of: definition.key, type: type.id, scale: isDuration ? 1.0 / 60 : 1, keepsValues: keepsValues, step)
    }
}
