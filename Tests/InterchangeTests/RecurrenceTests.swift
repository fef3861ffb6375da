import Testing
import TrendyDomain
import TrendyNotation

@testable import TrendyInterchange

@Suite("Recurrence rules")
struct RecurrenceTests {
    private func times(_ rule: String, from start: String, until end: String = "20991231T000000") throws -> [String] {
        let start = try #require(CompactTime(start))
        let end = try #require(CompactTime(end))
        var recurrence = Recurrence(try RecurrenceRule(rule), from: start.civil, end: end.civil)
        var found: [String] = []
        while let time = try recurrence.next(), found.count < 100 {
            let clock = start.isDay ? "" : "T\(twoDigits(time.hour))\(twoDigits(time.minute))"
            found.append("\(time.year)-\(twoDigits(time.month))-\(twoDigits(time.day))\(clock)")
        }
        return found
    }

    /// Examples of RFC 5545, section 3.8.5.3, among others.
    @Test(
        "give the times that RFC 5545 says",
        arguments: [
            ("FREQ=DAILY;COUNT=3", "19970902", ["1997-09-02", "1997-09-03", "1997-09-04"]),
            ("FREQ=DAILY;INTERVAL=10;COUNT=3", "19970902", ["1997-09-02", "1997-09-12", "1997-09-22"]),
            (
                "FREQ=WEEKLY;COUNT=4;WKST=SU;BYDAY=TU,TH", "19970902",
                ["1997-09-02", "1997-09-04", "1997-09-09", "1997-09-11"]
            ),
            (
                "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "19970805",
                ["1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24"]
            ),
            (
                "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "19970805",
                ["1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31"]
            ),
            ("FREQ=MONTHLY;COUNT=3;BYDAY=1FR", "19970905", ["1997-09-05", "1997-10-03", "1997-11-07"]),
            (
                "FREQ=MONTHLY;INTERVAL=2;COUNT=4;BYDAY=1SU,-1SU", "19970907",
                ["1997-09-07", "1997-09-28", "1997-11-02", "1997-11-30"]
            ),
            ("FREQ=MONTHLY;COUNT=3;BYDAY=-2MO", "19970922", ["1997-09-22", "1997-10-20", "1997-11-17"]),
            ("FREQ=MONTHLY;COUNT=3;BYMONTHDAY=-3", "19970928", ["1997-09-28", "1997-10-29", "1997-11-28"]),
            (
                "FREQ=MONTHLY;COUNT=4;BYMONTHDAY=1,-1", "19970930",
                ["1997-09-30", "1997-10-01", "1997-10-31", "1997-11-01"]
            ),
            ("FREQ=MONTHLY;COUNT=3", "20260131", ["2026-01-31", "2026-03-31", "2026-05-31"]),
            ("FREQ=YEARLY;COUNT=3;BYMONTH=6,7", "19970610", ["1997-06-10", "1997-07-10", "1998-06-10"]),
            ("FREQ=YEARLY;COUNT=3;BYDAY=20MO", "19970519", ["1997-05-19", "1998-05-18", "1999-05-17"]),
            ("FREQ=YEARLY;COUNT=3;BYMONTH=3;BYDAY=TH", "19970313", ["1997-03-13", "1997-03-20", "1997-03-27"]),
            (
                "FREQ=YEARLY;COUNT=2;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "19961105",
                ["1996-11-05", "2000-11-07"]
            ),
            ("FREQ=YEARLY;COUNT=2", "20240229", ["2024-02-29", "2028-02-29"]),
            ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3", "19980213", ["1998-02-13", "1998-03-13", "1998-11-13"]),
            // Which weekday of the month, or of the year, beside a day of the month.
            ("FREQ=MONTHLY;BYDAY=-1FR;BYMONTHDAY=28;COUNT=2", "20200228", ["2020-02-28", "2020-08-28"]),
            ("FREQ=YEARLY;BYDAY=-1TU;BYMONTHDAY=-1,2;COUNT=2", "20241231", ["2024-12-31", "2030-12-31"]),
            ("FREQ=YEARLY;BYMONTHDAY=-1,31;COUNT=3", "20260131", ["2026-01-31", "2026-02-28", "2026-03-31"]),
            (
                "FREQ=MONTHLY;COUNT=3;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "19970929",
                ["1997-09-29", "1997-10-30", "1997-11-27"]
            ),
            ("FREQ=DAILY;BYDAY=SA;COUNT=2", "20260307", ["2026-03-07", "2026-03-14"]),
            (
                "FREQ=HOURLY;INTERVAL=3;COUNT=3", "19970902T090000",
                ["1997-09-02T0900", "1997-09-02T1200", "1997-09-02T1500"]
            ),
            (
                "FREQ=MINUTELY;INTERVAL=90;COUNT=3", "19970902T233000",
                ["1997-09-02T2330", "1997-09-03T0100", "1997-09-03T0230"]
            ),
        ])
    func examples(rule: String, start: String, expected: [String]) throws {
        #expect(try times(rule, from: start) == expected)
    }

    @Test("a start that the rule does not give counts all the same")
    func startCounts() throws {
        #expect(
            try times("FREQ=WEEKLY;BYDAY=MO;COUNT=3", from: "20260303") == ["2026-03-03", "2026-03-09", "2026-03-16"])
    }

    @Test("a rule without an end stops where it is told to, and begins near where it is wanted")
    func bounds() throws {
        let start = try #require(CompactTime("20200106T070000"))
        let begin = try #require(CompactTime("20260301T000000"))
        let end = try #require(CompactTime("20260320T000000"))
        var recurrence = Recurrence(
            try RecurrenceRule("FREQ=WEEKLY;INTERVAL=2"), from: start.civil, begin: begin.civil, end: end.civil)
        var days: [Int] = []
        while let time = try recurrence.next() { if time.year == 2026, time.month == 3 { days.append(time.day) } }
        #expect(days == [9])
    }

    @Test("a rule that never gives a time ends")
    func impossible() throws {
        #expect(try times("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", from: "20260301") == ["2026-03-01"])
    }

    @Test(
        "what is not understood is refused, and not guessed",
        arguments: [
            "FREQ=FORTNIGHTLY", "INTERVAL=2", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;COUNT=x", "FREQ=DAILY;BYDAY=XX",
            "FREQ=MONTHLY;BYMONTHDAY=32", "FREQ=YEARLY;BYWEEKNO=20", "FREQ=DAILY;UNTIL=tomorrow",
            "FREQ=DAILY;BYDAY=60MO", "x",
        ])
    func refused(rule: String) {
        #expect(throws: RowError.self) { try RecurrenceRule(rule) }
    }
}
