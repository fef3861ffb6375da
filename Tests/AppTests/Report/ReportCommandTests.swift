import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("The report")
struct ReportCommandTests {
    private let shell: TestShell
    private let coffee: String
    private let run: String

    /// Coffee on the last five days, twice today; a run each Sunday of ten weeks, a kilometre longer each time.
    init() async throws {
        shell = try TestShell()
        coffee = try await shell.makeType("coffee", color: "#6F4E37")
        run = try await shell.makeType("run", color: "#22C55E")
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number")
        for day in 0..<5 {
            try await shell.log(day, coffee, at: "2026-03-\(twoDigits(10 - day)) \(twoDigits(8 + day)):30")
        }
        try await shell.log(10, coffee, at: "2026-03-10", isAllDay: true)
        for week in 0..<10 {
            let sunday = CalendarDay(daysSince1970: 20_520 - 7 * week)
            try await shell.log(
                100 + week, run, at: "\(sunday) 10:00", properties: ["km": .number(Double(12 - week))])
        }
    }

    private func page(_ arguments: String...) async throws -> PageReader {
        let answer = try await shell.run(["report", "--output", "-"] + arguments)
        #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer.errors)")
        return try PageReader(answer.output)
    }

    @Test("is one page that needs nothing from elsewhere, and forbids scripts and network")
    func selfContained() async throws {
        let html = try await shell.output("report", "--output", "-")
        for foreign in ["http:", "https:", "//", "url(", "@import", "javascript:", " src=", " style="] {
            #expect(!html.contains(foreign), "\(foreign)")
        }
        #expect(html.firstMatch(of: #/\son[a-z]+=/#) == nil)
        let page = try PageReader(html)
        #expect(["script", "link", "img", "iframe", "object", "base", "form"].allSatisfy { page.all($0).isEmpty })
        #expect(page.values(of: "href").allSatisfy { $0.hasPrefix("#") })
        let policy = try #require(page.all("meta").first { $0.attributes["http-equiv"] == "Content-Security-Policy" })
        #expect(policy.attributes["content"]?.hasPrefix("default-src 'none'; style-src 'unsafe-inline';") == true)
        #expect(page.all("html").first?.attributes["lang"] == "en")
    }

    @Test("has a name for everything: headings, drawings, and what they refer to")
    func accessible() async throws {
        let page = try await page()
        let ids = page.values(of: "id")
        #expect(Set(ids).count == ids.count)
        #expect(
            page.values(of: "aria-labelledby").allSatisfy {
                $0.split(separator: " ").allSatisfy { ids.contains("\($0)") }
            })
        #expect(page.values(of: "href").allSatisfy { ids.contains("\($0.dropFirst())") })
        let drawings = page.all("svg").filter { $0.attributes["class"] != "field" }
        #expect(drawings.count > 20)
        #expect(
            drawings.allSatisfy { $0.attributes["aria-hidden"] == "true" || $0.attributes["aria-labelledby"] != nil })
        #expect(page.all("h1").count == 1)
        #expect(page.all("h2").map(\.text) == ["Overview", "Insights", "Streaks", "run", "coffee"])
        #expect(
            page.all("figure").count == page.all("h3").count && page.all("figure").count == page.all("details").count)
    }

    @Test("shows the figures that the commands show")
    func figures() async throws {
        let page = try await page()
        let weekdays = try await shell.json("stats", "coffee", "--by", "weekday")["buckets"]?.array
        let shown = try #require(try page.table("coffee by weekday")).dropFirst()
        #expect(shown.map(\.[0]) == weekdays?.compactMap { $0["bucket"]?.stringValue })
        #expect(shown.map(\.[1]) == ["1", "2", "0", "0", "1", "1", "1"])
        #expect(weekdays?.compactMap { $0["count"] } == [1, 2, 0, 0, 1, 1, 1])
        let hours = try #require(try page.table("coffee by hour"))
        #expect(hours.count == 25 && hours[9...13].map(\.[1]) == ["1", "1", "1", "1", "1"])
        let trend = try await shell.json("trend", "run", "--prop", "km")["points"]?.array
        let points = try #require(try page.table("km of run by week, sum")).dropFirst()
        #expect(points.map(\.[1]) == ["3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "0"])
        #expect(trend?.compactMap { $0["value"] } == [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0])
        let texts = page.all("p").map(\.text)
        #expect(texts.contains { $0.hasPrefix("km of run is rising: 10.5 a week in the later half of 9 weeks") })
        #expect(texts.contains("16 events on 14 days, most on 8 Mar 2026: 2"))
        #expect(
            texts.contains("10 events in 3 months since 4 Jan 2026, 3.3 a month; the last month is not over"),
            "\(texts)")
        let streaks = try #require(try page.table("Days in a row with an event, by type"))
        #expect(streaks[1][0] == "coffee" && streaks[1][1] == "5 days" && streaks[1][3].hasPrefix("5 days6 Mar 2026"))
        for insight in try await shell.json("insights").array {
            let sentence = try #require(insight["sentence"]?.stringValue) + "."
            #expect(texts.contains { $0.count == sentence.count && $0.prefix(20) == sentence.prefix(20) })
        }
    }

    @Test("shows what people write as text, and nothing else")
    func escaping() async throws {
        let names = ["<script>alert(1)</script>", "\"&'", "</style><b>", "☕️ 咖啡", "قهوة"]
        for (number, name) in names.enumerated() {
            let id = try await shell.makeType(name)
            try await shell.log(200 + number, id, at: "2026-03-09 10:00")
            let key = try await shell.run("prop", "add", name, "a\"><i>\(number)", "--kind", "number")
            guard key.status == 0 else { continue }
            try await shell.log(
                300 + number, id, at: "2026-03-10 10:00", properties: ["a\"><i>\(number)": .number(1)])
        }
        let page = try await page()
        let headings = page.all("h2").map(\.text)
        #expect(names.allSatisfy { headings.contains($0) }, "\(headings)")
        #expect(page.all("bdi").contains { $0.text == "قهوة" })
        let known = Set(page.elements.map(\.name))
        #expect(known.isDisjoint(with: ["script", "b", "i"]) && page.all("style").count == 1)
        // What a person wrote is in no attribute at all.
        let values = page.elements.flatMap(\.attributes.values)
        #expect(values.allSatisfy { value in !names.contains { value.contains($0) } })
    }

    @Test("--since leaves out the events before, and the types without any since then")
    func since() async throws {
        let page = try await page("--since", "2026-03-08 12:00")
        let types = try #require(try page.table("Events of each type"))
        #expect(types.dropFirst().map { [$0[0], $0[2]] } == [["coffee", "3"]])
        #expect(page.all("h2").map(\.text) == ["Overview", "Insights", "Streaks", "coffee"])
        let days = try #require(try page.table("all types by day"))
        #expect(days.dropFirst() == [["Sun 8 Mar 2026", "0"], ["Mon 9 Mar 2026", "1"], ["Tue 10 Mar 2026", "2"]])
        #expect(page.all("p").contains { $0.text.hasPrefix("Events since 8 Mar 2026, 12:00.") })
        // The row of days began before.
        let streaks = try #require(try page.table("Days in a row with an event, by type"))
        #expect(streaks[1][1] == "5 days")
    }

    @Test("the day on which clocks change is one day, with its own hours")
    func daylightSaving() async throws {
        let shell = try TestShell()
        shell.zone = LocalZone(try #require(TimeZone(identifier: "America/New_York")))
        let tea = try await shell.makeType("tea")
        // 01:30 and 03:30 of the day that has no 02:30; its last minute; the first of the next day.
        let moments = ["2026-03-08T06:30:00Z", "2026-03-08T07:30:00Z", "2026-03-09T03:59:00Z", "2026-03-09T04:00:00Z"]
        for (number, moment) in moments.enumerated() { try await shell.log(number, tea, at: moment) }
        let page = try PageReader(try await shell.output("report", "--output", "-"))
        let days = try #require(try page.table("tea by day"))
        #expect(days.map(\.[0]) == ["Day", "Sun 8 Mar 2026", "Mon 9 Mar 2026", "Tue 10 Mar 2026"])
        #expect(
            days.first { $0[0] == "Sun 8 Mar 2026" }?[1] == "3" && days.first { $0[0] == "Mon 9 Mar 2026" }?[1] == "1")
        let hours = try #require(try page.table("tea by hour")).dropFirst().filter { $0[1] != "0" }
        #expect(hours == [["00:00", "1"], ["01:00", "1"], ["03:00", "1"], ["23:00", "1"]])
    }

    @Test("calendars show an event of several days on each of them, and count it once")
    func severalDays() async throws {
        let trip = try await shell.makeType("trip", color: "#0EA5E9")
        try await shell.log(400, trip, at: "2026-03-05", until: "2026-03-07", isAllDay: true)
        try await shell.log(401, trip, at: "2026-03-09 22:00", until: "2026-03-10 06:00")
        let page = try await page()
        #expect(page.all("p").contains { $0.text == "2 events on 5 days" })
        let days = try #require(try page.table("trip by day of the calendar, 10 Mar 2025 to 10 Mar 2026"))
        #expect(
            days.suffix(2) == [
                ["2 Mar 2026", "0", "0", "0", "1", "1", "1", "0"], ["9 Mar 2026", "1", "1", "", "", "", "", ""],
            ])
        // Everything else counts it on its first day.
        #expect(
            try #require(try page.table("trip by weekday")).dropFirst().map(\.[1]) == [
                "1", "0", "0", "1", "0", "0", "0",
            ])
    }

    @Test("without events it is a page that says so")
    func empty() async throws {
        let shell = try TestShell()
        let answer = try await shell.run("report", "--output", "-")
        #expect(answer.status == 0)
        let page = try PageReader(answer.output)
        #expect(page.all("h2").map(\.text) == ["Nothing has been logged"] && page.all("svg").isEmpty)
        let later = try await self.page("--since", "2026-03-10 11:00")
        #expect(later.all("h2").map(\.text) == ["No events since 10 Mar 2026, 11:00"])
    }

    @Test("a file that is named is written anew; one that is there by chance stays")
    func files() async throws {
        let named = try shell.home.write("old", to: "mine.html")
        let answer = try await shell.run("report", "--output", named)
        #expect(answer.output == "wrote a report of 16 events to \(named)\n")
        let text = try String(contentsOfFile: named, encoding: .utf8)
        #expect(text.hasPrefix("<!DOCTYPE html>") && text.hasSuffix("</html>\n"))
        #expect(try await shell.json("report", "--output", named) == ["events": 16, "file": .string(named)])
        let usual = ReportTarget(nil, today: CalendarDay(daysSince1970: 20_522))
        #expect(usual.path == "trendy-report-2026-03-10.html" && !usual.isNamed)
        #expect(try await shell.run("report", "--output", "-", "--json").status == 64)
        #expect(try await shell.run("report", "--since", "soon", "--output", "-").status == 65)
    }
}
