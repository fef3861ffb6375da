import Foundation
import Testing
import TrendyDomain

@Suite("local days and hours")
struct LocalTimeTests {
    static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia",
        "America/Sao_Paulo", "Africa/Casablanca", "Pacific/Kiritimati", "America/St_Johns", "Antarctica/Troll",
    ]

    @Test("agree with Foundation's calendar at any moment, in whatever order moments come", arguments: zones)
    func foundation(name: String) throws {
        let zone = try zone(name)
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        var dice = Dice(seed: 1)
        // From 1970 to 2037, what the time-zone database knows exactly.
        let moments = (0..<1500).map { _ in Timestamp(milliseconds: Int64(dice.next() % 2_114_380_800_000)) }
        for ordered in [moments, moments.sorted(), moments.sorted(by: >)] {
            var tally = EventTally(in: zone)
            for moment in ordered { tally.add(moment) }
            var expected: [String: Int] = [:]
            for moment in ordered {
                let parts = calendar.dateComponents(
                    [.year, .month, .day, .hour, .weekday, .yearForWeekOfYear, .weekOfYear], from: moment.date)
                let date = try #require(
                    CalendarDay(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0))
                let weekday = Weekday.allCases[((parts.weekday ?? 0) + 5) % 7]
                let week = CalendarWeek(containing: date)
                let number = String(format: "%04d-W%02d", parts.yearForWeekOfYear ?? -1, parts.weekOfYear ?? -1)
                #expect(week.description == number)
                for bucket in [
                    .day(date), .week(week), .month(date.month), .weekday(weekday), .hour(parts.hour ?? -1),
                ] as [TimeBucket] {
                    expected["\(bucket)", default: 0] += 1
                }
            }
            var found: [String: Int] = [:]
            for grouping in CountGrouping.allCases {
                for bucket in tally.counts(by: grouping).buckets where bucket.count > 0 {
                    found["\(bucket.bucket)"] = bucket.count
                }
            }
            #expect(found == expected)
        }
    }

    @Test(
        "are right around the moments at which clocks change",
        arguments: [
            // Clocks go from 02:00 to 03:00, and from 03:00 back to 02:00.
            ("Europe/Berlin", "2026-03-29T00:59:59Z", "2026-03-29", 1),
            ("Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29", 3),
            ("Europe/Berlin", "2026-03-29T21:59:59Z", "2026-03-29", 23),
            ("Europe/Berlin", "2026-03-29T22:00:00Z", "2026-03-30", 0),
            ("Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25", 2),
            ("Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25", 2),
            ("Europe/Berlin", "2026-10-25T22:59:59Z", "2026-10-25", 23),
            ("Europe/Berlin", "2026-10-25T23:00:00Z", "2026-10-26", 0),
            ("America/New_York", "2026-03-08T06:59:59Z", "2026-03-08", 1),
            ("America/New_York", "2026-03-08T07:00:00Z", "2026-03-08", 3),
            ("America/New_York", "2026-11-01T05:30:00Z", "2026-11-01", 1),
            ("America/New_York", "2026-11-01T06:30:00Z", "2026-11-01", 1),
            ("America/New_York", "2026-11-02T04:59:59Z", "2026-11-01", 23),
            // Half an hour: from 02:00 to 02:30 in October, back from 02:00 to 01:30 in April.
            ("Australia/Lord_Howe", "2026-10-03T15:29:59Z", "2026-10-04", 1),
            ("Australia/Lord_Howe", "2026-10-03T15:30:00Z", "2026-10-04", 2),
            ("Australia/Lord_Howe", "2026-04-04T14:59:59Z", "2026-04-05", 1),
            ("Australia/Lord_Howe", "2026-04-04T15:00:00Z", "2026-04-05", 1),
            ("Australia/Lord_Howe", "2026-04-04T15:30:00Z", "2026-04-05", 2),
            // Samoa left out 30 December 2011.
            ("Pacific/Apia", "2011-12-30T09:59:59Z", "2011-12-29", 23),
            ("Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31", 0),
        ])
    func changes(zone name: String, moment text: String, day: String, hour: Int) throws {
        let tally = try tally([text], in: zone(name))
        #expect(tally.counts(by: .day).lines == ["\(day) 1"])
        #expect(tally.counts(by: .hour).buckets[hour].count == 1)
    }

    @Test("a day of 23 or 25 hours is one day of a streak")
    func shortDays() throws {
        let berlin = try zone("Europe/Berlin")
        // Late in the evening of each local day, over both changes of 2026.
        let spring = ["2026-03-27T22:30:00Z", "2026-03-28T22:30:00Z", "2026-03-29T21:30:00Z", "2026-03-30T21:30:00Z"]
        let autumn = ["2026-10-24T21:30:00Z", "2026-10-25T22:30:00Z", "2026-10-26T22:30:00Z"]
        let inSpring = Streaks(try tally(spring, in: berlin).days, today: try day("2026-03-30"))
        #expect(inSpring.current?.length == 4)
        let inAutumn = Streaks(try tally(autumn, in: berlin).days, today: try day("2026-10-26"))
        #expect(inAutumn.current?.length == 3)
    }

    @Test("the moments at the ends of time, and beyond, count on some day")
    func ends() throws {
        for zone in [FixedUTCOffset(milliseconds: 50_400_000), FixedUTCOffset(milliseconds: -43_200_000)] {
            for milliseconds in [Int64.min, .max, Timestamp.earliest.milliseconds, Timestamp.latest.milliseconds] {
                var tally = EventTally(in: zone)
                tally.add(Timestamp(milliseconds: milliseconds))
                #expect(tally.counts(by: .month).total == 1 && tally.counts(by: .week).total == 1)
            }
        }
    }
}
