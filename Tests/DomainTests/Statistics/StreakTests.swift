import Testing
import TrendyDomain

@Suite("streaks and gaps")
struct StreakTests {
    private let days = ["2026-12-29", "2026-12-30", "2026-12-31", "2027-01-01", "2027-01-05", "2027-01-06"]

    @Test("a streak goes on until a whole day has passed without an event")
    func current() throws {
        let counts = try counts(on: days)
        let same = Streaks(counts, today: try day("2027-01-06"))
        #expect(same.current?.length == 2 && same.isTodayLogged)
        let next = Streaks(counts, today: try day("2027-01-07"))
        #expect(next.current?.length == 2 && !next.isTodayLogged)
        let later = Streaks(counts, today: try day("2027-01-08"))
        #expect(later.current == nil)
        let (first, last) = (try day("2026-12-29"), try day("2027-01-01"))
        #expect(later.longest?.first == first && later.longest?.last == last)
    }

    @Test("what lies after today has not happened")
    func future() throws {
        let streaks = Streaks(try counts(on: days), today: try day("2026-12-30"))
        #expect(streaks.current?.length == 2 && streaks.longest?.length == 2)
        let gaps = Gaps(try counts(on: days), today: try day("2026-12-30"))
        #expect(gaps.ended == [] && gaps.current == nil)
    }

    @Test("of equally long streaks and gaps the latest counts")
    func latest() throws {
        let counts = try counts(on: ["2026-01-01", "2026-01-02", "2026-01-05", "2026-01-06", "2026-01-09"])
        let today = try day("2026-02-01")
        #expect(Streaks(counts, today: today).longest?.first == (try day("2026-01-05")))
        #expect(Gaps(counts, today: today).longest?.after == (try day("2026-01-06")))
    }

    @Test("a gap has the days between, and today only once it is over")
    func gaps() throws {
        let counts = try counts(on: days)
        let gaps = Gaps(counts, today: try day("2027-01-10"))
        #expect(gaps.ended.map(\.length) == [3] && gaps.current?.length == 3)
        #expect(gaps.longest?.before == (try day("2027-01-05")))
        #expect(Gaps(counts, today: try day("2027-01-07")).current == nil)
        #expect(Gaps(counts, today: try day("2027-01-08")).current?.length == 1)
    }

    @Test("without events there is no streak and no gap")
    func empty() throws {
        let today = try day("2026-11-20")
        let streaks = Streaks(DayCounts(), today: today)
        #expect(streaks.current == nil && streaks.longest == nil && !streaks.isTodayLogged)
        let gaps = Gaps(DayCounts(), today: today)
        #expect(gaps.current == nil && gaps.longest == nil)
    }

    @Test("streaks and gaps together have each day from the first event to the last once")
    func partition() throws {
        var dice = Dice(seed: 9)
        let start = try day("2023-12-20")
        for _ in 0..<100 {
            var counts = DayCounts()
            for offset in 0..<60 where dice.chance(0.6) {
                counts.add(1 + dice.number(below: 3), on: start.advanced(by: offset))
            }
            guard let days = counts.days else { continue }
            let gaps = Gaps(counts, today: days.upperBound)
            #expect(gaps.ended.reduce(0) { $0 + $1.length } + counts.loggedDays.count == days.count)
            let longest = Streaks(counts, today: days.upperBound).longest?.length ?? 0
            let text = days.map { counts[$0] > 0 ? "x" : "." }.joined()
            #expect(text.split(separator: ".").map(\.count).max() == longest)
        }
    }
}
