import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Ends of imported events")
struct ImportedEndTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    private func ends() async throws -> [String] {
        try await shell.json("list", "--all").array.reversed().map { $0["end_date"]?.stringValue ?? "" }
    }

    @Test("a time of day alone counts from the day of the start, past midnight where it is before it, as for log")
    func clocks() async throws {
        let text =
            "Datum;Beginn;Ende;Tätigkeit\n02.03.2026;08:00;17:00;Arbeit\n03.03.2026;22:30;6 Uhr;Arbeit\n"
            + "04.03.2026;8:00;;Arbeit\n"
        let path = try shell.home.write(text, to: "in.csv")
        let options = ["--time", "Datum", "--clock", "Beginn", "--until", "Ende", "--type", "Tätigkeit"]
        let answer = try await shell.run(["import", "csv", path, "--json"] + options)
        #expect(try answer.status == 0 && answer.json()["imported"] == 3, "\(answer.errors)")
        #expect(try await ends() == ["2026-03-02T17:00:00.000Z", "2026-03-04T06:00:00.000Z", ""])
    }

    @Test(
        "timesheets are guessed: the day, the time of day and the end",
        arguments: [
            "Datum;Beginn;Ende;Tätigkeit", "Date;Start;End;Task", "Date;Start time;End time;Task",
            "Datum;Uhrzeit;Ende;Art", "Datum;Von;Bis;Projekt",
        ])
    func timesheets(header: String) async throws {
        let path = try shell.home.write(
            header + "\n02.03.2026;08:00;17:00;Arbeit\n03.03.2026;22:30;06:00;Arbeit\n", to: "in.csv")
        let answer = try await shell.run("import", "csv", path, "--json")
        #expect(try answer.status == 0 && answer.json()["imported"] == 2, "\(answer.errors)")
        #expect(!answer.errors.contains("not used") && !answer.errors.contains("all day"), "\(answer.errors)")
        #expect(try await ends() == ["2026-03-02T17:00:00.000Z", "2026-03-04T06:00:00.000Z"])
        let starts = try await shell.json("list", "--all").array.compactMap { $0["timestamp"] }
        #expect(starts == ["2026-03-03T22:30:00.000Z", "2026-03-02T08:00:00.000Z"])
    }

    @Test("start and end may have their days and times of day in four columns; a length is no time of day")
    func fourColumns() async throws {
        let path = try shell.home.write(
            "Subject,Start Date,Start Time,End Date,End Time\nx,2026-03-02,9:00 AM,2026-03-03,5:00 PM\n", to: "in.csv")
        let answer = try await shell.run("import", "csv", path, "--type", "Subject", "--json")
        #expect(answer.errors.contains("End Date and End Time"), "\(answer.errors)")
        #expect(try await ends() == ["2026-03-03T17:00:00.000Z"])
        let other = try shell.home.write("Datum;Dauer\n02.03.2026;0:45\n", to: "nap.csv")
        let lengths = try await shell.run("import", "csv", other, "--json", "--dry-run")
        #expect(lengths.errors.contains("'yes' for all rows, which have no time of day"), "\(lengths.errors)")
    }

    @Test("events do not last whole days where a column that is not read has times of day")
    func unreadClocks() async throws {
        let path = try shell.home.write("date,what,gong\n2026-03-02,run,08:00\n", to: "in.csv")
        for options in [[], ["--time", "date", "--type", "what"]] {
            let answer = try await shell.run(["import", "csv", path, "--json", "--dry-run"] + options)
            #expect(answer.status == 0 && answer.errors.contains("--clock gong"), "\(answer.errors)")
            #expect(!answer.errors.contains("which have no time of day"), "\(answer.errors)")
        }
        _ = try await shell.run("import", "csv", path, "--json")
        #expect(try await shell.json("list").array.compactMap { $0["is_all_day"] } == [false])
    }

    @Test("so it does in JSON, and a length counts from the start")
    func json() async throws {
        let text = """
            [{"event_type": "run", "timestamp": "2026-03-01 22:30", "end_date": "23:30"},
            {"event_type": "run", "timestamp": "2026-03-02 22:30", "end_date": "0:30"},
            {"event_type": "run", "timestamp": "2026-03-03 22:30", "end_date": "+45m"},
            {"event_type": "run", "timestamp": "2026-03-04 22:30", "end_date": "2026-03-04 23:00"}]
            """
        let answer = try await shell.run(["import", "json", "-", "--json"], input: text)
        #expect(try answer.status == 0 && answer.json()["imported"] == 4, "\(answer.errors)")
        let expected = ["2026-03-01T23:30", "2026-03-03T00:30", "2026-03-03T23:15", "2026-03-04T23:00"]
        #expect(try await ends() == expected.map { $0 + ":00.000Z" })
    }

    @Test(
        "what is relative to the present time is the end of no row in a file",
        arguments: ["30m ago", "-30m", "now", "Now "])
    func relative(end: String) async throws {
        let path = try shell.home.write("start,end,what\n2026-03-02 09:00,\(end),run\n", to: "in.csv")
        let answer = try await shell.run(
            "import", "csv", path, "--time", "start", "--until", "end", "--type", "what")
        #expect(answer.status == 65 && answer.errors.contains("is relative to the present time"), "\(answer.errors)")
        let json = "[{\"event_type\":\"run\",\"timestamp\":\"2026-03-02 09:00\",\"end_date\":\"\(end)\"}]"
        let other = try await shell.run(["import", "json", "-"], input: json)
        #expect(other.status == 65 && other.errors.contains("event 1 (line 1): the end"), "\(other.errors)")
    }

    @Test(
        "a time of day has the day of its start, or the next one",
        arguments: [
            ("17:00", "2026-03-02T09:00:00Z", "2026-03-02 17:00"), ("8:00", "2026-03-02T09:00:00Z", "2026-03-03 8:00"),
            ("9:00", "2026-03-02T09:00:00Z", "2026-03-02 9:00"), ("6 pm", "2025-12-31T20:00:00Z", "2026-01-01 6 pm"),
            ("2026-03-05", "2026-03-02T09:00:00Z", "2026-03-05"),
            ("yesterday 9:00", "2026-03-02T09:00:00Z", "yesterday 9:00"),
        ])
    func dated(text: String, start: String, expected: String) throws {
        let times = WhenParser(now: TestShell.noon, zone: .utc)
        #expect(times.dated(text, from: try #require(Timestamp(start))) == expected)
    }
}
