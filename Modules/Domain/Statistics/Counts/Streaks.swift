/// Days in a row with at least one event.
public struct Streak: Sendable, Hashable {
    /// The first day of the row.
    public let first: CalendarDay
    /// The last day of the row.
    public let last: CalendarDay

    /// How many days there are in the row.
    public var length: Int { first.distance(to: last) + 1 }
}

/// The rows of days with events that a history has.
public struct Streaks: Sendable, Hashable {
    /// The row that goes on: it ends today, or yesterday as long as today is not over.
    public let current: Streak?
    /// The longest row; of equal ones the latest. Nil where there is no event.
    public let longest: Streak?
    /// Whether today has an event already.
    public let isTodayLogged: Bool

    /// Finds the rows in the days up to today; later ones have not happened yet.
    public init(_ counts: DayCounts, today: CalendarDay) {
        let rows = Self.rows(in: counts.loggedDays.prefix { $0 <= today })
        longest = rows.max { ($0.length, $0.first) < ($1.length, $1.first) }
        current = rows.last.flatMap { $0.last >= today.advanced(by: -1) ? $0 : nil }
        isTodayLogged = counts[today] > 0
    }

    private static func rows(in days: ArraySlice<CalendarDay>) -> [Streak] {
        var rows: [Streak] = []
        for day in days {
            if let open = rows.last, open.last.advanced(by: 1) == day {
                rows[rows.count - 1] = Streak(first: open.first, last: day)
            } else {
                rows.append(Streak(first: day, last: day))
            }
        }
        return rows
    }
}
