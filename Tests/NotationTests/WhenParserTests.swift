import Foundation
import Testing
import TrendyDomain

@testable import TrendyNotation

@Suite("Reading times as people write them")
struct WhenParserTests {
    private func parser(_ zone: String, now: String) throws -> WhenParser {
        WhenParser(now: try #require(Timestamp(now)), zone: LocalZone(try #require(TimeZone(identifier: zone))))
    }

    private func check(_ text: String, _ zone: String, now: String, _ expected: String) throws {
        let found = try parser(zone, now: now).moment(text)
        #expect(found == Timestamp(expected), "'\(text)' in \(zone) at \(now) gave \(found?.description ?? "nothing")")
    }

    @Test(
        "each form means the local time that it says",
        arguments: [
            ("2026-11-20T14:30:00Z", "2026-11-20T14:30:00Z"),
            ("2026-11-20T14:30:00.25+05:30", "2026-11-20T09:00:00.250Z"),
            ("2026-11-20 14:30", "2026-11-20T13:30:00Z"),
            ("2026-11-20T14:30", "2026-11-20T13:30:00Z"),
            ("2026-11-20 14:30:15.5", "2026-11-20T13:30:15.500Z"),
            ("2026-11-20 14:30:00 +0530", "2026-11-20T09:00:00Z"),
            ("2026-11-20 14:30 Z", "2026-11-20T14:30:00Z"),
            ("2026-11-20T14:30Z", "2026-11-20T14:30:00Z"),
            ("2026-11-20T14:30:00+0530", "2026-11-20T09:00:00Z"),
            ("2026-11-20 14:30-02", "2026-11-20T16:30:00Z"),
            ("2026-11-20", "2026-11-19T23:00:00Z"),
            ("2026-7-4 8:05", "2026-07-04T06:05:00Z"),
            ("9:15", "2026-11-20T08:15:00Z"),
            ("9pm", "2026-11-20T20:00:00Z"),
            ("8:30 Uhr", "2026-11-20T07:30:00Z"),
            ("2026-11-18 8.30 Uhr", "2026-11-18T07:30:00Z"),
            ("yesterday 8 uhr", "2026-11-19T07:00:00Z"),
            ("8.30", "nothing"), ("uhr", "nothing"), ("25 uhr", "nothing"),
            ("12am", "2026-11-19T23:00:00Z"),
            ("12:30 pm", "2026-11-20T11:30:00Z"),
            ("noon", "2026-11-20T11:00:00Z"),
            ("yesterday at midnight", "2026-11-18T23:00:00Z"),
            ("yesterday 22:00", "2026-11-19T21:00:00Z"),
            ("mon 8am", "2026-11-16T07:00:00Z"),
            ("last mon 8am", "2026-11-16T07:00:00Z"),
            ("fri 8am", "2026-11-20T07:00:00Z"),
            ("friday", "2026-11-19T23:00:00Z"),
            ("last friday", "2026-11-12T23:00:00Z"),
            ("last fri 8am", "2026-11-13T07:00:00Z"),
            ("last nov 20", "2025-11-19T23:00:00Z"),
            ("last nov 19", "2026-11-18T23:00:00Z"),
            ("fri 23:00", "2026-11-13T22:00:00Z"),
            ("Saturday", "2026-11-13T23:00:00Z"),
            ("-90m", "2026-11-20T10:30:00Z"),
            ("-1d", "2026-11-19T12:00:00Z"),
            ("+2h", "2026-11-20T14:00:00Z"),
            ("nov 18 14:30", "2026-11-18T13:30:00Z"),
            ("18 november 2025", "2025-11-17T23:00:00Z"),
            ("Dec 24th", "2025-12-23T23:00:00Z"),
            ("29 feb 8:00", "2024-02-29T07:00:00Z"),
            ("31 nov", "nothing"), ("noveltime", "nothing"), ("-", "nothing"), ("-5", "nothing"),
            ("yesterday 9:00", "2026-11-19T08:00:00Z"),
            ("Yesterday", "2026-11-18T23:00:00Z"),
            ("today  09:00", "2026-11-20T08:00:00Z"),
            ("tomorrow 0:00", "2026-11-20T23:00:00Z"),
            ("now", "2026-11-20T12:00:00Z"),
            ("10m ago", "2026-11-20T11:50:00Z"),
            ("10 min ago", "2026-11-20T11:50:00Z"),
            ("1h30m ago", "2026-11-20T10:30:00Z"),
            ("1h30 ago", "2026-11-20T10:30:00Z"), ("-1h30", "2026-11-20T10:30:00Z"),
            ("2026/11/12", "2026-11-11T23:00:00Z"), ("2026/7/4 8:05", "2026-07-04T06:05:00Z"),
            ("2026/11/20T14:30", "2026-11-20T13:30:00Z"), ("2026/11-12", "nothing"),
            ("1.5 hours ago", "2026-11-20T10:30:00Z"),
            ("an hour ago", "2026-11-20T11:00:00Z"),
            ("90 seconds ago", "2026-11-20T11:58:30Z"),
            ("3 days ago", "2026-11-17T12:00:00Z"),
            ("a week ago", "2026-11-13T12:00:00Z"),
            ("half an hour ago", "2026-11-20T11:30:00Z"), ("half a minute ago", "2026-11-20T11:59:30Z"),
            ("1,5 hours ago", "2026-11-20T10:30:00Z"),
            ("1 month ago", "2026-10-20T11:00:00Z"), ("a month ago", "2026-10-20T11:00:00Z"),
            ("2 months ago", "2026-09-20T11:00:00Z"), ("9 months ago", "2026-02-20T12:00:00Z"),
            ("11 months ago", "2025-12-20T12:00:00Z"), ("1 year ago", "2025-11-20T12:00:00Z"),
            ("2y ago", "2024-11-20T12:00:00Z"), ("-1 month", "2026-10-20T11:00:00Z"),
            ("6:30 yesterday", "2026-11-19T05:30:00Z"), ("at 6:30 on monday", "2026-11-16T05:30:00Z"),
            ("yesterday at 6:30", "2026-11-19T05:30:00Z"), ("8 am yesterday", "2026-11-19T07:00:00Z"),
            ("noon yesterday", "2026-11-19T11:00:00Z"), ("14:30 nov 18 2025", "2025-11-18T13:30:00Z"),
            ("14:30 2026-11-18", "2026-11-18T13:30:00Z"),
            ("  14:30 ", "2026-11-20T13:30:00Z"),
            ("yesterday, 22:00", "2026-11-19T21:00:00Z"), ("22:00, yesterday", "2026-11-19T21:00:00Z"),
            ("one hour ago", "2026-11-20T11:00:00Z"), ("Two weeks ago", "2026-11-06T12:00:00Z"),
            ("this monday", "2026-11-15T23:00:00Z"), ("this fri 8am", "2026-11-20T07:00:00Z"),
            ("this sunday", "2026-11-21T23:00:00Z"), ("this noon", "nothing"),
            ("3 days ago 9:15", "2026-11-17T08:15:00Z"), ("9:15, a week ago", "2026-11-13T08:15:00Z"),
            ("a month ago at 8 am", "2026-10-20T06:00:00Z"), ("2 hours ago 9:15", "nothing"),
            ("day before yesterday", "2026-11-17T23:00:00Z"), ("the day before yesterday 9pm", "2026-11-18T20:00:00Z"),
            ("day after tomorrow", "2026-11-21T23:00:00Z"),
            ("2026-W47-3", "2026-11-17T23:00:00Z"), ("2026-w47-3 9:15", "2026-11-18T08:15:00Z"),
            ("2026-W53-7", "2027-01-02T23:00:00Z"), ("2025-W53-1", "nothing"), ("2026-W47-8", "nothing"),
            ("2026-W47", "nothing"),
            ("20261120T143000Z", "2026-11-20T14:30:00Z"), ("20261120T143000", "2026-11-20T13:30:00Z"),
            ("20261120", "nothing"),
        ])
    func forms(text: String, expected: String) throws {
        try check(text, "Europe/Berlin", now: "2026-11-20T12:00:00Z", expected)
    }

    @Test(
        "what is not a time is refused",
        arguments: [
            "", " ", "soon", "25:00", "12:60", "9", "24:00", "13pm", "0am",
            "2026-11-20 25:00", "2026-11-20 14:30 CET", "ago", "m ago", "10 ago",
            "10x ago", "1.5 days ago", "-5m ago", "99999999 days ago", "99999999999999999999999h ago",
            "yesterday tomorrow", "9:00 yesterday 9:00", "10:00 +0200", "١٠:٠٠", "2026-11-20T14:30:00+99:00",
            "nan ago", "now now", "half ago", "half an ago", "half a day ago", "1.5 months ago",
            "999999999 years ago", "a half hour ago", "1,500 hours ago",
        ])
    func refused(text: String) throws {
        let parser = try parser("Europe/Berlin", now: "2026-11-20T12:00:00Z")
        #expect(parser.moment(text) == nil)
        #expect { try parser.parse(text) } throws: { error in
            (error as? InputError)?.kind == .data && "\(error)".contains("yesterday 22:00")
                && "\(error)".contains("'trendy help times'") && "\(error)".count < 200
        }
    }

    @Test(
        "a length of time alone is refused with what would be a time", arguments: ["30m", "1h30", "2 days", "an hour"])
    func lengths(text: String) throws {
        let parser = try parser("Europe/Berlin", now: "2026-11-20T12:00:00Z")
        let hint = "write '\(text) ago', or '+\(text)' for the time after now"
        #expect { try parser.parse(text) } throws: {
            "\($0)" == "'\(text)' is a duration; \(hint)"
        }
        #expect(try parser.parse("\(text) ago") < parser.now)
        #expect(try parser.parse("+\(text)") > parser.now)
    }

    @Test("a period is refused with what it is for", arguments: ["last week", "this month", "Last Year", "2025-11"])
    func periods(text: String) throws {
        let parser = try parser("Europe/Berlin", now: "2026-11-20T12:00:00Z")
        #expect { try parser.parse(text) } throws: {
            "\($0)".contains("'\(text)' is a period") && "\($0)".contains("--since and --until")
        }
        #expect(try parser.parseSince(text) < parser.now)
    }

    @Test(
        "a period begins where people say that it does, and ends with its last moment",
        arguments: [
            ("last month", "2026-10-01T00:00", "2026-11-01T00:00"),
            ("next week", "2026-11-23T00:00", "2026-11-30T00:00"),
            ("november", "2026-11-01T00:00", "2026-12-01T00:00"), ("dec", "2025-12-01T00:00", "2026-01-01T00:00"),
            ("March 2024", "2024-03-01T00:00", "2024-04-01T00:00"), ("2025", "2025-01-01T00:00", "2026-01-01T00:00"),
            ("2025-12", "2025-12-01T00:00", "2026-01-01T00:00"), ("last night", "2026-11-19T20:00", "2026-11-20T06:00"),
            ("this morning", "2026-11-20T05:00", "2026-11-20T12:00"),
            ("tonight", "2026-11-20T18:00", "2026-11-21T00:00"),
        ])
    func bounds(text: String, start: String, end: String) throws {
        let parser = try parser("UTC", now: "2026-11-20T12:00:00Z")
        let range = try parser.parseRange(since: text, until: text)
        #expect(range.since == Timestamp(start + ":00Z") && range.until == Timestamp(end + ":00Z"))
    }

    @Test(
        "what a person says or types in a hurry is the time that he means, and in data it is none",
        arguments: [
            ("in 5 min", "2026-11-20T12:05"), ("in 2 days", "2026-11-22T12:00"), ("in an hour", "2026-11-20T13:00"),
            ("last night", "2026-11-19T22:00"), ("this morning", "2026-11-20T08:00"), ("tonight", "2026-11-20T20:00"),
            ("yesterday evening", "2026-11-19T19:00"), ("monday morning", "2026-11-16T08:00"),
            ("half past 8", "2026-11-20T08:30"), ("yesterday at half past 8 pm", "2026-11-19T20:30"),
            ("quarter to 9", "2026-11-20T08:45"), ("a quarter past 12pm", "2026-11-20T12:15"),
            ("20 past 7", "2026-11-20T07:20"), ("5 minutes to 7", "2026-11-20T06:55"), ("0915", "2026-11-20T09:15"),
            ("yesterday 2130", "2026-11-19T21:30"), ("20.11.", "2026-11-20T00:00"), ("21.11.", "2025-11-21T00:00"),
            ("1.2.2026 9:15", "2026-02-01T09:15"), ("20261120", "2026-11-20T00:00"),
            ("20261120T1430", "2026-11-20T14:30"),
        ])
    func spoken(text: String, expected: String) throws {
        let parser = try parser("UTC", now: "2026-11-20T12:00:00Z")
        #expect(try parser.parse(text) == Timestamp(expected + ":00Z"))
        #expect(parser.moment(text) == nil || text.hasPrefix("20261120T"))
    }

    @Test(
        "the next weekday is the first one after today",
        arguments: [
            ("next friday", "2026-11-27"), ("next sat 9:15", "2026-11-21T09:15"), ("next thursday", "2026-11-26"),
        ])
    func next(text: String, expected: String) throws {
        let whole = expected.count == 10 ? expected + "T00:00" : expected
        try check(text, "UTC", now: "2026-11-20T12:00:00Z", whole + ":00Z")
    }

    @Test(
        "what is said so of no time is refused", arguments: ["half past 25", "quarter to", "2460", "40.11.", "in love"])
    func notSpoken(text: String) throws {
        let parser = try parser("UTC", now: "2026-11-20T12:00:00Z")
        #expect(throws: InputError.self) { try parser.parse(text) }
    }

    @Test(
        "a day that no calendar has is refused with why",
        arguments: [
            ("2026-02-30", "February 2026 has 28 days"), ("2024-02-30 9:00", "February 2024 has 29 days"),
            ("2026-02-29T14:30", "February 2026 has 28 days"), ("2026-11-31", "November 2026 has 30 days"),
            ("2026/02/30", "February 2026 has 28 days"), ("2026-13-01", "a year has 12 months"),
            ("2026-00-10", "a year has 12 months"),
            ("2026-01-00", "January 2026 has 31 days"), ("nov 31", "November has 30 days"),
            ("30 feb", "February has 29 days at most"), ("feb 29 2026", "February 2026 has 28 days"),
            ("31 june 2025 9:00", "June 2025 has 30 days"), ("30.2.2026", "February 2026 has 28 days"),
        ])
    func missingDays(text: String, reason: String) throws {
        let parser = try parser("Europe/Berlin", now: "2026-11-20T12:00:00Z")
        #expect(parser.moment(text) == nil)
        #expect { try parser.parse(text) } throws: {
            "\($0)".contains("'\(text)' is not a day of the calendar: \(reason)")
        }
    }

    @Test("a day that was left out where the date line moved is refused as its times are")
    func leftOut() throws {
        let apia = try parser("Pacific/Apia", now: "2012-01-10T12:00:00Z")
        for text in ["2011-12-30", "2011-12-30 12:00", "30 dec 2011"] {
            #expect { try apia.parse(text) } throws: { "\($0)".contains("'\(text)' does not exist") }
        }
        #expect { try apia.parse("2011-12-30") } throws: { "\($0)".hasSuffix("write 2011-12-31") }
        #expect(try apia.parse("2011-12-31") == Timestamp("2011-12-30T10:00:00Z"))
        // Here the clock was put forward at midnight.
        let cairo = try parser("Africa/Cairo", now: "2026-05-01T12:00:00Z")
        #expect(throws: Never.self) { try cairo.parse("2026-04-24") }
    }

    @Test(
        "a named week, month or year is its beginning for since and its end for until, and else no time",
        arguments: [
            ("this week", "2026-01-05", "2026-01-12"), ("Last  Week", "2025-12-29", "2026-01-05"),
            ("this month", "2026-01-01", "2026-02-01"), ("last month", "2025-12-01", "2026-01-01"),
            ("this year", "2026-01-01", "2027-01-01"), ("last year", "2025-01-01", "2026-01-01"),
        ])
    func periods(text: String, start: String, end: String) throws {
        let parser = try parser("Europe/Berlin", now: "2026-01-11T12:00:00Z")
        #expect(try parser.parseSince(text) == parser.parse(start))
        #expect(try parser.parseUntil(text) == parser.parse(end))
        #expect(try parser.parseSince(start) == parser.parse(start))
        #expect(throws: InputError.self) { try parser.parse(text) }
    }

    @Test(
        "a day without a time of day is its beginning for since and the midnight after it for until",
        arguments: [
            ("yesterday", "2026-10-24", "2026-10-25"), ("today", "2026-10-25", "2026-10-26"),
            ("2026-10-25", "2026-10-25", "2026-10-26"), ("monday", "2026-10-19", "2026-10-20"),
            ("oct 20", "2026-10-20", "2026-10-21"), ("2025-12-31", "2025-12-31", "2026-01-01"),
        ])
    func days(text: String, start: String, end: String) throws {
        let parser = try parser("Europe/Berlin", now: "2026-10-25T12:00:00Z")
        #expect(try parser.parseSince(text) == parser.parse(start))
        #expect(try parser.parseUntil(text) == parser.parse(end))
    }

    @Test(
        "until a time of day is that moment",
        arguments: ["9:00", "yesterday 0:00", "midnight", "2026-10-24 14:30", "3 days ago", "2026-10-25T00:00:00Z"])
    func untilMoments(text: String) throws {
        let parser = try parser("Europe/Berlin", now: "2026-10-25T12:00:00Z")
        #expect(try parser.parseUntil(text) == parser.parse(text))
    }

    @Test("a month ago is the last day of a month that is too short")
    func shortMonth() throws {
        for (text, expected) in [
            ("1 month ago", "2026-02-28T12:00:00Z"), ("13 months ago", "2025-02-28T12:00:00Z"),
            ("25 months ago", "2024-02-29T12:00:00Z"), ("2 months ago", "2026-01-31T12:00:00Z"),
        ] {
            try check(text, "UTC", now: "2026-03-31T12:00:00Z", expected)
        }
    }

    @Test(
        "a date that is written otherwise elsewhere is refused with how to write it",
        arguments: [
            ("11/20/2026 9:00", "as 2026-11-20"),
            ("11/12/2026", "write 2026-11-12 or 2026-12-11"), ("3/3/2026", "as 2026-03-03"),
        ])
    func otherDates(text: String, hint: String) throws {
        let parser = try parser("Europe/Berlin", now: "2026-11-20T12:00:00Z")
        #expect { try parser.parse(text) } throws: { "\($0)".contains(hint) }
    }

    @Test(
        "a time that clocks skip is as long after the change as it would have been",
        arguments: [
            ("Europe/Berlin", "2026-03-29 02:30", "2026-03-29T01:30:00Z"),
            ("America/New_York", "2026-03-08 02:15", "2026-03-08T07:15:00Z"),
            ("Australia/Lord_Howe", "2026-10-04 02:10", "2026-10-03T15:40:00Z"),
        ])
    func skipped(zone: String, text: String, expected: String) throws {
        try check(text, zone, now: "2026-12-01T00:00:00Z", expected)
    }

    @Test(
        "a time that clocks show twice is the first of both",
        arguments: [
            ("Europe/Berlin", "2026-10-25 02:30", "2026-10-25T00:30:00Z"),
            ("America/New_York", "2026-11-01 01:15", "2026-11-01T05:15:00Z"),
            ("Australia/Lord_Howe", "2026-04-05 01:45", "2026-04-04T14:45:00Z"),
        ])
    func twice(zone: String, text: String, expected: String) throws {
        try check(text, zone, now: "2026-12-01T00:00:00Z", expected)
    }

    @Test(
        "yesterday and days ago keep the time of day across a change of clocks; hours do not",
        arguments: [
            ("yesterday 9:00", "2026-10-24T07:00:00Z"), ("2 days ago", "2026-10-24T10:00:00Z"),
            ("48h ago", "2026-10-24T11:00:00Z"), ("today 2:59", "2026-10-26T01:59:00Z"),
        ])
    func acrossChange(text: String, expected: String) throws {
        let now = text.contains("yesterday") ? "2026-10-25T10:00:00Z" : "2026-10-26T11:00:00Z"
        try check(text, "Europe/Berlin", now: now, expected)
    }

    @Test(
        "today is the day where the person is",
        arguments: [
            ("Pacific/Auckland", "2026-11-20T23:30:00Z", "2026-11-20T20:00:00Z"),
            ("America/Los_Angeles", "2026-11-20T03:00:00Z", "2026-11-19T17:00:00Z"),
            ("Asia/Kolkata", "2026-11-20T20:00:00Z", "2026-11-21T03:30:00Z"),
        ])
    func today(zone: String, now: String, expected: String) throws {
        try check("9:00", zone, now: now, expected)
    }

    @Test("data from elsewhere may count seconds since 1970")
    func epoch() throws {
        let parser = try parser("UTC", now: "2026-11-20T12:00:00Z")
        #expect(parser.momentOrEpoch("1700000000") == Timestamp("2023-11-14T22:13:20Z"))
        #expect(parser.momentOrEpoch("1700000000.25") == Timestamp("2023-11-14T22:13:20.250Z"))
        #expect(parser.momentOrEpoch("-1") == Timestamp("1969-12-31T23:59:59Z"))
        #expect(parser.momentOrEpoch("2026-11-20") == Timestamp("2026-11-20T00:00:00Z"))
        #expect(parser.momentOrEpoch("12-3") == nil)
        #expect(parser.moment("1700000000") == nil)
    }
}

@Suite("The local time zone")
struct LocalZoneTests {
    @Test("the machine's zone agrees with Foundation's rules in every hour of a year")
    func systemZone() {
        let foundation = LocalZone(TimeZone.current)
        for hour in 0..<8784 {
            let moment = Timestamp(milliseconds: 1_767_225_600_000 + Int64(hour) * 3_600_000)
            #expect(LocalZone.system.civil(moment) == foundation.civil(moment))
        }
    }

    @Test(
        "every moment of a year comes back from what the clock shows, or is the second showing of it",
        arguments: ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"])
    func roundTrip(name: String) throws {
        let zone = LocalZone(try #require(TimeZone(identifier: name)))
        for quarter in stride(from: 0, to: 35_136, by: 3) {
            let moment = Timestamp(milliseconds: 1_767_225_600_000 + Int64(quarter) * 900_000)
            let back = zone.moment(zone.civil(moment))
            #expect(zone.civil(back) == zone.civil(moment))
            #expect(back <= moment && moment.milliseconds - back.milliseconds <= 3_600_000)
        }
    }
}
