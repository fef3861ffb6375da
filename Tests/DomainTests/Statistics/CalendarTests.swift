import Foundation
import Testing
import TrendyDomain

@Suite("days, weeks and months")
struct CalendarTests {
    @Test(
        "a week begins on Monday and belongs to the year of its Thursday",
        arguments: [
            ("2026-11-22", "2026-W47"), ("2026-11-23", "2026-W48"), ("2026-12-31", "2026-W53"),
            ("2027-01-01", "2026-W53"), ("2027-01-03", "2026-W53"), ("2027-01-04", "2027-W01"),
            ("2024-12-30", "2025-W01"), ("2021-01-01", "2020-W53"), ("2023-01-01", "2022-W52"),
            ("1969-12-31", "1970-W01"),
        ])
    func weeks(date: String, week: String) throws {
        #expect(try day(date).week.description == week)
    }

    @Test(
        "weeks can begin with any day, and have their first day for a name where that is no Monday",
        arguments: [
            ("2026-11-22", Weekday.sunday, "2026-11-22"), ("2026-11-21", .sunday, "2026-11-15"),
            ("2026-11-20", .saturday, "2026-11-14"), ("2026-11-20", .friday, "2026-11-20"),
            ("2026-11-20", .monday, "2026-W47"),
        ])
    func otherWeeks(date: String, start: Weekday, week: String) throws {
        let day = try day(date)
        let found = CalendarWeek(containing: day, from: start)
        #expect(found.description == week && found.isNumbered == (start == .monday))
        #expect(found.firstDay.weekday == start && found.days.contains(day) && found.days.count == 7)
        #expect(found.advanced(by: 1).firstDay == found.days.upperBound.advanced(by: 1))
        #expect(start.week.first == start && Set(start.week).count == 7)
        #expect(start.week.map { $0.place(inWeekFrom: start) } == Array(0..<7))
    }

    @Test("weekdays and dates follow each other over centuries")
    func sequence() throws {
        var current = try day("1899-12-25")
        let end = try day("2101-01-10")
        #expect(current.weekday == .monday)
        while current < end {
            let next = current.advanced(by: 1)
            #expect(next.weekday.rawValue == current.weekday.rawValue % 7 + 1)
            let (year, month, date) = next.date
            #expect(CalendarDay(year: year, month: month, day: date) == next)
            #expect(next.month.days.contains(next) && next.week.days.contains(next))
            current = next
        }
    }

    @Test("there is no day that the calendar does not have")
    func noSuchDay() {
        for (year, month, day) in [
            (2026, 2, 29), (2100, 2, 29), (2026, 0, 1), (2026, 13, 1), (2026, 4, 31), (2026, 1, 0), (-1, 1, 1),
            (10_000, 1, 1), (Int.max, 1, 1),
        ] {
            #expect(CalendarDay(year: year, month: month, day: day) == nil)
        }
        #expect(CalendarDay(year: 2024, month: 2, day: 29) != nil)
    }

    @Test("the stretches that cover some days have no gap and no overlap", arguments: CalendarPeriod.allCases)
    func covering(period: CalendarPeriod) throws {
        let range = try day("2024-12-18")...day("2027-02-02")
        let spans = period.buckets(covering: range).compactMap(\.days)
        #expect(spans.first?.contains(range.lowerBound) == true && spans.last?.contains(range.upperBound) == true)
        for (earlier, later) in zip(spans, spans.dropFirst()) {
            #expect(earlier.upperBound.advanced(by: 1) == later.lowerBound)
        }
    }
}
