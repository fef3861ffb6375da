import Foundation
import Testing
import TrendyDomain

@Suite("the days of all-day events")
struct AllDayTests {
    static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "Pacific/Auckland", "Pacific/Honolulu", "America/Los_Angeles",
        "America/Havana", "America/St_Johns", "Atlantic/Azores", "Africa/Cairo", "Asia/Kolkata", "Asia/Kathmandu",
        "Australia/Lord_Howe", "Pacific/Apia",
    ]

    /// The moments at which the days of a year begin, as Foundation has them.
    private func beginnings(in zone: TimeZone) throws -> [(day: CalendarDay, moment: Timestamp)] {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        let first = try day("2026-01-01")
        return try (0..<365).map { number in
            let day = first.advanced(by: number)
            let (year, month, dayOfMonth) = day.date
            let components = DateComponents(year: year, month: month, day: dayOfMonth, hour: 12)
            let noon = try #require(calendar.date(from: components))
            return (day, Timestamp(calendar.startOfDay(for: noon)))
        }
    }

    @Test("are the same in every zone, wherever they were logged, also when clocks change", arguments: zones)
    func everywhere(logged: String) throws {
        let days = try beginnings(in: try zone(logged))
        for name in Self.zones {
            let viewer = try zone(name)
            let wrong = days.filter { viewer.day(ofAllDay: $0.moment) != $0.day }
            #expect(wrong.isEmpty, "\(logged), seen from \(name): \(wrong.prefix(3))")
        }
    }

    @Test(
        "are right where they were logged, also where midnights are those of others",
        arguments: ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Pacific/Chatham", "Etc/GMT+12"])
    func farOut(name: String) throws {
        let zone = try zone(name)
        for (day, moment) in try beginnings(in: zone) { #expect(zone.day(ofAllDay: moment) == day) }
    }

    @Test("are those of the clock here where the moment is no midnight anywhere")
    func chosenMoments() throws {
        let newYork = try zone("America/New_York")
        let (ninth, tenth) = (try day("2026-03-09"), try day("2026-03-10"))
        #expect(try newYork.day(ofAllDay: moment("2026-03-09T23:00:00Z")) == tenth)
        #expect(try newYork.day(ofAllDay: moment("2026-03-09T23:00:00.001Z")) == ninth)
        #expect(try newYork.day(ofAllDay: moment("2026-03-10T03:07:00Z")) == ninth)
    }

    @Test("have a first and a last one")
    func extremes() {
        let zone = FixedUTCOffset(milliseconds: -5 * 3_600_000)
        let (least, greatest) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
        #expect(zone.day(ofAllDay: least) == zone.day(ofAllDay: .earliest))
        #expect(zone.day(ofAllDay: greatest) == zone.day(ofAllDay: .latest))
    }

    @Test("begin where a database finds their beginnings", arguments: -12...14)
    func fixedStarts(hours: Int) throws {
        try expectStarts(in: FixedUTCOffset(milliseconds: Int64(hours) * 3_600_000), seed: hours + 100)
    }

    @Test("begin where a database finds their beginnings, when clocks change", arguments: zones + ["Pacific/Chatham"])
    func changingStarts(name: String) throws {
        try expectStarts(in: try zone(name), seed: 7)
    }

    private func expectStarts(in zone: some UTCOffsetSource, seed: Int) throws {
        let hour = 3_600_000
        let first = try moment("2026-01-01T00:00:00Z")
        let local = { (moment: Timestamp) in
            (moment.milliseconds + zone.utcOffset(at: moment)) / (24 * Int64(hour))
        }
        var dice = Dice(seed: seed)
        for _ in 0..<2000 {
            var line = first.advanced(byMilliseconds: Int64(dice.number(below: 365 * 24 * 4) * hour / 4))
            if dice.chance(0.3) { line = line.advanced(byMilliseconds: 1) }
            var moment = line.advanced(byMilliseconds: Int64((dice.number(below: 321) - 160) * hour / 4))
            if dice.chance(0.3) { moment = moment.advanced(byMilliseconds: 1) }
            let isBeginning = local(line.advanced(byMilliseconds: -1)) != local(line)
            let day = CalendarDay(daysSince1970: Int(local(line)) + (isBeginning ? 0 : 1))
            let isReached = DayStart(atOrAfter: line, in: zone).isReached(by: moment)
            #expect(isReached == (zone.day(ofAllDay: moment) >= day), "\(line) \(moment)")
        }
    }

    @Test("count in tallies and decide in filters")
    func tallies() throws {
        let newYork = try zone("America/New_York")
        let logged = try moment("2026-03-09T23:00:00Z")
        var events = EventTally(in: newYork)
        events.add(logged, isAllDay: true)
        #expect(events.counts(by: .day).lines == ["2026-03-10 1"])
        var values = ValueTally(in: newYork)
        values.add(3, at: logged, isAllDay: true)
        let tenth = try day("2026-03-10")
        #expect(values.days == tenth...tenth)
        let midnight = try moment("2026-03-10T04:00:00Z")
        let since = EventInterval(since: midnight).byDays(in: newYork)
        let until = EventInterval(until: midnight).byDays(in: newYork)
        #expect(since.includes(logged, isAllDay: true) && !since.includes(logged, isAllDay: false))
        #expect(!until.includes(logged, isAllDay: true) && until.includes(logged, isAllDay: false))
    }
}
