import Testing
import TrendyDomain
import TrendyTerminal

@testable import TrendyApp

/// Today is Tuesday, 2026-03-10.
@MainActor
@Suite("Events of several days")
struct SeveralDaysTests {
    private let shell: TestShell
    private let trip: String

    init() async throws {
        shell = try TestShell()
        trip = try await shell.makeType("trip")
    }

    /// The lines of a listing, those of events as short id and clock.
    private func lines(_ arguments: String...) async throws -> [String] {
        try await shell.output(arguments).split(separator: "\n").map { line in
            line.hasPrefix("  e")
                ? line.dropFirst(2).prefix(17).split(separator: " ").joined(separator: " ") : String(line)
        }
    }

    private func logThree() async throws {
        try await shell.log(1, trip, at: "2026-03-09 22:00", until: "2026-03-10 02:00")
        try await shell.log(2, trip, at: "2026-03-10 09:00")
        try await shell.log(3, trip, at: "2026-03-08", until: "2026-03-10", isAllDay: true)
    }

    @Test("today has what began before and ended today, by hours or by days")
    func today() async throws {
        try await logThree()
        #expect(
            try await lines("today") == [
                "Today, Tuesday 2026-03-10", "e0000003 all day", "e0000001 goes on", "e0000002 09:00",
                "3 events: trip 3",
            ])
        #expect(try await shell.json("today").array.count == 3)
    }

    @Test("what ended at midnight is not on the day that began then")
    func midnight() async throws {
        try await shell.log(1, trip, at: "2026-03-09 22:00", until: "2026-03-10 00:00")
        #expect(try await shell.json("today").array.isEmpty)
        #expect(try await shell.json("calendar")["days"]?.array.count == 1)
    }

    @Test("a week and a list have them on each day")
    func list() async throws {
        try await logThree()
        let week = try await lines("week")
        #expect(
            week == [
                "Yesterday, Monday 2026-03-09", "e0000003 all day", "e0000001 22:00", "Today, Tuesday 2026-03-10",
                "e0000003 all day", "e0000001 goes on", "e0000002 09:00", "3 events: trip 3",
            ])
        #expect(
            try await lines("list") == [
                "Today, Tuesday 2026-03-10", "e0000001 goes on", "e0000003 all day", "e0000002 09:00",
                "Yesterday, Monday 2026-03-09", "e0000003 all day", "e0000001 22:00", "Sunday 2026-03-08",
                "e0000003 all day",
            ])
        #expect(try await shell.json("list").array.count == 3)
    }

    @Test("one of more than a month is on its first day alone in a list")
    func long() async throws {
        try await shell.log(1, trip, at: "2026-01-01", until: "2026-02-28", isAllDay: true)
        #expect(try await lines("list") == ["Thursday 2026-01-01", "e0000001 all day"])
    }

    @Test("a calendar marks each day, and counts the event once; statistics count it on its first day")
    func counted() async throws {
        try await logThree()
        let json = try await shell.json("calendar", "trip")
        #expect(json["total"] == 3)
        #expect(
            json["days"]?.array == [
                ["day": "2026-03-08", "count": 1], ["day": "2026-03-09", "count": 2],
                ["day": "2026-03-10", "count": 3],
            ])
        #expect(try await shell.output("calendar").contains("3 events on 3 days, most on 2026-03-10: 3"))
        // One that began before the first day that is shown.
        try await shell.log(4, trip, at: "2025-12-30", until: "2026-01-02", isAllDay: true)
        let year = try await shell.json("calendar", "--year", "2026")
        #expect(year["total"] == 4 && year["days"]?.array.first == ["day": "2026-01-01", "count": 1])
        let days = try await shell.json("stats", "trip", "--by", "day", "--since", "2026-03-08")["buckets"]?.array
        #expect(days?.compactMap { $0["count"] } == [1, 1, 1])
    }
}
