package import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// A trend with the sentence that describes it.
@MainActor
package struct TrendReport {
    package let type: EventType
    /// What is measured; nil where events are counted.
    package let measure: Measure?
    /// The subject of the sentence.
    package let subject: String
    package let series: TrendSeries
    /// The first day that is looked at.
    package let first: CalendarDay
    /// Whether the days have no events or values.
    package let isEmpty: Bool

    /// The key of what is measured; nil where events are counted.
    package var property: String? { measure?.key }

    /// Whether the values are minutes.
    package var isInMinutes: Bool { measure?.isDuration == true && series.aggregation != .count }

    /// The subject with the unit of the axis.
    package var title: String { isInMinutes ? "\(subject) (minutes)" : subject }

    /// The direction of the trend, in words.
    package var sentence: String {
        guard let measure else { return series.sentence(about: subject) }
        // Durations are collected in minutes.
        let scale = isInMinutes ? 60.0 : 1
        return series.sentence(about: subject) { measure.figure($0 * scale, series.aggregation) }
    }

    /// The sentence, with a remark where the last stretch is not over.
    package var statement: String {
        // Where no stretch is over, the sentence says so.
        let isOver = series.points.last?.isComplete ?? true || series.direction.count == 0
        return isOver ? sentence : "\(sentence); the last \(series.period.rawValue) is not over"
    }

    /// Whether all values are whole numbers.
    package var isCount: Bool { measure == nil || series.aggregation == .count }
}

extension TrendReport {
    /// Makes the trend of the number of events of a type.
    ///
    /// - Parameters:
    ///   - name: The subject of the sentence.
    ///   - tally: The events.
    ///   - first: The first day that the trend may show.
    package init(
        of type: EventType, _ name: String, _ tally: EventTally, by period: CalendarPeriod, from first: CalendarDay,
        today: CalendarDay
    ) {
        // The line begins with the first event: days before it are not zeros.
        let start = max(first, tally.days.days?.lowerBound ?? first)
        self.init(
            type: type, measure: nil, subject: TextTable.singleLine(name),
            series: tally.trend(by: period, from: start, today: today), first: start,
            isEmpty: tally.days.total(in: first...today) == 0)
    }

    /// Makes the trend of values; durations are in minutes.
    package init(
        of measure: Measure, of type: EventType, _ name: String, _ values: ValueTally, by period: CalendarPeriod,
        aggregation: Aggregation, from first: CalendarDay, _ today: CalendarDay
    ) {
        let start = max(first, values.days?.lowerBound ?? first)
        self.init(
            type: type, measure: measure,
            subject: TextTable.singleLine("\(measure.title) of \(name)"),
            series: values.trend(by: period, aggregation: aggregation, from: start, today: today), first: start,
            isEmpty: values.value(in: first...today, aggregation: .mean) == nil)
    }

    /// The number of stretches where no beginning is asked for.
    package nonisolated static func usualCount(_ period: CalendarPeriod) -> Int {
        switch period {
        case .day: 90
        case .week: 52
        case .month: 36
        }
    }
}
