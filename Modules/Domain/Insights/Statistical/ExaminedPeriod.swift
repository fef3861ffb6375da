import Foundation

/// The whole days that are compared with each other, without the silences among them.
///
/// A silence is a stretch without any event. The person was away, or logged elsewhere, so it says little about single
/// types. If it counted, all types would seem to belong together. A stretch is a silence where it is at least a week long
/// and its chance is less than one in a thousand for a person who logs that often. Shorter stretches count: without any
/// empty day, types would seem to avoid each other.
struct ExaminedPeriod: Sendable {
    /// A type with its counts on the days of the period.
    struct Series: Sendable {
        let history: InsightInput.History
        let counts: [Int]
        /// The place of the first day on which the type could have been logged: its first event, or the first day
        /// of the period where there were events before.
        let start: Int

        var id: String { history.eventTypeId }
        var name: String { history.name }
    }

    /// The first day.
    let first: CalendarDay
    /// How many days there are, up to and with yesterday.
    let count: Int
    /// Whether each day is outside of silences.
    let isKept: [Bool]
    /// The length of the silence at the end; 0 where there is none.
    let silence: Int
    /// The types that have events in the period.
    let series: [Series]
    /// Writes a day in a sentence.
    let dayText: @Sendable (CalendarDay) -> String

    /// Nil where no whole day has an event.
    init?(_ input: InsightInput, window: Int) {
        let yesterday = input.today.advanced(by: -1)
        let starts = input.histories.compactMap { $0.days.days?.lowerBound }.filter { $0 <= yesterday }
        guard let earliest = starts.min() else { return nil }
        let first = max(earliest, yesterday.advanced(by: 1 - max(1, window)))
        let count = first.distance(to: yesterday) + 1
        self.first = first
        dayText = input.dayText
        self.count = count
        series = input.histories.compactMap { history in
            let counts = (0..<count).map { history.days[first.advanced(by: $0)] }
            guard let start = history.days.days?.lowerBound, counts.contains(where: { $0 > 0 }) else { return nil }
            return Series(history: history, counts: counts, start: max(0, first.distance(to: start)))
        }
        var isLogged = [Bool](repeating: false, count: count)
        for series in series {
            for index in 0..<count where series.counts[index] > 0 { isLogged[index] = true }
        }
        (isKept, silence) = Self.silences(isLogged)
    }

    /// The last day: yesterday.
    var last: CalendarDay { day(count - 1) }

    /// The day at a place.
    func day(_ index: Int) -> CalendarDay { first.advanced(by: index) }

    /// The places of the days on which a type was, or could have been, logged.
    func keptDays(of series: Series) -> [Int] {
        (series.start..<count).filter { isKept[$0] }
    }

    /// The places of the days, from a start on, that count together with the day `lag` days later.
    func days(from start: Int, lag: Int) -> [Int] {
        (start..<max(start, count - lag)).filter { isKept[$0] && isKept[$0 + lag] }
    }

    private static func silences(_ isLogged: [Bool]) -> (isKept: [Bool], atEnd: Int) {
        let share = Double(isLogged.lazy.filter { $0 }.count) / Double(max(1, isLogged.count))
        let shortest = share > 0 && share < 1 ? max(7, (log(0.001) / log(1 - share)).rounded(.up)) : 7
        var isKept = isLogged.map { _ in true }
        var index = 0
        while let start = isLogged[index...].firstIndex(of: false) {
            let end = isLogged[start...].firstIndex(of: true) ?? isLogged.count
            if Double(end - start) >= shortest {
                for silent in start..<end { isKept[silent] = false }
            }
            index = end
        }
        return (isKept, isKept.reversed().prefix { !$0 }.count)
    }
}

extension Insight {
    /// The insight with the examined days among its figures.
    func examining(_ period: ExaminedPeriod) -> Insight {
        var insight = self
        insight.figures[Self.firstDay] = .string(period.first.description)
        insight.figures[Self.lastDay] = .string(period.last.description)
        return insight
    }
}
