import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTestSupport

@testable import TrendyApp
@testable import TrendyTerminal

@MainActor
@Suite("What list, today and week look like")
struct ListGoldenTests {
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        let coffee = try await shell.makeType("coffee", color: "#6F4E37")
        let run = try await shell.makeType("ランニング", color: "#22C55E")
        try await shell.log(
            1, coffee, at: "11:58", properties: ["size": .select("large")], notes: "with Ann\nand Bo, in the new café")
        try await shell.log(
            2, run, at: "8:30", until: "9:20", properties: ["km": .number(7.5), "rest": .duration(90)])
        try await shell.log(3, coffee, at: "yesterday 22:00", notes: "☕ late")
        try await shell.log(4, run, at: "2026-03-07", until: "2026-03-08", isAllDay: true)
        try await shell.log(5, coffee, at: "2025-12-31 23:30", until: "2026-01-01 00:10")
    }

    @Test("in a pipe nothing is cut off")
    func pipe() async throws {
        #expect(
            try await shell.output("list") == """
                Today, Tuesday 2026-03-10
                  e0000001  11:58    2 min ago   coffee      size=large  with Ann and Bo, in the new café
                  e0000002  08:30    3 h ago     ランニング  50m, until 09:20  km=7.5  rest=1m 30s

                Yesterday, Monday 2026-03-09
                  e0000003  22:00                coffee      ☕ late

                Sunday 2026-03-08
                  e0000004  all day              ランニング  until 2026-03-08

                Saturday 2026-03-07
                  e0000004  all day              ランニング  until 2026-03-08

                Thursday 2026-01-01
                  e0000005  goes on              coffee      40m, until 2026-01-01 00:10

                Wednesday 2025-12-31
                  e0000005  23:30                coffee      40m, until 2026-01-01 00:10

                """)
    }

    @Test("on a terminal every line fits", arguments: [20, 40, 60, 80, 200])
    func fits(columns: Int) async throws {
        shell.terminal = TerminalSize(columns: columns, rows: 100)
        shell.environment["NO_COLOR"] = "1"
        let lines = try await shell.output("list").split(separator: "\n")
        #expect(lines.allSatisfy { $0.columns <= columns }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  e0000001  11:58") })
    }

    @Test("in 64 columns the details end in an ellipsis")
    func narrow() async throws {
        shell.environment["COLUMNS"] = "64"
        #expect(
            try await shell.output("list", "--since", "today") == """
                Today, Tuesday 2026-03-10
                  e0000001  11:58    2 min ago   coffee      size=large  with A…
                  e0000002  08:30    3 h ago     ランニング  50m, until 09:20  …

                """)
        #expect(try await shell.output("list", "--since", "today", "--ascii").contains("  with...\n"))
    }

    @Test("on a terminal with colours the mark of a type has its colour, and ids are faint")
    func colors() async throws {
        shell.terminal = TerminalSize(columns: 70, rows: 30)
        shell.environment["COLORTERM"] = "truecolor"
        let escape = "\u{1B}"
        #expect(
            try await shell.output("list", "coffee", "--since", "today") == """
                \(escape)[1mToday, Tuesday 2026-03-10\(escape)[0m
                  \(escape)[2me0000001\(escape)[0m  11:58    \(escape)[2m2 min ago\(escape)[0m   \
                \(escape)[38;2;111;78;55m●\(escape)[0m coffee  size=large  with Ann and B…

                """)
    }

    @Test("a list that does not reach today has no column for how long ago")
    func withoutToday() async throws {
        #expect(
            try await shell.output("list", "coffee", "--until", "yesterday", "--limit", "1") == """
                Yesterday, Monday 2026-03-09
                  e0000003  22:00    coffee  ☕ late

                """)
    }

    @Test("today shows the day in its order and counts it")
    func today() async throws {
        #expect(
            try await shell.output("today") == """
                Today, Tuesday 2026-03-10
                  e0000002  08:30    3 h ago     ランニング  50m, until 09:20  km=7.5  rest=1m 30s
                  e0000001  11:58    2 min ago   coffee      size=large  with Ann and Bo, in the new café

                2 events: coffee 1, ランニング 1

                """)
        shell.clock.set(try #require(Timestamp("2026-03-11T06:00:00Z")))
        #expect(try await shell.output("today") == "Today, Wednesday 2026-03-11\n  nothing\n")
    }

    @Test("week begins on Monday, and names the days up to today that have nothing")
    func week() async throws {
        shell.clock.set(try #require(Timestamp("2026-03-12T06:00:00Z")))
        #expect(
            try await shell.output("week", "coffee") == """
                Monday 2026-03-09
                  e0000003  22:00                coffee  ☕ late

                Tuesday 2026-03-10
                  e0000001  11:58                coffee  size=large  with Ann and Bo, in the new café

                Yesterday, Wednesday 2026-03-11
                  nothing

                Today, Thursday 2026-03-12
                  nothing

                2 events: coffee 2

                """)
    }

    @Test("another week is shown by its number, how long ago it was, or a day in it")
    func otherWeek() async throws {
        shell.clock.set(try #require(Timestamp("2026-03-19T06:00:00Z")))
        let last = try await shell.output("week", "coffee", "--of", "last")
        #expect(last.hasPrefix("Monday 2026-03-09\n") && last.hasSuffix("\n2 events: coffee 2\n"), "\(last)")
        #expect(last.contains("\nSunday 2026-03-15\n"), "\(last)")
        for text in ["last week", "2026-W11", "2026w11", "a week ago", "2026-03-15", "mar 9 10:00", "-1w"] {
            #expect(try await shell.output("week", "coffee", "--of", text) == last, "\(text)")
        }
        #expect(try await shell.output("week", "--of", "this week") == shell.output("week"))
        for (text, reason) in [
            ("2026-W54", "a week from 1 to 53"), ("2025-W53", "a week from 1 to 52"), ("soon", "2026-W10"),
            ("", "2026-W10"),
            ("2026-02-30", "28 days"),
        ] {
            let answer = try await shell.run("week", "--of", text)
            #expect(answer.status == 65 && answer.errors.contains(reason), "\(answer.errors)")
        }
    }

    @Test("a week to come says that it has not begun, unless it has events already")
    func weekToCome() async throws {
        let week = ["week", "--of", "2026-W50"]
        #expect(try await shell.output(week) == "no events: the week of 2026-12-07 is in the future\n")
        #expect(try await shell.json("week", "--of", "2026-W50").array.isEmpty)
        shell.environment["COLUMNS"] = "30"
        #expect(try await shell.output(week) == "no events: the week of\n2026-12-07 is in the future\n")
        let trip = try await shell.makeType("trip")
        try await shell.log(30, trip, at: "2026-12-09 10:00")
        let text = try await shell.output(week)
        #expect(!text.contains("is in the future") && text.hasSuffix("\n1 event: trip 1\n"), "\(text)")
    }

    @Test("an event of several whole days is shown on each of them, and counted once")
    func lasting() async throws {
        shell.clock.set(try #require(Timestamp("2026-03-12T06:00:00Z")))
        let trip = try await shell.makeType("trip")
        try await shell.log(20, trip, at: "2026-03-06", until: "2026-03-10", isAllDay: true)
        try await shell.log(21, trip, at: "2026-03-11", until: "2026-03-13", isAllDay: true)
        try await shell.log(22, trip, at: "2026-03-01", until: "2026-03-08", isAllDay: true)
        #expect(
            try await shell.output("week", "trip") == """
                Monday 2026-03-09
                  e0000020  all day              trip  until 2026-03-10

                Tuesday 2026-03-10
                  e0000020  all day              trip  until 2026-03-10

                Yesterday, Wednesday 2026-03-11
                  e0000021  all day              trip  until 2026-03-13

                Today, Thursday 2026-03-12
                  e0000021  all day              trip  until 2026-03-13

                Tomorrow, Friday 2026-03-13
                  e0000021  all day              trip  until 2026-03-13

                2 events: trip 2

                """)
        #expect(try await shell.output("today", "trip").contains("1 event: trip 1"))
        #expect(
            try await shell.json("week", "trip").array.map { $0["id"] }
                == [20, 21].map { .string(TestShell.eventId($0)) })
        #expect(try await shell.output("week").contains("☕ late"))
    }

    @Test("where nothing was fetched yet, an empty list says so to who is signed in")
    func beforeFirstSync() async throws {
        let new = try TestShell()
        #expect(try await new.run("list").errors.isEmpty)
        new.environment["TRENDY_SERVER"] = "https://trendy.example.org"
        new.environment["TRENDY_TOKEN"] = "token"
        let commands = [
            ["list"], ["today"], ["week", "--columns", "date"], ["stats"], ["stats", "--by", "day"], ["streaks"],
            ["insights"], ["type", "list"],
        ]
        for command in commands {
            let answer = try await new.run(command)
            #expect(answer.status == 0 && answer.errors.contains("run 'trendy sync'"), "\(command): \(answer)")
        }
        #expect(try await new.run("list", "--json").errors.isEmpty)
        await new.sync(with: MockNetworkClient(exchange: ExchangeServer()))
        for command in commands { #expect(try await new.run(command).errors.isEmpty) }
    }

    @Test("a week and a day are those of the person's zone, also when clocks change")
    func zones() async throws {
        shell.zone = LocalZone(try #require(TimeZone(identifier: "America/New_York")))
        // Clocks went forward on Sunday the 8th; the week begins at 4:00 in UTC and no longer at 5:00.
        let type = try #require(try await shell.json("type", "list").array.first?["id"]?.stringValue)
        try await shell.log(6, type, at: "2026-03-09T03:59:59Z")
        try await shell.log(7, type, at: "2026-03-09T04:00:00Z")
        let ids = try await shell.json("week").array.compactMap { $0["id"]?.stringValue }
        #expect(ids == [7, 3, 2, 1].map(TestShell.eventId))
        #expect(try await shell.output("today").contains("e0000001  07:58    2 min ago"))
    }
}
