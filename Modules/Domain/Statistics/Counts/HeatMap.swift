/// Days as the cells of a calendar: a column for each week, a row for each weekday, a level for the count of each.
public struct HeatMap: Sendable, Hashable {
    /// A day, its count and how dark it is to be drawn.
    public struct Cell: Sendable, Hashable {
        /// The day.
        public let day: CalendarDay
        /// How many events it has.
        public let count: Int
        /// 0 for a day without events, 1 to 4 for the others.
        public let level: Int
    }

    /// A column: the days of a week in their order, nil for those that are not in the map.
    public typealias Week = [Cell?]

    /// The day of the week that the first row is of.
    public let weekStart: Weekday
    /// The columns in order of time, each with seven places.
    public let weeks: [Week]
    /// Which counts each level stands for, from level 1 to 4; nil for a level that no day has.
    public let levels: [ClosedRange<Int>?]
    /// The columns in which months begin, with the month, for the labels above them.
    public let monthStarts: [MonthStart]

    /// A month and the column that has its first day, or, for the first month, the first day that is shown.
    public struct MonthStart: Sendable, Hashable {
        /// The month.
        public let month: CalendarMonth
        /// The column, from 0.
        public let column: Int
    }

    /// Makes the map of one year; nil outside the years 0 to 9999.
    public init?(year: Int, counts: DayCounts) {
        guard let first = CalendarDay(year: year, month: 1, day: 1),
            let last = CalendarDay(year: year, month: 12, day: 31)
        else { return nil }
        self.init(days: first...last, counts: counts)
    }

    /// Makes the map of some days, in weeks as the counts have them.
    ///
    /// The levels are quarters of the days that have events: a day whose count is above that of a quarter of them
    /// has level 2, of a half level 3, of three quarters level 4. Equal counts have equal levels. Where all counts
    /// are equal, as with what is done once a day, all days have level 4.
    public init(days: ClosedRange<CalendarDay>, counts: DayCounts) {
        let bounds = Self.lowerBounds(days.map { counts[$0] }.filter { $0 > 0 })
        weekStart = counts.weekStart
        var weeks: [Week] = []
        var monthStarts: [MonthStart] = []
        for day in days {
            if weeks.isEmpty || day.weekday == weekStart { weeks.append(Week(repeating: nil, count: 7)) }
            let count = counts[day]
            let level = count > 0 ? bounds.lastIndex { $0 <= count }.map { $0 + 1 } ?? 1 : 0
            weeks[weeks.count - 1][day.weekday.place(inWeekFrom: weekStart)] = Cell(
                day: day, count: count, level: level)
            if day == days.lowerBound || day.date.day == 1 {
                monthStarts.append(MonthStart(month: day.month, column: weeks.count - 1))
            }
        }
        self.weeks = weeks
        self.monthStarts = monthStarts
        levels = Self.ranges(of: weeks.joined().compactMap { $0 })
    }

    /// The least count of each of the four levels; `Int.max` for a level that no count reaches.
    private static func lowerBounds(_ counts: [Int]) -> [Int] {
        let sorted = counts.sorted()
        guard let least = sorted.first, let most = sorted.last else { return [1, .max, .max, .max] }
        if least == most { return [.min, .min, .min, least] }
        return (0..<4).map { level in
            // The least count such that this many quarters of the days have a smaller one.
            var below = (sorted.count * level + 3) / 4
            while below > 0, below < sorted.count, sorted[below] == sorted[below - 1] { below += 1 }
            return below < sorted.count ? sorted[below] : .max
        }
    }

    private static func ranges(of cells: [Cell]) -> [ClosedRange<Int>?] {
        (1...4).map { level in
            let counts = cells.filter { $0.level == level }.map(\.count)
            guard let least = counts.min(), let most = counts.max() else { return nil }
            return least...most
        }
    }
}
