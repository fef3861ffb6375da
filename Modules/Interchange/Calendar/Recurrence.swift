import TrendyDomain
import TrendyNotation

/// The sequence of the clock times of a recurrence rule.
///
/// The first one is the start, even if it does not match the rule, as in RFC 5545.
struct Recurrence {
    /// The maximum number of consecutive periods without a time.
    static let patience = 5_000_000

    private let rule: RecurrenceRule
    private let start: CivilTime
    private let end: CivilTime
    private var period = 0
    private var idle = 0
    private var given = 0
    private var waiting: [CivilTime] = []
    private var hasBegun = false

    /// - Parameters:
    ///   - begin: Earlier times may be skipped if the rule has no count.
    ///   - end: The last time.
    init(_ rule: RecurrenceRule, from start: CivilTime, begin: CivilTime? = nil, end: CivilTime) {
        self.rule = rule
        self.start = start
        self.end = end
        if let begin, rule.count == nil { period = max(0, skippable(upTo: begin)) }
    }

    /// The next time; nil after the last.
    ///
    /// - Throws: ``RowError`` for a rule without times in many periods.
    mutating func next() throws(RowError) -> CivilTime? {
        if let count = rule.count, given >= count { return nil }
        if !hasBegun {
            hasBegun = true
            given += 1
            return start
        }
        while waiting.isEmpty {
            guard let beginning = beginning(of: period), beginning.localMilliseconds <= end.localMilliseconds else {
                return nil
            }
            waiting = chosen(from: candidates(in: beginning)).filter {
                $0.localMilliseconds > start.localMilliseconds && $0.localMilliseconds <= end.localMilliseconds
            }.reversed()
            period += 1
            idle = waiting.isEmpty ? idle + 1 : 0
            if idle > Self.patience { throw RowError("the recurrence rule has no times") }
        }
        given += 1
        return waiting.popLast()
    }

    // MARK: Periods

    /// The start of a period of the rule; nil after the year 9999.
    private func beginning(of period: Int) -> CivilTime? {
        let steps = period * rule.interval
        switch rule.frequency {
        case .yearly:
            let year = start.year + steps
            return year > 9999 ? nil : CivilTime(year: year, month: 1, day: 1)
        case .monthly:
            let months = start.year * 12 + start.month - 1 + steps
            return months / 12 > 9999 ? nil : CivilTime(year: months / 12, month: months % 12 + 1, day: 1)
        case .weekly: return week.advanced(byDays: steps * 7)
        case .daily: return start.startOfDay.advanced(byDays: steps)
        case .hourly, .minutely, .secondly:
            return CivilTime(localMilliseconds: start.localMilliseconds + Int64(steps) * step)
        }
    }

    /// The first day of the week of the start.
    private var week: CivilTime {
        start.startOfDay.advanced(byDays: -((start.weekday - rule.weekStart + 7) % 7))
    }

    private var step: Int64 {
        switch rule.frequency {
        case .hourly: 3_600_000
        case .minutely: 60_000
        case .secondly: 1000
        default: 86_400_000
        }
    }

    /// The number of periods that end before a time.
    private func skippable(upTo begin: CivilTime) -> Int {
        let length: Int64
        switch rule.frequency {
        case .yearly: length = 366 * 86_400_000
        case .monthly: length = 31 * 86_400_000
        case .weekly: length = 7 * 86_400_000
        default: length = step
        }
        let distance = begin.localMilliseconds - start.localMilliseconds
        return Int(distance / (length * Int64(rule.interval))) - 1
    }

    // MARK: Times of a period

    /// The candidate times of a period, in order.
    private func candidates(in period: CivilTime) -> [CivilTime] {
        switch rule.frequency {
        case .yearly: return yearly(period.year)
        case .monthly:
            guard allows(month: period.month) else { return [] }
            return monthly(period.year, period.month)
        case .weekly:
            let wanted = rule.days.isEmpty ? [start.weekday] : rule.days.map(\.weekday)
            return (0..<7).map { period.advanced(byDays: $0) }
                .filter { wanted.contains($0.weekday) && allows(month: $0.month) }.map(timed)
        case .daily: return allows(day: period) ? [timed(period)] : []
        case .hourly, .minutely, .secondly: return allows(day: period) ? [period] : []
        }
    }

    private func yearly(_ year: Int) -> [CivilTime] {
        let months = rule.months.sorted()
        guard months.isEmpty else {
            if !rule.monthDays.isEmpty || !rule.days.isEmpty { return months.flatMap { monthly(year, $0) } }
            return months.compactMap { day(year, $0, start.day) }
        }
        if rule.days.isEmpty {
            if rule.monthDays.isEmpty { return [day(year, start.month, start.day)].compactMap { $0 } }
            return (1...12).flatMap { monthDays(year, $0) }
        }
        // Without BYMONTH, ordinals count within the year.
        let first = CivilTime(year: year, month: 1, day: 1)
        let next = CivilTime(year: year + 1, month: 1, day: 1)
        let found = weekdays(from: first, count: next.dayNumber - first.dayNumber)
        return rule.monthDays.isEmpty ? found : found.filter(isMonthDay)
    }

    private func monthly(_ year: Int, _ month: Int) -> [CivilTime] {
        if rule.days.isEmpty {
            return rule.monthDays.isEmpty
                ? [day(year, month, start.day)].compactMap { $0 } : monthDays(year, month)
        }
        let found = weekdays(
            from: CivilTime(year: year, month: month, day: 1), count: CivilTime.days(inMonth: month, of: year))
        // With BYDAY, BYMONTHDAY restricts the days: Friday the 13th.
        return rule.monthDays.isEmpty ? found : found.filter(isMonthDay)
    }

    /// The days of BYMONTHDAY in a month.
    private func monthDays(_ year: Int, _ month: Int) -> [CivilTime] {
        let count = CivilTime.days(inMonth: month, of: year)
        return (1...count).compactMap { day(year, month, $0) }.filter(isMonthDay)
    }

    /// The days of BYDAY in a range of days, in which ordinals are counted.
    private func weekdays(from first: CivilTime, count: Int) -> [CivilTime] {
        var found: Set<Int> = []
        for wanted in rule.days {
            let offset = (wanted.weekday - first.weekday + 7) % 7
            let all = Array(stride(from: offset, to: count, by: 7))
            switch wanted.ordinal {
            case 0: found.formUnion(all)
            case 1...: if wanted.ordinal <= all.count { found.insert(all[wanted.ordinal - 1]) }
            default: if -wanted.ordinal <= all.count { found.insert(all[all.count + wanted.ordinal]) }
            }
        }
        return found.sorted().map { timed(first.advanced(byDays: $0)) }
    }

    private func day(_ year: Int, _ month: Int, _ number: Int) -> CivilTime? {
        guard (1...CivilTime.days(inMonth: month, of: year)).contains(number) else { return nil }
        return timed(CivilTime(year: year, month: month, day: number))
    }

    /// A day at the time of day of the start.
    private func timed(_ day: CivilTime) -> CivilTime { start.on(dayNumber: day.dayNumber) }

    private func allows(month: Int) -> Bool { rule.months.isEmpty || rule.months.contains(month) }

    private func allows(day: CivilTime) -> Bool {
        guard allows(month: day.month) else { return false }
        if !rule.days.isEmpty, !rule.days.contains(where: { $0.weekday == day.weekday }) { return false }
        return rule.monthDays.isEmpty || isMonthDay(day)
    }

    private func isMonthDay(_ day: CivilTime) -> Bool {
        let count = CivilTime.days(inMonth: day.month, of: day.year)
        return rule.monthDays.contains { $0 == day.day || count + 1 + $0 == day.day }
    }

    /// The times at the positions of BYSETPOS.
    private func chosen(from candidates: [CivilTime]) -> [CivilTime] {
        if rule.positions.isEmpty { return candidates }
        let places = Set(rule.positions.map { $0 > 0 ? $0 - 1 : candidates.count + $0 })
        return places.sorted().filter(candidates.indices.contains).map { candidates[$0] }
    }
}
