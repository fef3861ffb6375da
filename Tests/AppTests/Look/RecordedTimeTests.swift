import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("What stats and trend make of recorded time and of properties")
struct RecordedTimeTests {
    private let shell: TestShell
    private let run: String

    /// Three runs that were timed, of which one goes past midnight, one that was not, a nap and one of whole days.
    init() async throws {
        shell = try TestShell()
        run = try await shell.makeType("run")
        let nap = try await shell.makeType("nap")
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number")
        _ = try await shell.json("prop", "add", "run", "rest", "--kind", "duration")
        _ = try await shell.json("prop", "add", "run", "shoes", "--kind", "text")
        try await shell.log(1, run, at: "2026-03-08 23:30", until: "2026-03-09 00:30", properties: ["km": .number(10)])
        try await shell.log(
            2, run, at: "2026-03-09 18:00", until: "2026-03-09 18:32",
            properties: ["km": .number(5.5), "rest": .duration(90)])
        try await shell.log(3, run, at: "2026-03-10 08:00", until: "2026-03-10 09:10")
        try await shell.log(4, run, at: "2026-03-10 07:00")
        try await shell.log(5, nap, at: "2026-03-10 10:00", until: "2026-03-10 10:20")
        try await shell.log(6, nap, at: "2026-03-08", until: "2026-03-09", isAllDay: true)
    }

    private func seconds(_ json: JSONValue) -> [JSONValue] {
        json["buckets"]?.array.compactMap { $0["seconds"] } ?? []
    }

    @Test("without a type it is added up by type; whole days and events without an end are left out")
    func byType() async throws {
        shell.environment["COLUMNS"] = "40"
        let text = try await shell.output("stats", "--prop", "time", "--ascii")
        #expect(
            text == """
                run  ############################ 2h 42m
                nap  ### 20m

                3h 2m in 4 events of 2 types

                """)
        let mean = try await shell.json("stats", "--prop", "time", "--agg", "mean")
        #expect(mean["by"] == "type" && mean["property"] == "time" && mean["aggregation"] == "mean")
        #expect(seconds(mean) == [3240, 1200] && mean["seconds"] == 2730 && mean["count"] == 4)
        #expect(mean["buckets"]?.array.first?["event_type_id"]?.stringValue == run)
        let largest = try await shell.json("stats", "--prop", "TIME", "--agg", "max")
        #expect(seconds(largest) == [4200, 1200] && largest["seconds"] == 4200)
        let monday = try await shell.json(
            "stats", "--prop", "time", "--since", "2026-03-09", "--until", "2026-03-09")
        #expect(seconds(monday) == [1920])
    }

    @Test("of a type it is added up by week, and belongs to the week, the day and the hour of its start")
    func ofType() async throws {
        let lines = try await shell.output("stats", "run", "--prop", "time").split(separator: "\n")
        #expect(lines.first == "recorded time of run by week, sum, since the first event on 2026-03-08")
        #expect(lines.last == "2h 42m in 3 events over 2 weeks, 1h 21m a week; the last week is not over")
        let weeks = try await shell.json("stats", "run", "--prop", "time")
        #expect(weeks["by"] == "week" && weeks["event_type"] == "run" && weeks["seconds"] == 9720)
        #expect(seconds(weeks) == [3600, 6120])
        let days = try await shell.json("stats", "run", "--prop", "time", "--by", "weekday")
        #expect(seconds(days) == [1920, 4200, 0, 0, 0, 0, 3600])
        let hours = try await shell.json("stats", "--prop", "time", "--by", "hour")["buckets"]?.array
        let used = hours?.filter { $0["count"] != 0 }
        #expect(used?.compactMap { $0["bucket"] } == ["08", "10", "18", "23"])
        #expect(used?.compactMap { $0["seconds"] } == [4200, 1200, 1920, 3600])
    }

    @Test("a night in which the clock is put back has the hours that passed")
    func clockChange() async throws {
        shell.zone = LocalZone(try #require(TimeZone(identifier: "Europe/Berlin")))
        // From 1:30 to 3:30 in Berlin.
        try await shell.log(10, run, at: "2025-10-25 23:30", until: "2025-10-26 02:30")
        let days = try await shell.json(
            "stats", "run", "--prop", "time", "--by", "day", "--since", "2025-10-25", "--until", "2025-10-26")
        #expect(seconds(days) == [0, 10_800])
    }

    @Test("a property of the type's own that is called time goes before the time")
    func ownProperty() async throws {
        let swim = try await shell.makeType("swim")
        _ = try await shell.json("prop", "add", "swim", "time", "--kind", "number")
        try await shell.log(
            10, swim, at: "2026-03-10 08:00", until: "2026-03-10 09:00", properties: ["time": .number(7)])
        let stats = try await shell.json("stats", "swim", "--prop", "time")
        #expect(stats["value"] == 7 && stats["seconds"] == nil)
        let trend = try await shell.json("trend", "swim", "--prop", "time")
        #expect(trend["points"]?.array.compactMap { $0["value"] } == [7] && trend["unit"] == nil)
        #expect(try await shell.output("stats", "swim", "--prop", "time").hasPrefix("time of swim by week, sum"))
        #expect(try await shell.output("stats", "--prop", "time").contains("swim  ████"))
    }

    @Test("a property that is called time and is nothing to add up does not go before the time")
    func ownText() async throws {
        let walk = try await shell.makeType("walk")
        _ = try await shell.json("prop", "add", "walk", "time", "--kind", "text")
        try await shell.log(
            10, walk, at: "2026-03-10 08:00", until: "2026-03-10 09:00", properties: ["time": .text("slow")])
        #expect(try await shell.json("stats", "walk", "--prop", "time")["seconds"] == 3600)
        let trend = try await shell.json("trend", "walk", "--prop", "time")
        #expect(trend["property"] == "time" && trend["unit"] == "minutes")
    }

    @Test("numbers are added up as they are, durations as people write them")
    func properties() async throws {
        let numbers = try await shell.json("stats", "run", "--prop", "km", "--by", "weekday")
        #expect(numbers["value"] == 15.5 && numbers["count"] == 2 && numbers["seconds"] == nil)
        let mean = try await shell.json("stats", "run", "--prop", "km", "--by", "weekday", "--agg", "mean")
        #expect(mean["buckets"]?.array.count == 7)
        #expect(mean["buckets"]?.array.compactMap { $0["value"] } == [5.5, 10])
        let text = try await shell.output("stats", "run", "--prop", "rest", "--by", "weekday", "--agg", "max")
        #expect(text.hasPrefix("rest of run by weekday, max\n") && text.hasSuffix("\n1m 30s at most in 1 event\n"))
        #expect(text.contains("\nTuesday    –\n"), "\(text)")
        #expect(try await shell.json("stats", "run", "--prop", "rest")["seconds"] == 90)
    }

    @Test("a trend of the time has minutes as people see it, and seconds beside them")
    func trend() async throws {
        let json = try await shell.json("trend", "run", "--prop", "time", "--by", "day")
        #expect(json["property"] == "time" && json["aggregation"] == "sum" && json["unit"] == "minutes")
        #expect(json["points"]?.array.compactMap { $0["seconds"] } == [3600, 1920, 4200])
        let text = try await shell.output("trend", "run", "--prop", "time")
        #expect(text.hasPrefix("recorded time of run (minutes) by week, sum, since 2026-03-08\n"))
        #expect(json["sentence"]?.stringValue?.hasPrefix("recorded time of run has ") == true)
        #expect(try await shell.json("trend", "run", "--prop", "km")["unit"] == nil)
    }

    @Test("what cannot be added up is refused, and what is not there is said")
    func refused() async throws {
        let noType = try await shell.run("stats", "--prop", "km")
        #expect(noType.status == 64 && noType.errors.contains("'trendy stats TYPE --prop km'"), "\(noType.errors)")
        let text = try await shell.run("stats", "run", "--prop", "shoes")
        #expect(text.status == 65 && text.errors.contains("a number or a duration"), "\(text.errors)")
        #expect(try await shell.run("stats", "run", "--prop", "shoess").errors.contains("'shoes'"))
        #expect(try await shell.run("stats", "run", "--agg", "max").status == 64)
        _ = try await shell.makeType("tea")
        for command in ["stats", "trend"] {
            let text = try await shell.output(command, "tea", "--prop", "time")
            #expect(text == "no events with a time of day and an end\n")
        }
    }

    @Test("who seems to mean the recorded time is told how to name it")
    func hint() async throws {
        let hint = "--prop time means the recorded time"
        for command in ["stats", "trend"] {
            let answer = try await shell.run(command, "run", "--prop", "tme")
            #expect(answer.status == 65 && answer.errors.contains(hint), "\(answer.errors)")
        }
        let other = try await shell.run("stats", "run", "--prop", "shoess")
        #expect(!other.errors.contains(hint), "\(other.errors)")
        _ = try await shell.makeType("swim")
        _ = try await shell.json("prop", "add", "swim", "time", "--kind", "number")
        let own = try await shell.run("stats", "swim", "--prop", "tme")
        #expect(own.errors.contains("did you mean 'time'?") && !own.errors.contains(hint), "\(own.errors)")
    }

    @Test("a sum that is too large is refused, and the mean is shown")
    func overflow() async throws {
        for number in [10, 11] {
            try await shell.log(number, run, at: "2026-03-10 09:00", properties: ["km": .number(1e308)])
        }
        for command in ["stats", "trend"] {
            for format in [[], ["--json"]] {
                let answer = try await shell.run([command, "run", "--prop", "km"] + format)
                #expect(answer.status == 65, "\(command) \(format)")
                #expect(
                    answer.errors.contains("'km' of the type 'run' adds up to a number that is too large"),
                    "\(answer.errors)")
                #expect(answer.errors.contains("--agg mean or --agg max"), "\(answer.errors)")
            }
            #expect(try await shell.run(command, "run", "--prop", "km", "--agg", "mean").status == 0)
        }
        let largest = try await shell.json("stats", "run", "--prop", "km", "--agg", "max")
        #expect(largest["value"] == 1e308)
        let trend = try await shell.json("trend", "run", "--prop", "km", "--agg", "mean", "--by", "day")
        #expect(trend["points"]?.array.last?["value"] == 1e308)
    }
}
