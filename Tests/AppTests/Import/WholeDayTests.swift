import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Whole days in a CSV file")
struct WholeDayTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    private func importing(_ text: String, _ options: String...) async throws -> TestShell.Answer {
        let path = try shell.home.write(text, to: "in.csv")
        return try await shell.run(["import", "csv", path, "--json"] + options)
    }

    private func areAllDay() async throws -> [JSONValue] {
        try await shell.json("list").array.compactMap { $0["is_all_day"] }
    }

    @Test(
        "events last whole days where no row has a time of day, start nor end",
        arguments: [
            "date,until,what\n2026-03-01,2026-03-02,run\n2026-03-02,,run\n",
            "date,what\n01.03.2026,run\n2.3.2026,run\nn/a,run\n", "date,what\n20260301,run\n20260302,run\n",
            "date,what\n2026/03/01,run\n1 march 2026,run\n",
        ])
    func days(text: String) async throws {
        let answer = try await importing(text)
        #expect(answer.errors.contains("'yes' for all rows, which have no time of day"), "\(answer.errors)")
        #expect(try answer.json()["imported"] == 2, "\(answer.errors)")
        #expect(try await areAllDay() == [true, true])
        let events = try await shell.json("list").array
        #expect(events.last?["timestamp"] == "2026-03-01T00:00:00.000Z")
    }

    @Test(
        "and do not where one has",
        arguments: [
            "date,what\n2026-03-01,run\n2026-03-02 00:00,run\n",
            "date,time,what\n2026-03-01,8:00,run\n2026-03-02,,run\n",
            "date,until,what\n2026-03-01,2026-03-01 08:00,run\n2026-03-02,,run\n",
            "date,what\n2026-03-01,run\n1772438400,run\n",
            "date,what,allday\n2026-03-01,run,no\n2026-03-02,run,no\n",
        ])
    func times(text: String) async throws {
        let answer = try await importing(text)
        #expect(try answer.json()["imported"] == 2, "\(answer.errors)")
        #expect(try await areAllDay() == [false, false])
    }

    @Test("named columns are checked too, and the rows are the same ones whatever is said of them")
    func again() async throws {
        let text = "when,what\n2026-03-01,run\n2026-03-02,run\n"
        let named = ["--time", "when", "--type", "what"]
        let first = try await importing(text, "--time", "when", "--type", "what")
        #expect(first.errors.contains("no row has a time of day"), "\(first.errors)")
        #expect(try await areAllDay() == [true, true])
        for more in [["--all-day", "=no"], named, named + ["--all-day", "=no"], named + ["--all-day", "=yes"]] {
            let path = try shell.home.write(text, to: "in.csv")
            let answer = try await shell.run(["import", "csv", path, "--json"] + more)
            #expect(try answer.json()["unchanged"] == 2, "\(more): \(answer.errors)")
        }
    }

    @Test("what holds for all rows can be said, and has to be yes or no")
    func constant() async throws {
        let text = "when,what\n2026-03-01 08:00,run\n2026-03-02,run\n"
        let all = try await importing(text, "--all-day", "=yes")
        #expect(all.errors.contains("all day  'yes' for all rows\n"), "\(all.errors)")
        #expect(try await areAllDay() == [true, true])
        let none = try await importing("when,what\n2026-03-03,walk\n2026-03-04,walk\n", "--all-day", "=no")
        #expect(try none.json()["imported"] == 2, "\(none.errors)")
        #expect(try await areAllDay() == [false, false, true, true])
        let wrong = try await importing(text, "--all-day", "=maybe")
        #expect(wrong.status == 64 && wrong.errors.contains("--all-day =yes"), "\(wrong.errors)")
    }

    /// The first heading of `list`, and the only event there is.
    private func day() async throws -> (heading: String, event: JSONValue) {
        let list = try await shell.output("list", "--all")
        let event = try #require(try await shell.json("list").array.first)
        // The first day of an event is the last one of a list.
        let headings = list.split(separator: "\n").filter { !$0.hasPrefix(" ") }
        return (String(try #require(headings.last)), event)
    }

    @Test(
        "a time of day here is dropped: such an event begins with its day, and a time of UTC stays as it is",
        arguments: [
            ("2026-02-16 14:00", "", "2026-02-15T23:00:00.000Z", ""),
            ("16.02.2026 00:30", "2026-02-17 23:45", "2026-02-15T23:00:00.000Z", "2026-02-16T23:00:00.000Z"),
            ("2026-02-15T23:00:00Z", "2026-02-16T23:00:00Z", "2026-02-15T23:00:00.000Z", "2026-02-16T23:00:00.000Z"),
            ("2026-02-16T00:00:00.250Z", "", "2026-02-16T00:00:00.250Z", ""),
            ("1771199999", "", "2026-02-15T23:59:59.000Z", ""),
        ])
    func timeOfDay(start: String, end: String, from: String, to: String) async throws {
        shell.zone = LocalZone(try #require(TimeZone(identifier: "Europe/Berlin")))
        let text = "start,until,what\n\(start),\(end),run\n"
        let options = ["--time", "start", "--until", "until", "--type", "what"]
        let path = try shell.home.write(text, to: "in.csv")
        let answer = try await shell.run(["import", "csv", path, "--json", "--all-day", "=yes"] + options)
        #expect(try answer.json()["imported"] == 1, "\(answer.errors)")
        let (heading, event) = try await day()
        #expect(heading == "Monday 2026-02-16")
        #expect(event["timestamp"]?.stringValue == from && event["end_date"]?.stringValue ?? "" == to)
        let again = try await shell.run(["import", "csv", path, "--json", "--all-day", "=no"] + options)
        #expect(try again.json()["unchanged"] == 1, "\(again.errors)")
    }

    @Test("so it is in a column that says it for each, and in JSON of other programs")
    func timesOfDay() async throws {
        shell.zone = LocalZone(try #require(TimeZone(identifier: "Europe/Berlin")))
        _ = try await importing("date,what,allday\n2026-02-16 14:00,run,yes\n2026-02-16 14:00,walk,no\n")
        let starts = try await shell.json("list").array.compactMap { $0["timestamp"]?.stringValue }
        #expect(starts == ["2026-02-16T13:00:00.000Z", "2026-02-15T23:00:00.000Z"])
        let json = """
            [{"event_type": "run", "timestamp": "2026-02-16 14:00", "end_date": "2026-02-17 15:00", "is_all_day": true}]
            """
        for expected in ["imported", "unchanged"] {
            let answer = try await shell.run(["import", "json", "-", "--json"], input: json)
            #expect(try answer.json()[expected] == 1, "\(answer.errors)")
        }
        let events = try await shell.json("list", "run").array
        let event = try #require(events.first { $0["end_date"]?.stringValue != nil })
        #expect(event["timestamp"] == "2026-02-15T23:00:00.000Z" && event["end_date"] == "2026-02-16T23:00:00.000Z")
    }
}
