import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp

extension CalendarImportTests {
    @Test("the same calendar from another time zone adds nothing, whether its times name a zone or not")
    func otherZone() async throws {
        let events =
            "BEGIN:VEVENT\nUID:f\nDTSTART:20260101T070000\nRRULE:FREQ=DAILY;COUNT=4\nEXDATE:20260102T070000\nEND:VEVENT\n"
            + "BEGIN:VEVENT\nUID:f\nRECURRENCE-ID:20260103T070000\nDTSTART:20260103T080000\nEND:VEVENT\n"
            + "BEGIN:VEVENT\nDTSTART:20260101T070000\nSUMMARY:no uid\nEND:VEVENT\n"
            + "BEGIN:VEVENT\nUID:d\nDTSTART;VALUE=DATE:20260101\nRRULE:FREQ=DAILY;COUNT=2\nEND:VEVENT\n"
            + "BEGIN:VEVENT\nUID:z\nDTSTART;TZID=Europe/Berlin:20260101T070000\nRRULE:FREQ=DAILY;COUNT=2\nEND:VEVENT"
        #expect(try await importing(events).json()["imported"] == 8)
        let ids = try await shell.json("list").array.compactMap { $0["id"]?.stringValue }.sorted()
        let before = try await starts()
        shell.zone = LocalZone(try #require(TimeZone(identifier: "America/New_York")))
        for rehearsal in [["--dry-run"], []] {
            let file = shell.home.path + "/in.ics"
            let answer = try await shell.run(["import", "ics", file, "--json"] + rehearsal)
            #expect(try answer.json()["imported"] == 0 && answer.json()["unchanged"] == 8, "\(answer.errors)")
        }
        #expect(try await starts() == before)
        #expect(try await shell.json("list").array.compactMap { $0["id"]?.stringValue }.sorted() == ids)
    }

    @Test("times that a clock never shows, or twice, are told, with how one of them is read")
    func clockChanges() async throws {
        let answer = try await importing(
            """
            BEGIN:VEVENT
            UID:1
            DTSTART:20250330T023000
            END:VEVENT
            BEGIN:VEVENT
            UID:2
            DTSTART;TZID=America/New_York:20251102T013000
            END:VEVENT
            BEGIN:VEVENT
            UID:3
            DTSTART;TZID=Home office:20251025T023000
            RRULE:FREQ=DAILY;COUNT=2
            END:VEVENT
            """)
        let remarks = try answer.json()["remarks"]?.array.compactMap(\.stringValue)
        #expect(
            remarks == [
                "1 time does not exist, because the clock was put forward: shifted to after the change "
                    + "(2025-03-30 02:30 as 03:30)",
                "2 times are ambiguous, because the clock was put back: read as the first of the two "
                    + "(2025-11-02 01:30 as 01:30-04:00)",
            ], "\(answer.errors)")
    }

    @Test("times of a zone that nobody knows are of this device's zone, which is told with the events")
    func unknownZone() async throws {
        let broken = "BEGIN:VTIMEZONE\nTZID:Broken\nBEGIN:STANDARD\nEND:STANDARD\nEND:VTIMEZONE\n"
        let answer = try await importing(
            broken + "BEGIN:VEVENT\nUID:1\nDTSTART:20260101T070000Z\nEND:VEVENT\n"
                + "BEGIN:VEVENT\nUID:2\nSUMMARY:Standup\nDTSTART;TZID=Custom Windows Time:20260102T070000\n"
                + "DTEND;TZID=Custom Windows Time:20260102T073000\nEND:VEVENT\n"
                + "BEGIN:VEVENT\nUID:3\nSUMMARY:Review\nDTSTART;TZID=Broken:20260103T070000\nEND:VEVENT")
        #expect(answer.status == 0, "\(answer.errors)")
        let json = try answer.json()
        #expect(json["imported"] == 3)
        let rule =
            "read in the time zone of this device"
        #expect(
            json["remarks"]?.array.compactMap(\.stringValue) == [
                "1 event has times in the unknown time zone 'Broken', \(rule): Review",
                "1 event has times in the unknown time zone 'Custom Windows Time', \(rule): Standup",
            ])
        let times = try await shell.run("list", "--format", "{{time}} {{end}}").output
        #expect(times.contains("2026-01-02 07:00 2026-01-02 07:30"), "\(times)")
    }
}
