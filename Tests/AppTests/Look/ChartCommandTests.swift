import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("What stats, calendar, trend, streaks and insights show")
struct ChartCommandTests {
    private let shell: TestShell
    private let coffee: String
    private let run: String

    /// Coffee on the last five days, twice today; a run each Sunday of ten weeks, a kilometre longer each time.
    init() async throws {
        shell = try TestShell()
        coffee = try await shell.makeType("coffee", color: "#6F4E37")
        run = try await shell.makeType("run", color: "#22C55E")
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number")
        _ = try await shell.json("prop", "add", "run", "rest", "--kind", "duration")
        _ = try await shell.json("prop", "add", "run", "shoes", "--kind", "text")
        for day in 0..<5 {
            try await shell.log(day, coffee, at: "2026-03-\(twoDigits(10 - day)) \(twoDigits(8 + day)):30")
        }
        try await shell.log(10, coffee, at: "2026-03-10", isAllDay: true)
        for week in 0..<10 {
            let sunday = CalendarDay(daysSince1970: 20_520 - 7 * week)
            try await shell.log(
                100 + week, run, at: "\(sunday) 10:00",
                properties: ["km": .number(Double(12 - week)), "rest": .duration(60 * Double(week))])
        }
    }

    @Test("stats without more are bars of the types, the most frequent first")
    func types() async throws {
        let text = try await shell.output("stats")
        #expect(
            text == """
                run     █████████████████████████████████████████████████████████████████████ 10
                coffee  █████████████████████████████████████████▍ 6

                16 events of 2 types

                """)
        #expect(
            try await shell.json("stats", "--since", "2026-03-01")["buckets"]?.array.compactMap { $0["count"] }
                == [6, 2])
    }

    @Test("stats by weekday and hour are those of the person's zone, and all-day events have no hour")
    func weekdays() async throws {
        shell.environment["COLUMNS"] = "40"
        let text = try await shell.output("stats", "run", "--by", "weekday", "--ascii")
        #expect(
            text == """
                run by weekday

                Monday     0
                Tuesday    0
                Wednesday  0
                Thursday   0
                Friday     0
                Saturday   0
                Sunday     ########################## 10

                10 events

                """)
        let hours = try await shell.json("stats", "coffee", "--by", "hour")
        #expect(hours["buckets"]?.array.count == 24)
        #expect(hours["buckets"]?.array.compactMap { $0["count"] }.prefix(14).suffix(6) == [1, 1, 1, 1, 1, 0])
        #expect(hours["without_bucket"] == 1 && hours["total"] == 5)
        #expect(
            try await shell.output("stats", "coffee", "--by", "hour").contains(
                "5 events, and 1 all-day event without an\nhour"))
        shell.zone = LocalZone(try #require(TimeZone(identifier: "Asia/Tokyo")))
        let sundays = try await shell.json("stats", "run", "--by", "hour")["buckets"]?.array
        #expect(sundays?.first { $0["bucket"] == "19" }?["count"] == 10)
    }

    @Test("stats by week show half a year, not before the first event; with --since, what was asked for")
    func weeks() async throws {
        let lines = try await shell.output("stats", "run").split(separator: "\n")
        #expect(lines.first == "run by week, since the first event on 2026-01-04")
        try #require(lines.count == 13)
        #expect(lines[1].hasPrefix("2026-W01  from 12-29  ██") && lines[1].hasSuffix("█ 1"))
        #expect(lines[11] == "2026-W11  from 03-09  0")
        #expect(lines[10].hasPrefix("2026-W10  from 03-02  ██") && lines[10].hasSuffix("█ 1"))
        #expect(lines.last == "10 events in 11 weeks, 0.91 a week; the last week is not over")
        let sums = try await shell.output("stats", "run", "--prop", "km").split(separator: "\n")
        #expect(sums.first == "km of run by week, sum, since the first event on 2026-01-04" && sums.count == 13)
        // The weeks before the first event are shown, and do not lower the average.
        let later = try await shell.output("stats", "run", "--by", "week", "--since", "2026-02-23")
        #expect(later.hasSuffix("\n2 events in 3 weeks, 0.67 a week; the last week is not over\n"))
        let earlier = try await shell.output("stats", "run", "--by", "week", "--since", "2025-12-01")
        #expect(earlier.hasSuffix("\n10 events in 11 weeks, 0.91 a week; the last week is not over\n"))
        let over = try await shell.output("stats", "run", "--since", "2025-12-01", "--until", "2026-03-08")
        #expect(over.hasSuffix(" a week\n"), "\(over)")
        let sum = try await shell.output("stats", "run", "--prop", "km", "--since", "2026-02-23")
        #expect(sum.hasSuffix(" a week; the last week is not over\n"), "\(sum)")
        let asked = try await shell.json("stats", "run", "--by", "month", "--since", "2026-02-01")
        #expect(asked["buckets"]?.array.compactMap { $0["bucket"] } == ["2026-02", "2026-03"])
        #expect(asked["total"] == 6)
        let past = try await shell.json("stats", "run", "--by", "day", "--since", "2026-02-01", "--until", "2026-02-08")
        #expect(past["buckets"]?.array.count == 8)
    }

    @Test("the days, weeks and months that are asked for are shown, also those without events at both ends")
    func askedRange() async throws {
        let range = ["--since", "2026-02-16", "--until", "2026-02-28"]
        let days = try await shell.run(["stats", "run", "--by", "day", "--json"] + range).json()["buckets"]?.array
        #expect(days?.count == 13 && days?.first?["bucket"] == "2026-02-16" && days?.last?["bucket"] == "2026-02-28")
        let months = try await shell.json(
            "stats", "run", "--by", "month", "--since", "2025-09-15", "--until", "2026-04-30")["buckets"]?.array
        #expect(months?.count == 8 && months?.first?["bucket"] == "2025-09" && months?.last?["bucket"] == "2026-04")
        let since = try await shell.json("stats", "run", "--by", "week", "--since", "2025-12-01")["buckets"]?.array
        #expect(since?.first?["bucket"] == "2025-W49" && since?.last?["bucket"] == "2026-W11")
        let none = try await shell.json("stats", "--by", "day", "--since", "0:00", "--until", "0:00")
        #expect(none["buckets"] == [])
        let refused = try await shell.run("stats", "--since", "2026-03-05", "--until", "2026-03-01")
        #expect(refused.status == 64 && refused.errors.contains("is before --since 2026-03-05"), "\(refused.errors)")
    }

    @Test("an event of another millennium does not make a chart of a million days")
    func otherMillennium() async throws {
        for year in ["0202", "9999"] {
            #expect(try await shell.run("log", "run", "--at", "\(year)-03-01", "--future").status == 0)
        }
        let days = try await shell.run("stats", "run", "--by", "day", "--since", "0202-01-01", "--json")
        let buckets = try days.json()["buckets"]?.array
        #expect(buckets?.count == CountWindow.mostStretches && buckets?.first?["bucket"] == "0202-01-01")
        #expect(try days.json()["total"] == 1 && days.json()["left_out"] == 11)
        #expect(
            days.errors.contains(
                "shows no more than 4,000 days: 0202-01-01 to 0212-12-13, without 11 events of other days"),
            "\(days.errors)")
        let trend = try await shell.run("trend", "run", "--by", "day", "--since", "0202-01-01", "--json")
        #expect(trend.status == 0 && trend.errors.contains("to 2026-03-10; --by month reaches farther"))
        let months = try await shell.run("stats", "run", "--by", "month", "--since", "2025-09-15", "--until", "now")
        #expect(months.status == 0 && months.errors.isEmpty)
    }

    @Test("an event to come does not hide what is there, nor make the page speak of a limit that nothing met")
    func toCome() async throws {
        _ = try await shell.json("log", "run", "km=3", "--at", "2040-01-01", "--future")
        for more in [[], ["--prop", "km"]] {
            let command = ["stats", "run", "--by", "day", "--json"] + more
            let since = try await shell.run(command + ["--since", "2026-03-01"])
            let buckets = try since.json()["buckets"]?.array
            #expect(buckets?.count == 4000 && buckets?.first?["bucket"] == "2026-03-01")
            #expect(since.errors.contains(", without 1 event of other days; --by month"), "\(since.errors)")
            #expect(try since.json()["left_out"] == 1)
            let near = try await shell.run(command + ["--since", "2020-01-01", "--until", "2026-03-10"])
            #expect(try near.errors.isEmpty && near.json()["left_out"] == nil)
            // Without a beginning: what is here up to today, of which there are not too many days.
            let until = try await shell.run(command + ["--until", "2041-01-01"])
            #expect(try until.json()["buckets"]?.array.last?["bucket"] == "2026-03-10")
            #expect(until.errors.contains(" shows 2026-01-04 to 2026-03-10, without 1 event"), "\(until.errors)")
        }
    }

    @Test("every chart fits every width, and --ascii draws with nothing else", arguments: [20, 40, 80, 200])
    func fits(columns: Int) async throws {
        shell.environment["COLUMNS"] = String(columns)
        let commands = [
            ["stats"], ["stats", "coffee", "--by", "day"], ["stats", "--by", "hour"], ["calendar"],
            ["calendar", "run"],
            ["calendar", "--year", "2025"], ["trend", "run"], ["trend", "run", "--prop", "km"], ["streaks"],
            ["insights"], ["stats", "run", "--prop", "km"], ["stats", "run", "--prop", "rest", "--agg", "mean"],
            ["stats", "--prop", "time"], ["trend", "run", "--prop", "time"],
        ]
        for command in commands {
            let answer = try await shell.run(command)
            #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer.errors)")
            #expect(answer.output.split(separator: "\n").allSatisfy { $0.columns <= columns }, "\(answer.output)")
            #expect(!answer.output.contains("\u{1B}"))
            let plain = try await shell.run(command + ["--ascii"])
            #expect(plain.status == 0 && plain.output.utf8.allSatisfy { $0 < 0x80 }, "\(plain.output)")
        }
    }

    @Test("a calendar has a cell for each day")
    func calendar() async throws {
        let lines = try await shell.output("calendar").split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "all types, 2025-03-10 to 2026-03-10")
        #expect(lines[2] == "       Apr May Jun  Jul Aug  Sep Oct Nov  Dec Jan Feb Mar")
        #expect(lines[3] == "Mon ····················································░")
        #expect(lines[4] == "Tue ····················································█")
        #expect(lines[9] == "Sun ··········································░░░░░░░░░█")
        #expect(lines[11] == "    · 0  ░ 1  █ 2")
        #expect(lines[13] == "16 events on 14 days, most on 2026-03-08: 2")
        let year = try await shell.json("calendar", "run", "--year", "2025")
        #expect(year["total"] == 0 && year["first"] == "2025-01-01" && year["last"] == "2025-12-31")
        let years = [
            ("0", "2000"), ("20", "2020"), ("12026", "2020"), ("9999", "2020"), ("abc", "2020"), ("", "2020"),
        ]
        for (year, meant) in years {
            let answer = try await shell.run("calendar", "--year", year)
            #expect(
                answer.status == 64 && answer.errors.contains("four digits (1000 to 9998), such as \(meant)"),
                "\(answer.errors)")
        }
        #expect(
            try await shell.run("calendar", "--year", "abc").errors.hasPrefix("trendy: 'abc' is not a year; write it"))
    }

    @Test("a trend has a line, a legend and a sentence")
    func trend() async throws {
        shell.environment["COLUMNS"] = "50"
        let text = try await shell.output("trend", "run", "--prop", "km")
        #expect(
            text == """
                km of run by week, sum, since 2026-01-04

                15 ┤
                   │
                   │                                   •    •⢀⣀⡠⠤
                10 ┤                               • ⢀⣀⠤⠤⠒⠒⠉⠉⠁
                   │                      •   •⢀⣀⠤⠔⠒⠉⠁
                   │             •    • ⢀⣀⠤⠔⠒⠊⠉⠁
                 5 ┤         •   ⠠⠤⠤⠒⠒⠒⠉⠁
                   │•   •
                   │
                 0 ┤                                            •
                   └─────────────────────────────────────────────
                    2025-12-29   2026-01-19   2026-02-09

                • week   ⠒ average of 4 weeks

                km of run is rising: 10.5 a week in the later half
                of 9 weeks, 5.5 in the earlier; the last week is
                not over

                """)
        let json = try await shell.json("trend", "run", "--prop", "km", "--agg", "max")
        #expect(json["points"]?.array.compactMap { $0["value"] } == [3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
        #expect(json["direction"]?["kind"] == "rising")
    }

    @Test("durations are drawn in minutes, and written as elsewhere")
    func durations() async throws {
        let json = try await shell.json("trend", "run", "--prop", "rest")
        #expect(json["points"]?.array.compactMap { $0["value"] }.first == 9)
        #expect(json["sentence"]?.stringValue?.hasPrefix("rest of run is falling: ") == true)
        #expect(try await shell.output("trend", "run", "--prop", "rest").contains(/is falling: \d+m (\d+s )?a week/))
    }

    @Test("what has no trend is refused, or said to be too little")
    func noTrend() async throws {
        let text = try await shell.run("trend", "run", "--prop", "shoes")
        #expect(text.status == 65 && text.errors.contains("a number or a duration"))
        #expect(try await shell.run("trend", "run", "--prop", "kn").errors.contains("km"))
        #expect(try await shell.run("trend", "run", "--agg", "max").status == 64)
        #expect(try await shell.output("trend", "coffee", "--by", "day").contains("it takes 8"))
        _ = try await shell.json("type", "add", "tea")
        #expect(try await shell.output("trend", "tea") == "nothing has been logged of 'tea'\n")
        #expect(try await shell.run("stats", "--by", "fortnight").status == 64)
    }

    @Test("streaks are days in a row, with the last two weeks beside them")
    func streaks() async throws {
        let text = try await shell.output("streaks")
        #expect(
            text == """
                TYPE    NOW     LAST 14 DAYS    LONGEST
                coffee  5 days  ·········█████  5 days, 2026-03-06 to 2026-03-10
                run     –       ····█······█··  1 day, 2026-03-08

                """)
        let json = try await shell.json("streaks", "coffee").array.first
        #expect(json?["current"]?["days"] == 5 && json?["is_today_logged"] == true)
        shell.clock.set(try #require(Timestamp("2026-03-13T12:00:00Z")))
        let later = try await shell.json("streaks", "coffee").array.first
        #expect(later?["current"] == nil && later?["longest"]?["first"] == "2026-03-06")
    }

    @Test("insights are sentences with their figures, and say what is too little")
    func insights() async throws {
        let text = try await shell.output("insights")
        #expect(text.contains("● ") && text.contains("coffee"))
        let json = try await shell.json("insights").array
        #expect(json.contains { $0["kind"] == "streak" })
        #expect(json.allSatisfy { $0["sentence"]?.stringValue?.isEmpty == false && $0["figures"] != nil })
    }

    @Test("where there is nothing, that is said")
    func empty() async throws {
        let shell = try TestShell()
        for command in [["stats"], ["stats", "--by", "day"], ["streaks"]] {
            #expect(try await shell.run(command).output == "nothing has been logged\n")
        }
        #expect(try await shell.output("calendar").contains("nothing has been logged"))
        #expect(try await shell.run("insights").status == 0)
    }

    @Test("the insights are those of the generator that is registered")
    func otherGenerator() async throws {
        struct Fixed: InsightGeneratorProtocol {
            func generate(from input: InsightInput) async throws -> [Insight] {
                [Insight(kind: .gap, sentence: "\(input.histories.count) types", eventTypeIds: [])]
            }
        }
        shell.overrides = { $0.register((any InsightGeneratorProtocol).self) { Fixed() } }
        #expect(try await shell.output("insights") == "● 2 types\n")
    }
}
