import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal

@testable import TrendyReport

@Suite("Which days the charts of a report show")
struct ReportScopeTests {
    private let today = CalendarDay(daysSince1970: 20_522)

    private func scope(since: String? = nil, weekStart: Weekday = .monday) throws -> ReportScope {
        let moment = try since.map { try #require(Timestamp($0 + "T12:00:00Z")) }
        return ReportScope(since: moment, zone: .utc, today: today, weekStart: weekStart)
    }

    @Test("without a beginning, those of the commands")
    func usual() throws {
        let scope = try scope()
        #expect(today.description == "2026-03-10")
        let days = { scope.days(by: $0, of: DayCounts()) }
        #expect(days(.day).count == 30)
        #expect(days(.week).lowerBound.description == "2025-09-15")
        #expect(days(.month).lowerBound.description == "2024-04-01")
        #expect(scope.trend.period == .week && scope.trend.first.description == "2025-03-17")
        #expect(scope.calendars(of: DayCounts()).map(\.lowerBound.description) == ["2025-03-10"])
    }

    @Test("weeks begin with the day that the person begins them with")
    func sundays() throws {
        let scope = try scope(weekStart: .sunday)
        #expect(scope.days(by: .week, of: DayCounts()).lowerBound.description == "2025-09-14")
        #expect(scope.trend.first.description == "2025-03-16")
        #expect(scope.calendars(of: DayCounts()).map(\.lowerBound.description) == ["2025-03-09"])
    }

    @Test("without a beginning, none before the first event")
    func firstEvent() throws {
        let first = try #require(CalendarDay(year: 2026, month: 1, day: 15))
        let counts = DayCounts([first: 1, today.advanced(by: 5): 1])
        let scope = try scope()
        #expect(scope.days(by: .day, of: counts).count == 30)
        #expect(scope.days(by: .week, of: counts) == first...today)
        #expect(scope.days(by: .month, of: counts) == first...today)
        #expect(scope.days(by: .week, of: DayCounts([today.advanced(by: 5): 1])) == today...today)
        #expect(try self.scope(since: "2025-12-01").days(by: .week, of: counts).lowerBound.description == "2025-12-01")
    }

    @Test("from the asked day on, as far as columns can be told apart")
    func since() throws {
        let near = try scope(since: "2026-02-20")
        #expect(
            CalendarPeriod.allCases.allSatisfy {
                near.days(by: $0, of: DayCounts()).lowerBound.description == "2026-02-20"
            })
        #expect(near.calendars(of: DayCounts()).map(\.count) == [19])
        let far = try scope(since: "2001-01-01")
        #expect(far.days(by: .day, of: DayCounts()).count == 92)
        #expect(far.days(by: .week, of: DayCounts()).lowerBound.description == "2024-03-18")
        #expect(far.days(by: .month, of: DayCounts()).lowerBound.description == "2016-04-01")
        #expect(far.trend.period == .month && far.trend.first.description == "2006-04-01")
        #expect(try scope(since: "2023-06-01").trend.period == .week)
    }

    @Test("a long time has a calendar for each year with events, the ten latest")
    func years() throws {
        let scope = try scope(since: "2009-06-15")
        var counts = DayCounts()
        for year in [2008, 2009, 2011, 2026] {
            counts.add(on: try #require(CalendarDay(year: year, month: 3, day: 1)))
            counts.add(on: try #require(CalendarDay(year: year, month: 9, day: 1)))
        }
        #expect(
            scope.calendars(of: counts).map(\.description)
                == ["2009-06-15...2009-12-31", "2011-01-01...2011-12-31", "2026-01-01...2026-03-10"])
        for year in 2012...2025 { counts.add(on: try #require(CalendarDay(year: year, month: 9, day: 1))) }
        #expect(scope.calendars(of: counts).map(\.lowerBound.date.year) == Array(2017...2026))
    }

    @Test("a beginning in the future leaves today")
    func future() throws {
        let scope = try scope(since: "2027-01-01")
        #expect(scope.days(by: .week, of: DayCounts()) == today...today)
        #expect(scope.calendars(of: DayCounts()) == [today...today])
    }
}
