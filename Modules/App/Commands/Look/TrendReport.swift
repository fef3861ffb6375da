import TrendyDomain

/// A trend as a chart with a sentence, or as JSON.
@MainActor
struct TrendReport {
    let type: EventType
    /// What is looked at, nil for how many events there were.
    let measure: Measure?
    /// What the values are of, in words.
    let subject: String
    let series: TrendSeries
    /// Whether there is nothing in the stretches that are looked at.
    let isEmpty: Bool

    /// The key of what is looked at, nil for how many events there were.
    var property: String? { measure?.key }

    /// Writes the chart for a person, or JSON where that was asked for.
    ///
    /// - Parameters:
    ///   - days: The days that were looked at.
    ///   - empty: What is said in place of a chart where there is nothing on those days.
    func write(
        to context: CommandContext, on screen: Screen, days: ClosedRange<CalendarDay>, empty: EmptyLook?
    ) throws {
        if context.wantsJSON { return try context.output.json(TrendJSON(self, days, empty?.others)) }
        if let empty {
            try context.show(TextWrap.lines(empty.text(), columns: screen.width), on: screen)
            return try context.remarkBeforeFirstSync()
        }
        try context.show(lines(screen), on: screen)
    }

    private func lines(_ screen: Screen) -> [String] {
        let color = RGBColor(hex: type.color)
        let chart = LineChart(
            points: series.points.map {
                .init(label: Self.label($0.bucket), value: $0.value, average: $0.movingAverage)
            },
            color: color
        ).lines(screen)
        var head = LineBuilder(screen)
        let way = property == nil ? "" : ", \(series.aggregation.rawValue)"
        head.add("\(title) by \(series.period.rawValue)\(way)") { screen.style.bold($0) }
        return [head.line, ""] + chart + ["", legend(screen, color), ""]
            + sentences.flatMap { TextWrap.lines($0, columns: screen.width) }
    }

    fileprivate var isInMinutes: Bool { measure?.isDuration == true && series.aggregation != .count }

    /// The subject with the unit of the axis.
    var title: String { isInMinutes ? "\(subject) (minutes)" : subject }

    /// Where it is going, with figures as they are written elsewhere.
    var sentence: String {
        guard let measure else { return series.sentence(about: subject) }
        // Durations are collected in minutes.
        let scale = isInMinutes ? 60.0 : 1
        return series.sentence(about: subject) { measure.figure($0 * scale, series.aggregation) }
    }

    /// Where it is going, and what of it is not over.
    var sentences: [String] {
        // Where no stretch is over, that is what the first sentence says.
        let isOver = series.points.last?.isComplete ?? true || series.direction.count == 0
        return [sentence] + (isOver ? [] : ["The last \(series.period.rawValue) is not over."])
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
        if case .week(let week) = bucket { return week.monday.description }
        return bucket.description
    }
}

/// A trend as JSON.
private struct TrendJSON: Encodable {
    struct Point: Encodable {
        var bucket: String
        var value: Double?
        /// The value of a duration, which is in minutes as people see it.
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
    /// What durations are in, for numbers nil.
    var unit: String?
    var aggregation: String
    var by: String
    var window: Int
    /// The first and the last day that are looked at.
    var first: String
    var last: String
    /// Where the events are, where there are none on these days.
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
