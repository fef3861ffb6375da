import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("trendy import csv, once more")
struct CSVAgainTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    private func importing(_ text: String, _ options: String..., file: String = "in.csv") async throws -> JSONValue {
        let path = try shell.home.write(text, to: file)
        let answer = try await shell.run(["import", "csv", path, "--json"] + options)
        #expect(answer.status == 0, "\(answer.errors)")
        return try answer.json()
    }

    @Test("adds nothing where other columns are named, or guessed")
    func otherColumns() async throws {
        let text = "when,what,note,km\n2026-03-01,run,a,1\n2026-03-01,run,b,1\n2026-03-01,run,b,1\n"
        #expect(try await importing(text, "--time", "when", "--type", "what")["imported"] == 3)
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number")
        for options in [["--note", "note"], ["--prop", "km=km"], ["--until", "when", "--location", "note"]] {
            let path = try shell.home.write(text, to: "in.csv")
            let all = ["import", "csv", path, "--json", "--time", "when", "--type", "what"] + options
            for rehearsal in [["--dry-run"], []] {
                let answer = try await shell.run(all + rehearsal)
                #expect(try answer.json()["imported"] == 0 && answer.json()["unchanged"] == 3, "\(options)")
            }
        }
        #expect(try await importing(text)["unchanged"] == 3)
        #expect(try await importing(text, "--time", "when", "--type", "=run")["unchanged"] == 3)
        #expect(try await importing(text + "2026-03-01,run,c,1\n")["imported"] == 1)
    }

    @Test("adds nothing where the column of ids is guessed, named, or named only the second time")
    func ids() async throws {
        let rows = (0..<3).map { "\(TestShell.eventId($0)),2026-03-01,run,\($0)\n" }.joined()
        let text = "uid,when,what,no\n\(rows)"
        #expect(try await importing(text)["imported"] == 3)
        #expect(try await importing(text, "--time", "when", "--type", "what")["unchanged"] == 3)
        #expect(try await importing(text, "--time", "when", "--type", "what", "--id", "no")["imported"] == 3)
        let short = "no,when,what\n1,2026-03-05,run\n2,2026-03-05,run\n"
        #expect(try await importing(short)["imported"] == 2)
        #expect(try await importing(short, "--id", "no")["unchanged"] == 2)
    }

    @Test("rows of another file with the same numbers, or the same time and type, are other rows")
    func otherRows() async throws {
        #expect(try await importing("id,date,n\n1,2026-03-01,a\n2,2026-03-02,b\n", file: "run.csv")["imported"] == 2)
        #expect(try await importing("id,date,n\n1,2026-03-01,c\n2,2026-03-02,d\n", file: "run.csv")["imported"] == 2)
        #expect(
            try await importing("id,date\n1,2026-03-01\n", "--id", "id", "--type", "=walk", file: "walk.csv")[
                "imported"]
                == 1)
        #expect(
            try await importing("id,date\n1,2026-03-01\n", "--id", "id", "--type", "=ride", file: "ride.csv")[
                "imported"]
                == 1)
        // One row may stand for two events.
        let wide = "date,run,swim\n2026-03-01,5,1\n"
        for type in ["=jog", "=swim"] {
            #expect(try await importing(wide, "--time", "date", "--type", type)["imported"] == 1)
        }
        #expect(try await shell.json("list").array.count == 8)
    }

    @Test("tells what the events that are here lack where more columns are read, and leaves them as they are")
    func moreColumns() async throws {
        let text = "when,what,note,km\n2026-03-01,run,a,1\n2026-03-02,run,,2\n"
        let named = ["--time", "when", "--type", "what", "--all-day", "=no"]
        let path = try shell.home.write(text, to: "in.csv")
        for options in [[], ["--dry-run"], []] {
            let answer = try await shell.run(["import", "csv", path, "--json"] + named + options).json()
            #expect(answer["remarks"] == [])
        }
        for options in [["--dry-run"], []] {
            let more = ["--note", "note", "--prop", "km=km"] + options
            let answer = try await shell.run(["import", "csv", path, "--json"] + named + more)
            #expect(answer.errors.contains("existing events were not changed"), "\(answer.errors)")
            #expect(answer.errors.contains("(note, km); change them with 'trendy edit'"), "\(answer.errors)")
            #expect(try answer.json()["unchanged"] == 2)
        }
        let events = try await shell.json("list").array
        #expect(events.allSatisfy { $0["notes"] ?? .null == .null && $0["properties"]?.objectValue?["km"] == nil })
        _ = try await shell.json("undo")
        let all = ["--note", "note", "--prop", "km=km"]
        let anew = try await shell.run(["import", "csv", path, "--json"] + named + all)
        #expect(try anew.json()["imported"] == 2, "\(anew.errors)")
        #expect(try await shell.json("list").array.last?["notes"] == "a")
    }

    @Test("times that a clock never shows, or twice, are told; those with an offset, and days, are none of them")
    func clockChanges() async throws {
        shell.zone = LocalZone(try #require(TimeZone(identifier: "Europe/Berlin")))
        let answer = try await importing(
            "when,until,what\n2025-03-30 02:30,2025-03-30 04:00,a\n2025-10-26 02:15,2025-10-26 02:45,a\n"
                + "2025-10-26T02:30:00+01:00,,a\n2025-10-26,,a\n2025-10-26 03:30,,a\n2025-10-26T00:30:00Z,,a\n")
        #expect(answer["imported"] == 6)
        let remarks = answer["remarks"]?.array.compactMap(\.stringValue) ?? []
        #expect(remarks.count == 3 && remarks.first?.contains("1 time does not exist") == true, "\(remarks)")
        let twice = remarks.dropFirst().first
        #expect(twice?.contains("2 times are ambiguous") == true, "\(remarks)")
        #expect(twice?.contains("(2025-10-26 02:15 as 02:15+02:00)") == true, "\(remarks)")
        #expect(remarks.last == "1 row has no time of day and starts at 00:00 (line 5)")
    }

    @Test("rows that cannot go in do not count among those whose times are told")
    func refusedRows() async throws {
        shell.zone = LocalZone(try #require(TimeZone(identifier: "Europe/Berlin")))
        let path = try shell.home.write(
            "when,what,km\n2025-10-26 02:15,,1\n2025-10-26 02:20,a,far\n2025-10-26 02:30,a,1\n2025-10-26,,1\n"
                + "2025-10-27,a,1\n2025-10-28,a,1\n", to: "in.csv")
        _ = try await shell.json("type", "add", "a")
        _ = try await shell.json("prop", "add", "a", "km", "--kind", "number")
        let answer = try await shell.run(
            "import", "csv", path, "--json", "--time", "when", "--type", "what", "--prop", "km=km")
        let remarks = try answer.json()["remarks"]?.array.compactMap(\.stringValue) ?? []
        #expect(try answer.json()["bad"] == 3 && remarks.count == 2, "\(answer.errors)")
        #expect(remarks.first?.hasPrefix("1 time is ambiguous") == true, "\(remarks)")
        #expect(remarks.last == "2 rows have no time of day and start at 00:00 (the first is line 6)")
    }

    private static let place = Geofence(
        id: TestShell.eventId(900), name: "gym", latitude: 1, longitude: 2, radius: 100)
    private static let kept = [
        "timestamp", "source_type", "external_id", "original_title", "geofence_id", "healthkit_sample_id",
        "healthkit_category",
    ]

    private func export(_ event: (String) -> Event) async throws -> String {
        _ = try await shell.json("type", "add", "run")
        let type = try await shell.json("type", "list").array.first?["id"]?.stringValue
        try await shell.engine.create(Self.place)
        try await shell.engine.create(event(try #require(type)))
        return try await shell.run("export", "csv").output
    }

    @Test("takes along from Trendy's own export where an event came from, and knows it again")
    func ownColumns() async throws {
        let csv = try await export { type in
            Event(
                id: TestShell.eventId(1), eventTypeId: type, timestamp: TestShell.noon, sourceType: .geofence,
                externalId: "cal:7", originalTitle: "Morning run", geofenceId: Self.place.id,
                healthKitSampleId: "sample", healthKitCategory: "workout")
        }
        #expect(try await shell.run(["import", "csv", "-", "--json"], input: csv).json()["unchanged"] == 1)
        let named = ["--time", "timestamp", "--type", "event_type", "--id", "id"]
        for options in [[], named] {
            let other = try TestShell()
            try await other.engine.create(Self.place)
            let answer = try await other.run(["import", "csv", "-", "--json"] + options, input: csv)
            #expect(try answer.json()["imported"] == 1 && answer.json()["remarks"] == [], "\(answer.errors)")
            let (here, there) = (try await shell.json("list").array.first, try await other.json("list").array.first)
            for field in Self.kept { #expect(here?[field] == there?[field] && here?[field] != nil, "\(field)") }
            #expect(try await other.run(["import", "csv", "-", "--json"], input: csv).json()["unchanged"] == 1)
            let back = try await other.run("export", "csv").output
            #expect(try await shell.run(["import", "csv", "-", "--json"], input: back).json()["unchanged"] == 1)
        }
    }

    @Test(
        "and the other formats of one export know each other's events",
        arguments: [["csv", "json"], ["jsonl", "csv"]])
    func formats(order: [String]) async throws {
        _ = try await export { type in
            Event(id: TestShell.eventId(1), eventTypeId: type, timestamp: TestShell.noon, notes: "n")
        }
        let other = try TestShell()
        for (number, format) in order.enumerated() {
            let text = try await shell.run("export", format).output
            for options in [["--dry-run"], []] {
                let answer = try await other.run(["import", format, "-", "--json"] + options, input: text).json()
                #expect(answer["imported"] == (number == 0 ? 1 : 0) && answer["unchanged"] == .integer(Int64(number)))
            }
        }
        let copies = try await shell.run("export", "json").output
        #expect(try await other.run(["import", "json", "-", "--new-ids"], input: copies).status == 0)
        #expect(try await other.json("list").array.count == 2)
    }

    @Test("tells of places that are not here, and takes the row all the same")
    func lostPlace() async throws {
        let csv = try await export { type in
            Event(
                id: TestShell.eventId(1), eventTypeId: type, timestamp: TestShell.noon, geofenceId: Self.place.id)
        }
        let other = try TestShell()
        let answer = try await other.run(["import", "csv", "-"], input: csv)
        #expect(answer.status == 0 && answer.errors.contains("the place of 1 row is missing"), "\(answer.errors)")
        let event = try await other.json("list").array.first
        #expect(event?["geofence_id"] ?? .null == .null && event?["source_type"] == "manual")
    }
}
