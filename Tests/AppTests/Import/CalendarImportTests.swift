import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("trendy import ics")
struct CalendarImportTests {
    let shell: TestShell

    init() throws {
        shell = try TestShell()
        shell.zone = LocalZone(try #require(TimeZone(identifier: "Europe/Berlin")))
    }

    func importing(_ events: String, _ options: String...) async throws -> TestShell.Answer {
        let text = "BEGIN:VCALENDAR\nVERSION:2.0\nX-WR-CALNAME:Sport\n" + Self.outlook + events + "\nEND:VCALENDAR\n"
        let file = try shell.home.write(text.split(separator: "\n").joined(separator: "\r\n"), to: "in.ics")
        return try await shell.run(["import", "ics", file, "--json"] + options)
    }

    /// A zone as Outlook describes it, under a name that no system knows.
    private static let outlook = """
        BEGIN:VTIMEZONE
        TZID:Home office
        BEGIN:STANDARD
        DTSTART:16010101T030000
        TZOFFSETFROM:+0200
        TZOFFSETTO:+0100
        RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
        END:STANDARD
        BEGIN:DAYLIGHT
        DTSTART:16010101T020000
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0200
        RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
        END:DAYLIGHT
        END:VTIMEZONE

        """

    func starts() async throws -> [String] {
        try await shell.json("list", "--limit", "1000").array.compactMap { $0["timestamp"]?.stringValue }.sorted()
    }

    @Test("times are read in universal time, in zones by name, in zones of the file, and as the person's")
    func zones() async throws {
        let answer = try await importing(
            """
            BEGIN:VEVENT
            UID:1
            DTSTART:20260301T080000Z
            END:VEVENT
            BEGIN:VEVENT
            UID:2
            DTSTART;TZID=America/New_York:20260302T080000
            END:VEVENT
            BEGIN:VEVENT
            UID:3
            DTSTART;TZID=Home office:20260328T080000
            END:VEVENT
            BEGIN:VEVENT
            UID:4
            DTSTART;TZID="Home office":20260330T080000
            END:VEVENT
            BEGIN:VEVENT
            UID:5
            DTSTART:20260401T080000
            END:VEVENT
            BEGIN:VEVENT
            UID:6
            DTSTART;TZID=/example.org/1/America/New_York:20260402T080000
            END:VEVENT
            """)
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(
            try await starts() == [
                "2026-03-01T08:00:00.000Z", "2026-03-02T13:00:00.000Z", "2026-03-28T07:00:00.000Z",
                "2026-03-30T06:00:00.000Z", "2026-04-01T06:00:00.000Z", "2026-04-02T12:00:00.000Z",
            ])
    }

    @Test("texts, places, lengths and whole days are kept; alarms are not the event's")
    func fields() async throws {
        let answer = try await importing(
            """
            BEGIN:VEVENT
            UID:1
            DTSTART;VALUE=DATE:20260301
            DTEND;VALUE=DATE:20260304
            SUMMARY:Trip\\, long\\; with \\\\
            DESCRIPTION:first\\nsec
             ond
            CATEGORIES:travel,fun
            LOCATION:Köln
            GEO:50.94;6.96
            BEGIN:VALARM
            DESCRIPTION:ring
            SUMMARY:ring
            END:VALARM
            END:VEVENT
            BEGIN:VEVENT
            UID:2
            DTSTART:20260310T100000Z
            DURATION:PT1H30M
            SUMMARY:Run
            END:VEVENT
            """)
        #expect(try answer.json()["types_created"] == ["travel", "Sport"], "\(answer.errors)")
        let events = try await shell.json("list").array
        let trip = try #require(events.last)
        #expect(trip["original_title"] == "Trip, long; with \\" && trip["notes"] == "first\nsecond")
        #expect(trip["is_all_day"] == true && trip["location_name"] == "Köln" && trip["location_latitude"] == 50.94)
        #expect(trip["timestamp"] == "2026-02-28T23:00:00.000Z" && trip["end_date"] == "2026-03-02T23:00:00.000Z")
        #expect(events.first?["end_date"] == "2026-03-10T11:30:00.000Z")
        #expect(events.first?["source_type"] == "imported")
    }

    @Test("titles are read in one line, whatever their escapes, folds and parameters")
    func titles() async throws {
        let text = [
            "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", "DTSTART:20260301T080000Z",
            "SUMMARY;LANGUAGE=de:Kaffee\\, Tee\\; Milch\\nund Zuck", " er", "END:VEVENT", "BEGIN:VEVENT", "UID:2",
            "DTSTART:20260302T080000Z", "SUMMARY;ALTREP=\"http://x/y:z;,\":back\\\\slash\\N", "CATEGORIES:tea\\, hot,b",
            "END:VEVENT", "BEGIN:VEVENT", "UID:3", "DTSTART:20260303T080000Z", "END:VEVENT", "END:VCALENDAR", "",
        ].joined(separator: "\r\n")
        // Within a character, as programs fold that count bytes.
        var bytes = Array(text.utf8)
        let fold = try #require(bytes.firstRange(of: Array("Zuck".utf8))).lowerBound
        bytes.replaceSubrange(fold..<fold, with: [0xC3, 0x0D, 0x0A, 0x20, 0xA4])
        let file = shell.home.url.appending(path: "titles.ics")
        try Data(bytes).write(to: file)
        let answer = try await shell.run("import", "ics", file.path(percentEncoded: false), "--json")
        #expect(try answer.json()["types_created"] == ["calendar", "tea, hot"], "\(answer.errors)")
        let titles = try await shell.json("list").array.map { $0["original_title"] ?? .null }
        #expect(titles == [.null, "back\\slash", "Kaffee, Tee; Milch und äZucker"])
        // What a person sees.
        let list = try await shell.run("list").output
        #expect(list.contains("Kaffee, Tee; Milch und äZucker") && list.contains("back\\slash"), "\(list)")
    }

    @Test("texts that are too long are cut, and told; a long title is whole in the note")
    func longTexts() async throws {
        let title = String(repeating: "word ", count: 300)
        let answer = try await importing(
            """
            BEGIN:VEVENT
            UID:1
            DTSTART:20260301T080000Z
            SUMMARY:\(title)
            DESCRIPTION:the rest
            CATEGORIES:\(title)
            LOCATION:\(title)
            END:VEVENT
            BEGIN:VEVENT
            UID:2
            DTSTART:20260302T080000Z
            DESCRIPTION:\(String(repeating: title, count: 10))
            END:VEVENT
            """)
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(answer.errors.contains("2 events with a text that was too long"), "\(answer.errors)")
        let events = try await shell.json("list").array
        let event = try #require(events.last)
        #expect(event["original_title"]?.stringValue?.count == 1000)
        #expect(event["notes"]?.stringValue == title.dropLast() + "\n\nthe rest")
        #expect(event["location_name"]?.stringValue?.hasSuffix("…") == true)
        #expect(events.first?["notes"]?.stringValue?.count == 10_000)
        #expect(try answer.json()["types_created"]?.array.first?.stringValue?.count == 100)
        // What goes out and in again is the same.
        let calendar = try await shell.run("export", "ics").output
        let other = try TestShell()
        other.zone = shell.zone
        #expect(try await other.run(["import", "ics", "-"], input: calendar).status == 0)
        let there = try await other.json("list").array
        for field in ["original_title", "notes", "location_name", "timestamp"] {
            #expect(events.map { $0[field] } == there.map { $0[field] }, "\(field)")
        }
    }

    @Test("a series keeps its time of day across the change of the clocks, without what was taken out or moved")
    func series() async throws {
        let answer = try await importing(
            """
            BEGIN:VEVENT
            UID:s
            DTSTART;TZID=Europe/Berlin:20260322T080000
            RRULE:FREQ=WEEKLY;COUNT=4
            EXDATE;TZID=Europe/Berlin:20260405T080000
            SUMMARY:run
            END:VEVENT
            BEGIN:VEVENT
            UID:s
            RECURRENCE-ID;TZID=Europe/Berlin:20260412T080000
            DTSTART;TZID=Europe/Berlin:20260413T093000
            SUMMARY:moved
            END:VEVENT
            """)
        #expect(try answer.json()["imported"] == 3, "\(answer.errors)")
        #expect(
            try await starts() == [
                "2026-03-22T07:00:00.000Z", "2026-03-29T06:00:00.000Z", "2026-04-13T07:30:00.000Z",
            ])
    }

    @Test("a series without an end goes up to now, or through the window that is asked for")
    func window() async throws {
        let daily = "BEGIN:VEVENT\nUID:d\nDTSTART:20200101T070000Z\nRRULE:FREQ=DAILY\nEND:VEVENT"
        let asked = try await importing(daily, "--from", "2026-03-01", "--to", "2026-03-04 12:00")
        #expect(try asked.json()["imported"] == 4)
        let rest = try await importing(daily)
        #expect(try rest.json()["unchanged"] == 4)
        // Now is noon of 2026-03-10.
        #expect(try await starts().last == "2026-03-10T07:00:00.000Z")
        #expect(try rest.json()["remarks"]?.array.first?.stringValue?.contains("without an end") == true)
    }

    @Test("UNTIL is the last moment, or the last day")
    func until() async throws {
        _ = try await importing(
            """
            BEGIN:VEVENT
            UID:a
            DTSTART:20260101T070000Z
            RRULE:FREQ=DAILY;UNTIL=20260103T070000Z
            END:VEVENT
            BEGIN:VEVENT
            UID:b
            DTSTART;VALUE=DATE:20260201
            RRULE:FREQ=DAILY;UNTIL=20260202
            END:VEVENT
            """)
        #expect(
            try await starts() == [
                "2026-01-01T07:00:00.000Z", "2026-01-02T07:00:00.000Z", "2026-01-03T07:00:00.000Z",
                "2026-01-31T23:00:00.000Z", "2026-02-01T23:00:00.000Z",
            ])
    }

    @Test("the same calendar again adds nothing, also where the window has grown")
    func twice() async throws {
        let weekly =
            "BEGIN:VEVENT\nUID:w\nDTSTART:20260101T070000Z\nRRULE:FREQ=WEEKLY\nEND:VEVENT\n"
            + "BEGIN:VEVENT\nDTSTART:20260101T070000Z\nSUMMARY:no uid\nEND:VEVENT"
        #expect(try await importing(weekly, "--to", "2026-01-31").json()["imported"] == 6)
        #expect(try await importing(weekly, "--to", "2026-01-31").json()["imported"] == 0)
        #expect(try await importing(weekly, "--to", "2026-02-07").json()["imported"] == 1)
    }

    @Test("one bad event keeps the whole file out, with its line; or is passed over")
    func badEvents() async throws {
        let events =
            "BEGIN:VEVENT\nUID:1\nDTSTART:20260101T070000Z\nEND:VEVENT\n"
            + "BEGIN:VEVENT\nUID:2\nDTSTART;TZID=Nowhere/City:20260132T070000\nEND:VEVENT\n"
            + "BEGIN:VEVENT\nUID:3\nSUMMARY:x\nEND:VEVENT"
        let refused = try await importing(events)
        #expect(refused.status == 65)
        #expect(refused.errors.contains("line 23: '20260132T070000' in DTSTART is not a time"), "\(refused.errors)")
        #expect(refused.errors.contains("line 27: the event has no DTSTART"))
        #expect(try await starts().isEmpty)
        let rest = try await importing(events, "--skip-bad")
        #expect(rest.status == 65)
        #expect(try await starts().count == 1)
    }

    @Test(
        "what is not a calendar, or cut off, is refused whole",
        arguments: ["", "a,b\n1,2\n", "BEGIN:VCALENDAR\nBEGIN:VEVENT\n"])
    func noCalendar(text: String) async throws {
        let answer = try await shell.run(["import", "ics", "-", "--skip-bad"], input: text)
        #expect(answer.status == 65, "\(answer)")
        #expect(try await starts().isEmpty)
    }

    @Test("what is exported comes back as it was, and is here already where it came from")
    func roundTrip() async throws {
        _ = try await shell.json("type", "add", "run")
        let note = "line one\nä😀, \"b\"; " + String(repeating: "long ", count: 40)
        _ = try await shell.json(
            "log", "run", "--note", note, "--at", "9:15", "--until", "11:30", "--location", "Köln", "--lat", "50.9",
            "--lon", "-6.9")
        _ = try await shell.json("log", "run", "--all-day", "--at", "2026-03-01", "--until", "2026-03-02")
        let calendar = try await shell.run("export", "ics")
        #expect(try await shell.run(["import", "ics", "-", "--json"], input: calendar.output).json()["unchanged"] == 2)
        let other = try TestShell()
        other.zone = shell.zone
        let answer = try await other.run(["import", "ics", "-"], input: calendar.output)
        #expect(answer.status == 0, "\(answer.errors)")
        let (here, there) = (try await shell.json("list").array, try await other.json("list").array)
        for field in [
            "timestamp", "end_date", "notes", "is_all_day", "location_name", "location_latitude", "location_longitude",
        ] {
            #expect(here.map { $0[field] } == there.map { $0[field] }, "\(field)")
        }
    }

    @Test("lines of an export are at most 75 bytes, end with CRLF, and break between characters")
    func folding() async throws {
        _ = try await shell.json("type", "add", "run")
        _ = try await shell.json("log", "run", "--note", String(repeating: "ä😀", count: 60))
        let text = try await shell.run("export", "ics").output
        #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n") && text.hasSuffix("END:VCALENDAR\r\n"))
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
        #expect(lines.allSatisfy { $0.last == UInt8(ascii: "\r") && $0.count <= 76 })
        #expect(lines.contains { $0.count > 70 })
        #expect(lines.allSatisfy { String(validating: Array($0), as: UTF8.self) != nil })
        let id = try #require(try await shell.json("list").array.first?["id"]?.stringValue)
        #expect(text.contains("UID:\(id)\r\n"))
    }
}
