import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("All-day events in other time zones")
struct AllDayTests {
    nonisolated static let zones = ["Europe/Berlin", "America/New_York", "Pacific/Auckland", "UTC"]

    private let shell: TestShell
    private let trip: String

    init() async throws {
        shell = try TestShell()
        // The 10th of March in all of these zones.
        shell.clock.set(try #require(Timestamp("2026-03-10T10:30:00Z")))
        trip = try await shell.makeType("trip")
        try setZone("Europe/Berlin")
    }

    private func setZone(_ name: String) throws {
        shell.zone = LocalZone(try #require(TimeZone(identifier: name)))
    }

    /// An event of the 9th and the 10th, or of the 10th alone, logged in Berlin.
    private func logTrip(from first: String = "2026-03-10", until last: String? = nil) async throws -> JSONValue {
        let until = last.map { ["--until", $0] } ?? []
        let answer = try await shell.run(["log", "trip", "--all-day", "--at", first, "--json"] + until)
        return try answer.json()
    }

    @Test("an edit of something else leaves the moments as they are", arguments: zones)
    func edit(name: String) async throws {
        let logged = try await logTrip(from: "2026-03-09", until: "2026-03-10")
        let id = try #require(logged["id"]?.stringValue)
        try setZone(name)
        for arguments in [["--note", "x"], ["--all-day"], ["--location", "Rome"]] {
            let edited = try await shell.run(["edit", id, "--json"] + arguments).json()
            #expect(edited["timestamp"] == "2026-03-08T23:00:00.000Z")
            #expect(edited["end_date"] == "2026-03-09T23:00:00.000Z")
        }
        #expect(try await shell.output("edit", id, "--note", "y").contains("2026-03-09 to 2026-03-10"))
    }

    @Test("an edit of the days takes the others along to the midnights of here")
    func editDays() async throws {
        let id = try #require(try await logTrip()["id"]?.stringValue)
        try setZone("America/New_York")
        let longer = try await shell.json("edit", id, "--until", "2026-03-10")
        #expect(longer["timestamp"] == "2026-03-10T04:00:00.000Z")
        #expect(longer["end_date"] == "2026-03-10T04:00:00.000Z")
        let earlier = try await shell.json("edit", id, "--at", "2026-03-09")
        #expect(earlier["timestamp"] == "2026-03-09T04:00:00.000Z")
        #expect(earlier["end_date"] == "2026-03-10T04:00:00.000Z")
    }

    @Test("what is no all-day event any more begins with its day")
    func notAllDay() async throws {
        let id = try #require(try await logTrip()["id"]?.stringValue)
        try setZone("America/New_York")
        let edited = try await shell.json("edit", id, "--no-all-day")
        #expect(edited["is_all_day"] == false && edited["timestamp"] == "2026-03-10T04:00:00.000Z")
    }

    @Test("list, show, today and week have them on their day", arguments: zones)
    func shown(name: String) async throws {
        let id = try #require(try await logTrip()["id"]?.stringValue)
        try setZone(name)
        let day = ["--since", "2026-03-10", "--until", "2026-03-10", "--json"]
        #expect(try await shell.run(["list"] + day).json().array.count == 1)
        #expect(try await shell.json("list", "--until", "2026-03-09").array.isEmpty)
        #expect(try await shell.json("list", "--since", "2026-03-11").array.isEmpty)
        #expect(try await shell.output("list").hasPrefix("Today, Tuesday 2026-03-10\n"))
        let columns = try await shell.output("list", "--columns", "time,date,weekday")
        #expect(columns.contains("2026-03-10  2026-03-10  Tuesday"))
        #expect(try await shell.output("show", id).contains("2026-03-10\n"))
        #expect(try await shell.output("today").hasSuffix("\n1 event: trip 1\n"))
        #expect(try await shell.output("week").contains("Today, Tuesday 2026-03-10\n  \(ShortId.of(id))  all day"))
    }

    @Test("those of several days are shown on each of them", arguments: zones)
    func several(name: String) async throws {
        _ = try await logTrip(from: "2026-03-08", until: "2026-03-10")
        try setZone(name)
        #expect(try await shell.json("today").array.count == 1)
        #expect(try await shell.output("today").contains("until 2026-03-10"))
        let week = try await shell.output("week").split(separator: "\n").filter { $0.contains("all day") }
        #expect(week.count == 2)
        shell.clock.advance(bySeconds: 86_400)
        #expect(try await shell.json("today").array.isEmpty)
    }

    @Test("statistics and reports count them on their day", arguments: zones)
    func counted(name: String) async throws {
        _ = try await logTrip()
        try setZone(name)
        let days = try await shell.json(
            "stats", "trip", "--by", "day", "--since", "2026-03-09", "--until", "2026-03-11")["buckets"]?.array
        #expect(days?.compactMap { $0["count"] } == [0, 1, 0])
        let usual = try await shell.json("stats", "trip", "--by", "day")["buckets"]?.array
        #expect(usual?.last?["bucket"] == "2026-03-10" && usual?.last?["count"] == 1)
        #expect(try await shell.json("stats", "--since", "2026-03-10")["total"] == 1)
        #expect(try await shell.json("stats", "--until", "2026-03-09")["total"] == 0)
    }

    @Test("exports to calendars have their days", arguments: zones)
    func exported(name: String) async throws {
        _ = try await logTrip(from: "2026-03-09", until: "2026-03-10")
        try setZone(name)
        let calendar = try await shell.output("export", "ics")
        #expect(calendar.contains("DTSTART;VALUE=DATE:20260309\r\n"))
        #expect(calendar.contains("DTEND;VALUE=DATE:20260311\r\n"))
    }

    @Test("they stand where their day begins, and no day has two headings")
    func order() async throws {
        try await shell.log(1, trip, at: "2026-03-09 23:00", isAllDay: true)
        try await shell.log(2, trip, at: "2026-03-10 00:30")
        try await shell.log(3, trip, at: "2026-03-10 10:00")
        try await shell.log(4, trip, at: "2026-03-09 20:00")
        try setZone("America/New_York")
        #expect(
            try await lines("list") == [
                "Today, Tuesday 2026-03-10", "e0000003", "e0000001", "Yesterday, Monday 2026-03-09", "e0000002",
                "e0000004",
            ])
        #expect(
            try await lines("today") == ["Today, Tuesday 2026-03-10", "e0000001", "e0000003", "2 events: trip 2"])
        #expect(
            try await lines("week") == [
                "Yesterday, Monday 2026-03-09", "e0000004", "e0000002", "Today, Tuesday 2026-03-10", "e0000001",
                "e0000003", "4 events: trip 4",
            ])
    }

    @Test("a limit counts by days, and columns and templates are in the order of days")
    func limit() async throws {
        try await shell.log(1, trip, at: "2026-03-09 23:00", isAllDay: true)
        try await shell.log(2, trip, at: "2026-03-10 01:00")
        try await shell.log(3, trip, at: "2026-03-10 06:00")
        try setZone("America/New_York")
        let ids = ["--format", "{{id}}"]
        for (limit, expected) in [("1", [3]), ("2", [3, 1]), ("3", [3, 1, 2]), ("9", [3, 1, 2])] {
            let found = try await shell.output(["list", "--limit", limit] + ids).split(separator: "\n")
            #expect(found.map { String($0.suffix(1)) } == expected.map { String($0) }, "\(limit)")
            let listed = try await shell.output("list", "--limit", limit)
            #expect(listed.split(separator: "\n").count { $0.hasPrefix("  ") } == expected.count)
        }
        #expect(try await shell.json("list", "--limit", "2").array.count == 2)
        let columns = try await shell.output("list", "--columns", "date,id").split(separator: "\n").dropFirst()
        #expect(columns.map { String($0.prefix(10)) } == ["2026-03-10", "2026-03-10", "2026-03-09"])
    }

    @Test("one of a program that chose a time stands before the others of its day")
    func oddTime() async throws {
        try await shell.log(1, trip, at: "2026-03-10 09:00:01", isAllDay: true)
        try await shell.log(2, trip, at: "2026-03-10 06:00")
        try await shell.log(3, trip, at: "2026-03-10 10:00")
        #expect(
            try await lines("list") == ["Today, Tuesday 2026-03-10", "e0000003", "e0000002", "e0000001"])
        #expect(
            try await lines("today") == [
                "Today, Tuesday 2026-03-10", "e0000001", "e0000002", "e0000003", "3 events: trip 3",
            ])
    }

    /// The lines of a listing, those of events as their short ids.
    private func lines(_ command: String) async throws -> [String] {
        try await shell.output(command).split(separator: "\n").map { line in
            line.hasPrefix("  ") ? String(line.dropFirst(2).prefix(8)) : String(line)
        }
    }
}
