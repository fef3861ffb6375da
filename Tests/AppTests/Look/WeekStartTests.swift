import Foundation
import Testing
import TrendyDomain
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("The day with which weeks begin")
struct WeekStartTests {
    private let shell: TestShell

    /// Today is Tuesday, 2026-03-10; a run on each day from Thursday on.
    init() async throws {
        shell = try TestShell()
        _ = try await shell.json("type", "add", "run")
        for day in 5...10 {
            _ = try await shell.json("log", "run", "--at", "2026-03-\(day < 10 ? "0" : "")\(day) 8:00")
        }
    }

    private func week() async throws -> [String] {
        try await shell.json("week").array.compactMap { $0["timestamp"]?.stringValue.map { String($0.prefix(10)) } }
    }

    @Test("is Monday without a setting and a locale")
    func monday() async throws {
        #expect(try await week() == ["2026-03-09", "2026-03-10"])
        shell.environment["LANG"] = "C.UTF-8"
        #expect(try await week() == ["2026-03-09", "2026-03-10"])
    }

    @Test("is that of the locale, and that of the setting wherever weeks are read or shown")
    func settings() async throws {
        shell.environment["LC_TIME"] = "en_US.UTF-8"
        #expect(try await week() == ["2026-03-08", "2026-03-09", "2026-03-10"])
        #expect(try await shell.run("config", "set", "week-start", "Saturday").status == 0)
        #expect(try await week() == ["2026-03-07", "2026-03-08", "2026-03-09", "2026-03-10"])
        #expect(try await shell.output("week").hasPrefix("Saturday 2026-03-07\n"))
        #expect(try await shell.output("week", "--of", "last").contains("Friday 2026-03-06\n"))
        #expect(try await shell.json("list", "--since", "this week").array.count == 4)
        #expect(try await shell.json("list", "on:last week").array.count == 2)
        let saturday = try await shell.json("log", "run", "--at", "this saturday 9:00")
        #expect(saturday["timestamp"] == "2026-03-07T09:00:00.000Z")
    }

    @Test("is that of statistics, whose weeks have the number of ISO 8601 where they begin on Monday alone")
    func statistics() async throws {
        shell.environment["TRENDY_WEEK_START"] = "sunday"
        let weeks = try #require(try await shell.json("stats", "run", "--by", "week")["buckets"]?.array)
        #expect(weeks.suffix(2).map { $0["bucket"] } == ["2026-03-01", "2026-03-08"])
        #expect(weeks.suffix(2).map { $0["count"] } == [3, 3])
        let text = try await shell.output("stats", "run", "--by", "week", "--since", "2026-03-01", "--ascii")
        #expect(text.contains("\nfrom 2026-03-01  #") && text.contains("\nfrom 2026-03-08  #"), "\(text)")
        let weekdays = try #require(try await shell.json("stats", "run", "--by", "weekday")["buckets"]?.array)
        #expect(weekdays.first?["bucket"] == "Sunday" && weekdays.last?["bucket"] == "Saturday")
        #expect(weekdays.map { $0["count"] } == [1, 1, 1, 0, 1, 1, 1])
        let points = try #require(try await shell.json("trend", "run")["points"]?.array)
        #expect(points.last?["bucket"] == "2026-03-08" && points.last?["value"] == 3)
        let calendar = try await shell.output("calendar", "run", "--ascii")
        let rows = calendar.split(separator: "\n").filter { $0.first?.isUppercase == true }.map { $0.prefix(3) }
        #expect(rows == ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"], "\(calendar)")
        #expect(try await shell.json("calendar")["first"] == "2025-03-09")
    }

    @Test("of a week with a number is Monday whatever else is said")
    func numbered() async throws {
        shell.environment["TRENDY_WEEK_START"] = "sunday"
        #expect(try await shell.output("week", "--of", "2026-W11").hasPrefix("Yesterday, Monday 2026-03-09\n"))
    }

    @Test("of a report is that of the setting")
    func report() async throws {
        shell.environment["TRENDY_WEEK_START"] = "sunday"
        let page = try await shell.output("report", "--output", "-")
        #expect(page.contains("Weeks begin on Sunday") && page.contains("week of 8 Mar 2026"))
        let header = try #require(page.range(of: "Week of")).lowerBound
        let days = ["Sun", "Mon", "Sat"].compactMap { page[header...].range(of: $0)?.lowerBound }
        #expect(days.count == 3 && days == days.sorted())
    }
}
