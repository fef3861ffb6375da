package import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// A trend with the sentences that say where it goes.
@MainActor
package struct TrendReport {
    package let type: EventType
    /// What is looked at, nil for how many events there were.
    package let measure: Measure?
    /// What the values are of, in words.
    package let subject: String
    package let series: TrendSeries
    /// The first day that is looked at.
    package let first: CalendarDay
    /// Whether there is nothing in the stretches that are looked at.
    package let isEmpty: Bool

    /// The key of what is looked at, nil for how many events there were.
    package var property: String? { measure?.key }

    /// Whether the values are minutes; how many there are never is.
    package var isInMinutes: Bool { measure?.isDuration == true && series.aggregation != .count }

    /// The subject with the unit of the axis.
    package var title: String { isInMinutes ? "\(subject) (minutes)" : subject }

    /// Where it is going, with figures as they are written elsewhere.
    package var sentence: String {
        guard let measure else { return series.sentence(about: subject) }
        // Durations are collected in minutes.
        let scale = isInMinutes ? 60.0 : 1
        return series.sentence(about: subject) { measure.figure($0 * scale, series.aggregation) }
    }

    /// The sentence, and whether the last stretch is over.
    package var statement: String {
        // Where no stretch is over, the sentence says so.
        let isOver = series.points.last?.isComplete ?? true || series.direction.count == 0
        return isOver ? sentence : "\(sentence); the last \(series.period.rawValue) is not over"
    }

    /// Whether all values are whole numbers.
    package var isCount: Bool { measure == nil || series.aggregation == .count }
}

extension TrendReport {
    /// Looks at how many events of a type there were.
    ///
    /// - Parameters:
    ///   - name: What is looked at, in words.
    ///   - tally: All events that are looked at.
    ///   - first: The first day that may be looked at.
    package init(
        of type: EventType, _ name: String, _ tally: EventTally, by period: CalendarPeriod, from first: CalendarDay,
        today: CalendarDay
    ) {
        // What was not there yet is no zero: a line begins with the first event.
        let start = max(first, tally.days.days?.lowerBound ?? first)
        self.init(
            type: type, measure: nil, subject: TextTable.singleLine(name),
            series: tally.trend(by: period, from: start, today: today), first: start,
            isEmpty: tally.days.total(in: first...today) == 0)
    }

    /// Looks at values that are collected already, durations in minutes.
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

    /// How many stretches are looked at where nobody says since when.
    package nonisolated static func usualCount(_ period: CalendarPeriod) -> Int {
        switch period {
        case .day: 90
        case .week: 52
        case .month: 36
        }
    }
}
