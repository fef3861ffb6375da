import Testing
import TrendyDomain

@Suite("heat maps")
struct HeatMapTests {
    @Test("a year has each of its days once, in the row of its weekday", arguments: [2023, 2024, 2026, 2028, 2032])
    func year(year: Int) throws {
        let map = try #require(HeatMap(year: year, counts: DayCounts()))
        let sundays = try #require(HeatMap(year: year, counts: DayCounts(weekStart: .sunday)))
        #expect(sundays.weeks.dropFirst().allSatisfy { $0[0]?.day.weekday == .sunday })
        #expect(sundays.weeks.joined().compactMap { $0?.day } == map.weeks.joined().compactMap { $0?.day })
        let cells = map.weeks.joined().compactMap { $0 }
        #expect(cells.count == (year % 4 == 0 ? 366 : 365))
        let (first, last) = (try day("\(year)-1-1"), try day("\(year)-12-31"))
        #expect(cells.first?.day == first && cells.last?.day == last)
        #expect((53...54).contains(map.weeks.count) && map.weeks.allSatisfy { $0.count == 7 })
        for week in map.weeks {
            for (row, cell) in week.enumerated() {
                #expect(cell.map { $0.day.weekday.rawValue == row + 1 && $0.level == 0 } ?? true)
            }
        }
        #expect(map.monthStarts.map(\.month.month) == Array(1...12))
        for start in map.monthStarts {
            #expect(map.weeks[start.column].contains { $0?.day == start.month.days.lowerBound })
        }
        #expect(map.levels == [nil, nil, nil, nil])
    }

    @Test("levels are quarters of the days with events")
    func quarters() throws {
        let first = try day("2026-03-02")
        var counts = DayCounts()
        for offset in 0..<8 { counts.add(offset + 1, on: first.advanced(by: offset)) }
        let map = HeatMap(days: first...first.advanced(by: 9), counts: counts)
        #expect(map.weeks.joined().compactMap { $0?.level } == [1, 1, 2, 2, 3, 3, 4, 4, 0, 0])
        #expect(map.levels == [1...2, 3...4, 5...6, 7...8])
    }

    @Test("a rare high count has a level of its own, and equal counts have equal levels")
    func skewed() throws {
        let first = try day("2026-03-02")
        var counts = DayCounts()
        for offset in 0..<20 { counts.add(offset == 7 ? 5 : 1, on: first.advanced(by: offset)) }
        let map = HeatMap(days: first...first.advanced(by: 19), counts: counts)
        #expect(map.levels == [1...1, nil, nil, 5...5])
    }

    @Test("where all counts are equal all days are darkest")
    func equal() throws {
        let map = HeatMap(
            days: try day("2026-03-01")...day("2026-03-31"), counts: try counts(on: ["2026-03-03", "2026-03-09"]))
        #expect(map.levels == [nil, nil, nil, 1...1])
    }

    @Test("a greater count never has a lower level")
    func monotone() throws {
        var dice = Dice(seed: 3)
        let first = try day("2026-01-01")
        for _ in 0..<200 {
            var counts = DayCounts()
            for offset in 0..<50 where dice.chance(0.7) {
                counts.add(1 + dice.number(below: 6), on: first.advanced(by: offset))
            }
            let cells = HeatMap(days: first...first.advanced(by: 49), counts: counts).weeks.joined().compactMap { $0 }
            let sorted = cells.sorted { $0.count < $1.count }
            for (smaller, larger) in zip(sorted, sorted.dropFirst()) {
                #expect(smaller.count == larger.count ? smaller.level == larger.level : smaller.level <= larger.level)
            }
            #expect(cells.allSatisfy { ($0.count == 0) == ($0.level == 0) })
        }
    }

    @Test("there is no map of a year that the calendar does not have")
    func noSuchYear() {
        #expect(HeatMap(year: -1, counts: DayCounts()) == nil && HeatMap(year: 10_000, counts: DayCounts()) == nil)
    }
}
