import Testing
import TrendyDomain

@Suite("values of a property over time")
struct ValueTests {
    private func tally(_ values: [(String, Double)], in zone: any UTCOffsetSource = FixedUTCOffset()) throws
        -> ValueTally
    {
        var tally = ValueTally(in: zone)
        for (text, value) in values { tally.add(value, at: try moment(text)) }
        return tally
    }

    @Test(
        "are added up, averaged over values, or the largest; a stretch without any has a sum and nothing else",
        arguments: [
            (Aggregation.sum, [9.0, 0, 7.5]), (.mean, [3, nil, 7.5]), (.max, [6, nil, 7.5]),
        ])
    func aggregation(_ aggregation: Aggregation, expected: [Double?]) throws {
        let tally = try tally([
            ("2026-11-02T10:00:00Z", 1), ("2026-11-02T11:00:00Z", 2), ("2026-11-08T23:59:59Z", 6),
            ("2026-11-16T00:00:00Z", 7.5),
        ])
        let trend = tally.trend(by: .week, aggregation: aggregation, today: try day("2026-11-20"), window: 2)
        #expect(trend.points.map(\.value) == expected)
    }

    @Test("the moving average of means leaves out stretches without a value")
    func averages() throws {
        let tally = try tally([("2026-11-02T10:00:00Z", 2), ("2026-11-04T10:00:00Z", 4)])
        let trend = tally.trend(by: .day, aggregation: .mean, today: try day("2026-11-07"), window: 2)
        #expect(trend.points.map(\.movingAverage) == [nil, 2, 4, 4, nil, nil])
    }

    @Test("are taken together by weekday, hour and stretches of the calendar; whole days are in no hour")
    func groupings() throws {
        var tally = try tally([
            ("2026-11-16T10:00:00Z", 1), ("2026-11-16T10:30:00Z", 2), ("2026-11-18T23:00:00Z", 6),
        ])
        tally.add(4, at: try moment("2026-11-18T00:00:00Z"), isAllDay: true)
        let days = try day("2026-11-16")...day("2026-11-18")
        let byDay = tally.values(by: .day, aggregation: .max, in: days)
        #expect(byDay.buckets.map(\.value) == [2, nil, 6] && byDay.buckets.map(\.count) == [2, 0, 2])
        #expect(byDay.value == 6 && byDay.count == 4)
        let byWeekday = tally.values(by: .weekday, aggregation: .sum, in: nil)
        #expect(byWeekday.buckets.map(\.value) == [3, 0, 10, 0, 0, 0, 0])
        let byHour = tally.values(by: .hour, aggregation: .mean, in: nil)
        #expect(byHour.buckets[10].value == 1.5 && byHour.buckets[23].value == 6 && byHour.buckets[0].value == nil)
        #expect(byHour.value == 3 && byHour.count == 3 && byHour.withoutBucket == 1)
        #expect(tally.values(by: .week, aggregation: .sum, in: nil).buckets.isEmpty)
        #expect(tally.value(aggregation: .sum) == 13)
    }

    @Test("negative values have a largest one too")
    func negative() throws {
        let tally = try tally([("2026-11-02T10:00:00Z", -5), ("2026-11-02T12:00:00Z", -2)])
        let days = try day("2026-11-01")...day("2026-11-03")
        #expect(tally.value(in: days, aggregation: .max) == -2 && tally.value(in: days, aggregation: .mean) == -3.5)
    }

    @Test("a mean is one where the sum leaves the range of numbers; the sum is one where it comes back")
    func large() throws {
        let large = try tally([("2026-11-02T10:00:00Z", 1e308), ("2026-11-02T11:00:00Z", 1e308)])
        #expect(large.value(aggregation: .mean) == 1e308 && large.value(aggregation: .sum) == .infinity)
        let both = try tally([
            ("2026-11-02T10:00:00Z", 1e308), ("2026-11-02T11:00:00Z", 1e308), ("2026-11-03T10:00:00Z", -1e308),
            ("2026-11-03T11:00:00Z", -1e308),
        ])
        #expect(both.value(aggregation: .sum) == 0 && both.value(aggregation: .mean) == 0)
        let apart = try tally([("2026-11-02T10:00:00Z", 1e308), ("2026-11-03T10:00:00Z", 1e308)])
        let trend = apart.trend(by: .day, aggregation: .mean, today: try day("2026-11-04"), window: 2)
        #expect(trend.points.map(\.movingAverage) == [nil, 1e308, 1e308])
        #expect(trend.direction.laterMean == 1e308)
    }

    @Test("what is no finite number is left out")
    func notFinite() throws {
        let text = "2026-11-02T10:00:00Z"
        let tally = try tally([(text, .nan), (text, .infinity), (text, -.infinity), (text, 3)])
        #expect(tally.count == 1)
        #expect(tally.value(in: try day("2026-11-02")...day("2026-11-02"), aggregation: .sum) == 3)
        #expect(
            ValueTally(in: FixedUTCOffset()).value(in: try day("2026-11-02")...day("2026-11-02"), aggregation: .mean)
                == nil)
    }

    @Test("the day of a value is the local one")
    func local() throws {
        let tally = try tally([("2026-11-01T04:30:00Z", 5)], in: zone("America/New_York"))
        #expect(tally.days == (try day("2026-11-01")...day("2026-11-01")))
        let before = try self.tally([("2026-11-01T03:30:00Z", 5)], in: zone("America/New_York"))
        #expect(before.days == (try day("2026-10-31")...day("2026-10-31")))
    }

    @Test("numbers and durations can be computed with, anything else cannot")
    func properties() {
        #expect(PropertyValue.number(5).statisticalValue == 5 && PropertyValue.duration(90).statisticalValue == 90)
        #expect(PropertyValue.text("5").statisticalValue == nil && PropertyValue.boolean(true).statisticalValue == nil)
        #expect(PropertyValue.number(.infinity).statisticalValue == nil)
    }
}
