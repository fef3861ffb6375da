import Testing
import TrendyDomain

@Suite("trends")
struct TrendTests {
    /// A tally with so many events on each day up to the day before `today`.
    private func tally(_ counts: [Int], today: CalendarDay) -> EventTally {
        var tally = EventTally(in: FixedUTCOffset())
        for (index, count) in counts.enumerated() {
            let day = today.advanced(by: index - counts.count)
            tally.add(Timestamp(milliseconds: Int64(day.daysSince1970) * 86_400_000), count: count)
        }
        return tally
    }

    private func weeks(from first: String, today: String) throws -> TrendSeries {
        var tally = EventTally(in: FixedUTCOffset())
        tally.add(try moment("\(first)T12:00:00Z"))
        return tally.trend(by: .week, today: try day(today))
    }

    @Test("the moving average is that of a full window, empty stretches included and those that are not over left out")
    func movingAverage() throws {
        let today = try day("2026-11-20")
        let trend = tally([3, 0, 6, 0, 3], today: today).trend(by: .day, today: today, window: 3)
        #expect(trend.points.map(\.value) == [3, 0, 6, 0, 3, 0])
        #expect(trend.points.map(\.movingAverage) == [nil, nil, 3, 2, 3, 1.5])
        #expect(trend.points.map(\.isComplete) == [true, true, true, true, true, false])
    }

    @Test("a week that began before the first day, and the one that is not over, are not complete")
    func incomplete() throws {
        let trend = try weeks(from: "2026-11-04", today: "2026-11-20")
        #expect(trend.points.map(\.bucket.description) == ["2026-W45", "2026-W46", "2026-W47"])
        #expect(trend.points.map(\.isComplete) == [false, true, false])
        let fromMonday = try weeks(from: "2026-11-02", today: "2026-11-22")
        #expect(fromMonday.points.map(\.isComplete) == [true, true, false])
        let afterSunday = try weeks(from: "2026-11-02", today: "2026-11-23")
        #expect(afterSunday.points.map(\.isComplete) == [true, true, true, false])
    }

    @Test("what rises is rising, what falls is falling, with the means of both halves")
    func direction() throws {
        let today = try day("2026-11-20")
        let rising = tally([1, 1, 2, 2, 3, 4, 4, 5, 6, 6], today: today).trend(by: .day, today: today)
        #expect(rising.direction.kind == .rising && rising.direction.count == 10)
        #expect(rising.direction.earlierMean == 1.8 && rising.direction.laterMean == 5)
        #expect(
            rising.sentence(about: "run") == "run is rising: 5 a day in the later half of 10 days, 1.8 in the earlier")
        let falling = tally([6, 6, 5, 4, 4, 3, 2, 2, 1, 1], today: today).trend(by: .day, today: today)
        #expect(falling.direction.kind == .falling)
        let steady = tally([2, 3, 2, 3, 2, 3, 2, 3, 2, 3], today: today).trend(by: .day, today: today)
        #expect(steady.direction.kind == .unclear)
        let flat = tally([Int](repeating: 2, count: 30), today: today).trend(by: .day, today: today)
        #expect(flat.direction.kind == .unclear && flat.direction.pValue == 1)
    }

    @Test("one extreme value is no direction")
    func outlier() throws {
        let today = try day("2026-11-20")
        let trend = tally([2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 90], today: today).trend(by: .day, today: today)
        #expect(trend.direction.kind == .unclear)
    }

    @Test("fewer than eight whole stretches are too few, and the sentence says how many there are")
    func tooFew() throws {
        let today = try day("2026-11-20")
        let trend = tally([1, 2, 3, 4, 5, 6, 7], today: today).trend(by: .day, today: today)
        #expect(trend.direction.kind == .tooLittleData)
        #expect(
            trend.sentence(about: "run")
                == "run has 7 whole days so far; it takes 8 to see a direction")
        #expect(EventTally(in: FixedUTCOffset()).trend(by: .week, today: today).points == [])
    }

    @Test("where next to nothing was logged the sentence says so, and no direction is named")
    func nextToNothing() throws {
        let today = try day("2026-11-20")
        func sentence(_ counts: [Int], _ period: CalendarPeriod = .day) -> String {
            let trend = tally(counts, today: today).trend(
                by: period, from: today.advanced(by: -counts.count), today: today)
            #expect(trend.direction.kind == .tooLittleData && trend.direction.pValue == nil)
            return trend.sentence(about: "run")
        }
        #expect(sentence([2]) == "run has 1 whole day so far; it takes 8 to see a direction")
        #expect(sentence([1], .week) == "run has no whole week yet; it takes 8 to see a direction")
        let one = [1] + [Int](repeating: 0, count: 8)
        #expect(sentence(one) == "run has something in 1 of 9 whole days; it takes 3 to see a direction")
        // Two at the end of a long time with nothing would pass for a rise.
        let two = [Int](repeating: 0, count: 80) + [1, 1]
        #expect(sentence(two) == "run has something in 2 of 82 whole days; it takes 3 to see a direction")
        let first = today.advanced(by: -9)
        let old = tally([1] + [Int](repeating: 0, count: 30), today: today).trend(by: .day, from: first, today: today)
        #expect(
            old.sentence(about: "run") == "run has nothing in the last 9 whole days, so there is no direction to see")
    }

    @Test("values without a direction are said to have one in about one case of twenty at most")
    func chance() throws {
        let today = try day("2026-11-20")
        var dice = Dice(seed: 11)
        var claims = 0
        for _ in 0..<400 {
            let counts = (0..<60).map { _ in dice.number(below: 5) }
            if tally(counts, today: today).trend(by: .day, today: today).direction.kind != .unclear { claims += 1 }
        }
        #expect(claims <= 28)
    }

    @Test("neighbours that resemble each other are less of a direction")
    func resemblance() throws {
        let today = try day("2026-11-20")
        var dice = Dice(seed: 12)
        var claims = 0
        for _ in 0..<200 {
            var level = 0.0
            let counts = (0..<100).map { _ in
                level = 0.7 * level + dice.unit() - 0.5
                return Int(20 + 10 * level)
            }
            if tally(counts, today: today).trend(by: .day, today: today).direction.kind != .unclear { claims += 1 }
        }
        // Without the correction it would be twice as many.
        #expect(claims <= 40)
    }
}
