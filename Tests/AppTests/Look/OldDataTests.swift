import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Commands that look at a stretch of time, when all events lie elsewhere")
struct OldDataTests {
    private let shell: TestShell

    /// Two runs of 2013, the second of a whole day; today is 2026-03-10.
    init() async throws {
        shell = try TestShell()
        let run = try await shell.makeType("run")
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number")
        try await shell.log(1, run, at: "2013-01-01 10:00", until: "2013-01-01 11:00", properties: ["km": .number(5)])
        try await shell.log(2, run, at: "2013-12-31", properties: ["km": .number(6)], isAllDay: true)
    }

    private func line(_ arguments: String...) async throws -> String {
        let answer = try await shell.run(arguments)
        #expect(answer.status == 0, "\(answer.errors)")
        return answer.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test(
        "the stretch is named, and where the events are, and what shows them",
        arguments: [
            (["stats", "run"], "between 2025-09-15 and 2026-03-10"),
            (["stats", "--by", "month"], "between 2024-04-01 and 2026-03-10"),
            (["stats", "--since", "2020-01-01"], "since 2020-01-01"),
            (["stats", "--by", "hour", "--since", "2020-01-01 12:00"], "since 2020-01-01 12:00"),
            (["trend", "run"], "between 2025-03-17 and 2026-03-10"),
            (["trend", "run", "--since", "2026-03-01"], "between 2026-03-01 and 2026-03-10"),
        ])
    func elsewhere(_ command: [String], _ stretch: String) async throws {
        let answer = try await shell.run(command)
        let text = answer.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let others = "2 lie between 2013-01-01 and 2013-12-31: --since 2013-01-01 shows them"
        #expect(text == "no events \(stretch); \(others)")
        let json = try await shell.run(command + ["--json"]).json()
        #expect(json["elsewhere"] == ["count": 2, "first": "2013-01-01", "last": "2013-12-31"])
        #expect(json["first"]?.stringValue.map { stretch.contains($0) } == true, "\(json)")
        let followed = command.filter { $0 != "--since" && !$0.hasPrefix("20") } + ["--since", "2013-01-01"]
        #expect(try await shell.run(followed).output.contains("no events") == false)
    }

    @Test("insights up to a day count nothing that came after it")
    func insightsUntil() async throws {
        let tea = try await shell.makeType("tea")
        for day in 25...31 { try await shell.log(day, tea, at: "2025-12-\(day) 10:00") }
        try await shell.log(32, tea, at: "2026-01-01 10:00")
        let text = try await line("insights", "tea", "--until", "2025-12-31")
        #expect(text.contains("7 days in a row"), "\(text)")
    }

    @Test("a trend by days that are too long ago is shown by week")
    func farTrend() async throws {
        let text = try await line("trend", "run", "--by", "day")
        #expect(text.hasSuffix(": --by week --since 2013-01-01 shows them"), "\(text)")
        #expect(try await !line("trend", "run", "--by", "week", "--since", "2013-01-01").contains("no events"))
    }

    @Test("an end that was asked for is moved, too")
    func end() async throws {
        let others = "2 lie between 2013-01-01 and 2013-12-31: --since 2013-01-01 --until 2013-12-31 shows them"
        #expect(
            try await line("stats", "--since", "2020-01-01", "--until", "2020-02-01")
                == "no events between 2020-01-01 and 2020-02-01; \(others)")
        #expect(try await line("stats", "--until", "2012-12-31") == "no events up to 2012-12-31; \(others)")
        let shown = try await line("stats", "--since", "2013-01-01", "--until", "2013-12-31")
        #expect(shown.hasSuffix("2 events of 1 type, between 2013-01-01 and 2013-12-31"), "\(shown)")
    }

    @Test("only events that have the value count, by their own days")
    func measures() async throws {
        #expect(
            try await line("stats", "run", "--prop", "km")
                == "no events with 'km' between 2025-09-15 and 2026-03-10; 2 lie between 2013-01-01 and 2013-12-31: "
                + "--since 2013-01-01 shows them")
        for command in [
            ["stats", "run", "--prop", "time"], ["trend", "run", "--prop", "time"],
            ["stats", "--prop", "time", "--since", "2020-01-01"],
        ] {
            let json = try await shell.run(command + ["--json"]).json()
            #expect(json["elsewhere"] == ["count": 1, "first": "2013-01-01", "last": "2013-01-01"], "\(command)")
            let text = try await shell.run(command).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.hasSuffix("; 1 lies on 2013-01-01: --since 2013-01-01 shows it"), "\(text)")
        }
    }

    @Test("a calendar names the year of the last event")
    func calendar() async throws {
        let others = "2 lie between 2013-01-01 and 2013-12-31: --year 2013 shows them"
        let text = try await line("calendar")
        #expect(text.hasSuffix("no events between 2025-03-10 and 2026-03-10; \(others)"), "\(text)")
        #expect(try await shell.json("calendar")["elsewhere"]?["count"] == 2)
        #expect(try await shell.json("calendar", "--year", "2013")["elsewhere"] == nil)
    }

    @Test("insights name the last event's day and the days that were looked at")
    func insights() async throws {
        let text = try await line("insights")
        #expect(text.contains("You have logged nothing for 4451 days, since 2013-12-31"), "\(text)")
        #expect(
            text.contains(
                "nothing is logged between 2025-03-11 and 2026-03-09; 2 events lie between 2013-01-01 and 2013"))
        #expect(
            text.contains(
                "for between 2025-03-11 and 2026-03-09; 'trendy insights --until 2013-12-31' shows the others"))
        let then = try await line("insights", "--until", "2013-12-31")
        #expect(then.hasSuffix("patterns are looked for between 2013-01-02 and 2013-12-31"), "\(then)")
        for insight in try await shell.json("insights").array {
            #expect(insight["figures"]?["first_day"] == "2025-03-11" && insight["figures"]?["last_day"] == "2026-03-09")
        }
    }

    @Test("a report says it in each chart, and of itself")
    func report() async throws {
        let page = try await shell.output("report", "--output", "-")
        let others = "2 lie between 1 Jan 2013 and 31 Dec 2013: &#39;trendy report --since 2013-01-01&#39; shows them"
        let plain = page.replacing("'", with: "&#39;")
        #expect(plain.contains("no events between 9 Feb 2026 and 10 Mar 2026; \(others)"))
        #expect(!page.contains("0 events in"))
        let file = shell.home.path + "/report.html"
        let said = try await line("report", "--since", "2020-01-01", "--output", file)
        #expect(
            said.hasSuffix("2 lie between 2013-01-01 and 2013-12-31: 'trendy report --since 2013-01-01' shows them"))
        let json = try await shell.json("report", "--since", "2020-01-01", "--output", file + "2")
        #expect(json["events"] == 0 && json["first"] == "2020-01-01" && json["elsewhere"]?["count"] == 2)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("2 lie between 1 Jan 2013 and 31 Dec 2013"))
    }

    @Test("events to come are named, though no trend shows them")
    func future() async throws {
        let nap = try await shell.makeType("nap")
        try await shell.log(3, nap, at: "2027-05-01 10:00")
        #expect(
            try await line("trend", "nap") == "no events between 2025-03-17 and 2026-03-10; 1 lies on 2027-05-01")
        #expect(
            try await line("stats", "nap")
                == "no events between 2025-09-15 and 2026-03-10; 1 lies on 2027-05-01: --since 2027-05-01 shows it")
        #expect(try await !line("stats", "nap", "--since", "2027-05-01").contains("no events"))
        let later = try await shell.run("trend", "nap", "--since", "2027-01-01")
        #expect(later.status == 64 && later.errors.contains("is in the future"), "\(later.errors)")
    }

    @Test("where nothing exists at any time, that is said")
    func nothing() async throws {
        _ = try await shell.makeType("tea")
        #expect(try await line("stats", "tea") == "nothing has been logged of 'tea'")
        #expect(try await line("trend", "tea") == "nothing has been logged of 'tea'")
        #expect(try await shell.json("stats", "tea")["elsewhere"] == nil)
    }

    @Test("the day of an all-day event is its own, in whatever zone it was logged")
    func allDay() async throws {
        shell.zone = LocalZone(try #require(TimeZone(identifier: "America/New_York")))
        #expect(try await line("stats", "run").contains("2 lie between 2013-01-01 and 2013-12-31"))
    }
}
