import Foundation

/// The whole days that are compared with each other, and on which of them the log was kept at all.
///
/// A stretch in which nothing of any type was logged says little about each of the types: the person was away, or
/// logged elsewhere. If it counted, all types would seem to belong together. A stretch counts as such a silence where
/// it would be a chance of less than one in a thousand for someone who logs as often as this person, and is at least a
/// week long; shorter ones stay, as leaving out every empty day would make types seem to avoid each other.
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
    /// For each day whether it is outside of silences.
    let isKept: [Bool]
    /// How many days at the end are a silence; 0 where they are not.
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

    /// The places of the days from one on that count, and so does the one so many days later.
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
    /// The insight with the days among its figures that it was looked for in.
    func examining(_ period: ExaminedPeriod) -> Insight {
        var insight = self
        insight.figures[Self.firstDay] = .string(period.first.description)
        insight.figures[Self.lastDay] = .string(period.last.description)
        return insight
    }
}
