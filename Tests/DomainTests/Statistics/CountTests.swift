import Testing
import TrendyDomain

@Suite("counts")
struct CountTests {
    @Test("buckets without events are there, also across a year's end")
    func filled() throws {
        let tally = try tally([
            "2026-12-30T10:00:00Z", "2026-12-30T23:59:59Z", "2027-01-02T00:00:00Z", "2027-02-01T07:00:00Z",
        ])
        #expect(
            tally.counts(by: .day).lines.prefix(4) == [
                "2026-12-30 2", "2026-12-31 0", "2027-01-01 0", "2027-01-02 1",
            ])
        #expect(
            tally.counts(by: .week).lines == [
                "2026-W53 3", "2027-W01 0", "2027-W02 0", "2027-W03 0", "2027-W04 0", "2027-W05 1",
            ])
        #expect(tally.counts(by: .month).lines == ["2026-12 2", "2027-01 1", "2027-02 1"])
        #expect(
            tally.counts(by: .weekday).lines == [
                "Monday 1", "Tuesday 0", "Wednesday 2", "Thursday 0", "Friday 0", "Saturday 1", "Sunday 0",
            ])
        let hours = tally.counts(by: .hour)
        #expect(hours.buckets.count == 24)
        #expect(hours.lines.filter { !$0.hasSuffix(" 0") } == ["00 1", "07 1", "10 1", "23 1"])
    }

    @Test("the range that was asked for is covered, and nothing outside of it is hidden")
    func range() throws {
        let tally = try tally(["2026-11-18T10:00:00Z"])
        let asked = try day("2026-11-19")...day("2026-11-20")
        #expect(
            tally.counts(by: .day, covering: asked).lines == ["2026-11-18 1", "2026-11-19 0", "2026-11-20 0"])
        let empty = EventTally(in: FixedUTCOffset())
        #expect(empty.counts(by: .day, covering: asked).lines == ["2026-11-19 0", "2026-11-20 0"])
    }

    @Test("nothing logged is nothing counted", arguments: CountGrouping.allCases)
    func empty(grouping: CountGrouping) {
        let series = EventTally(in: FixedUTCOffset()).counts(by: grouping)
        #expect(series.total == 0 && series.largest == 0 && series.withoutBucket == 0)
        #expect(series.buckets.count == (grouping == .weekday ? 7 : grouping == .hour ? 24 : 0))
    }

    @Test("an event without a time of day is in no hour, and on its day")
    func allDay() throws {
        var tally = EventTally(in: FixedUTCOffset())
        tally.add(try moment("2026-11-20T00:00:00Z"), isAllDay: true)
        tally.add(try moment("2026-11-20T00:00:00Z"), count: 2)
        let hours = tally.counts(by: .hour)
        #expect(hours.buckets[0].count == 2 && hours.total == 2 && hours.withoutBucket == 1)
        #expect(tally.counts(by: .day).lines == ["2026-11-20 3"])
    }

    @Test("counts that are not positive add nothing")
    func notPositive() throws {
        var tally = EventTally(in: FixedUTCOffset())
        tally.add(try moment("2026-11-20T00:00:00Z"), count: 0)
        tally.add(try moment("2026-11-20T00:00:00Z"), count: -3)
        #expect(tally.days.total == 0 && tally.days.days == nil && tally.counts(by: .day).lines == [])
    }

    @Test("every grouping has every event once")
    func sums() throws {
        var dice = Dice(seed: 5)
        for _ in 0..<50 {
            var tally = EventTally(in: try zone("America/New_York"))
            let count = dice.number(below: 200)
            for _ in 0..<count { tally.add(Timestamp(milliseconds: Int64(dice.next() % 3_000_000_000_000))) }
            for grouping in CountGrouping.allCases { #expect(tally.counts(by: grouping).total == count) }
            #expect(tally.days.total == count)
        }
    }
}
