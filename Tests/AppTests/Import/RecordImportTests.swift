import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("trendy import json and jsonl")
struct RecordImportTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    /// A store with everything that a record can have.
    private func fill() async throws {
        _ = try await shell.json("type", "add", "run", "--color", "red")
        _ = try await shell.json("type", "add", "unused")
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number", "--default", "5")
        _ = try await shell.json("prop", "add", "run", "how", "--kind", "select", "--options", "easy,hard")
        _ = try await shell.json("place", "add", "Home", "--lat", "52.5", "--lon", "13.4", "--enter", "run")
        _ = try await shell.json(
            "log", "run", "--prop", "km=7.25", "--prop", "how=easy", "--place", "Home", "--note", "a\n\"b\" 😀")
        _ = try await shell.json("log", "run", "--at", "2026-03-01", "--all-day", "--lat", "1.5", "--lon", "-2.25")
        // What only a newer version understands came from a server.
        try shell.change { store in
            var event = try #require(try store.fetch(Event.self, where: nil).first)
            event.entity.properties["mood"] = .other(type: PropertyType(rawValue: "rating"), value: ["stars": 4])
            try store.upsert(event)
        }
    }

    @Test(
        "an export comes back exactly on another device, and adds nothing the second time",
        arguments: ["json", "jsonl"])
    func roundTrip(form: String) async throws {
        try await fill()
        let exported = try await shell.run("export", form).output
        let other = try TestShell()
        for expected in [2, 0] {
            let answer = try await other.run(["import", form, "-", "--json"], input: exported)
            #expect(try answer.json()["imported"] == .integer(Int64(expected)), "\(answer.errors)")
        }
        #expect(try await other.run("export", form).output == exported)
        #expect(try await shell.run(["import", form, "-", "--json"], input: exported).json()["unchanged"] == 2)
        #expect(try await shell.run("export", form).output == exported)
    }

    @Test("events may come before what describes them, as tools write that sort members")
    func sortedMembers() async throws {
        try await fill()
        let exported = try await shell.run("export", "json").json()
        let sorted = try String(decoding: WireCoding.encode(exported), as: UTF8.self)
        let events = try #require(sorted.firstRange(of: "\"events\""))
        let places = try #require(sorted.firstRange(of: "\"geofences\""))
        #expect(events.lowerBound < places.lowerBound)
        let other = try TestShell()
        let answer = try await other.run(["import", "json", "-"], input: sorted)
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(try await other.run("export", "json").json() == exported)
    }

    @Test("records of another account get ids of their own, the same each time")
    func otherAccount() async throws {
        try await fill()
        try shell.change { store in
            for var event in try store.fetch(Event.self, where: nil) {
                event.server.createdAt = event.entity.timestamp
                try store.upsert(event)
            }
        }
        try shell.claim(for: StoreOwner(userId: "somebody", server: "https://trendy.example.org"))
        let exported = try await shell.run("export", "json").output
        let other = try TestShell()
        try other.claim(for: StoreOwner(userId: "me", server: "https://trendy.example.org"))
        #expect(try await other.run(["import", "json", "-", "--json"], input: exported).json()["imported"] == 2)
        #expect(try await other.run(["import", "json", "-", "--json"], input: exported).json()["unchanged"] == 2)
        let (here, there) = (try await shell.json("list").array, try await other.json("list").array)
        #expect(Set(here.compactMap { $0["id"] }).isDisjoint(with: there.compactMap { $0["id"] }))
        #expect(here.map { $0["properties"] } == there.map { $0["properties"] })
    }

    @Test("types, properties and places that are here already are used, whatever their ids")
    func merging() async throws {
        try await fill()
        let exported = try await shell.run("export", "json").output
        let other = try TestShell()
        let run = try await other.json("type", "add", "RUN")
        let home = try await other.json("place", "add", "home", "--lat", "1", "--lon", "2")
        _ = try await other.json("prop", "add", "RUN", "km", "--kind", "text")
        let answer = try await other.run(["import", "json", "-", "--json"], input: exported)
        #expect(try answer.json()["types_created"] == ["unused"], "\(answer.errors)")
        #expect(
            try answer.json()["remarks"]?.array.first?.stringValue?.contains("'km' of 'RUN' is a text here") == true)
        let events = try await other.json("list").array
        #expect(events.allSatisfy { $0["event_type_id"] == run["id"] })
        #expect(events.contains { $0["geofence_id"] == home["id"] })
    }

    @Test("fields that are not known are told, and not lost silently")
    func unknownFields() async throws {
        let answer = try await shell.run(
            ["import", "json", "-", "--json"],
            input: "[{\"timestamp\":\"2026-03-01T08:00:00Z\",\"event_type\":\"run\",\"weather\":\"rain\"}]")
        #expect(answer.status == 0)
        #expect(answer.errors.contains("weather (1)"), "\(answer.errors)")
    }

    @Test("an event written by hand needs a time and the name of its type")
    func byHand() async throws {
        let text = """
            {"timestamp": "yesterday 8:00", "event_type": "run", "notes": "n", "properties": {"km": 7.5, "easy": true}}

            {"timestamp": 1772352000, "event_type": "Run", "end_date": "2026-03-01T09:00:00Z"}
            """
        let answer = try await shell.run(["import", "jsonl", "-", "--json"], input: text)
        #expect(try answer.json()["imported"] == 2, "\(answer.errors)")
        #expect(try answer.json()["properties_created"] == 2)
        #expect(try await shell.run(["import", "jsonl", "-", "--json"], input: text).json()["unchanged"] == 2)
        let events = try await shell.json("list").array
        #expect(events.first?["properties"]?["km"] == ["type": "number", "value": 7.5])
        #expect(events.first?["timestamp"] == "2026-03-09T08:00:00.000Z")
    }

    @Test("a bad record keeps all out, with its line and field; or is passed over")
    func badRecords() async throws {
        let text = """
            [
            {"timestamp": "2026-03-01", "event_type": "run"},
            {"timestamp": "never", "event_type": "run"},
            {"event_type": "run"},
            {"id": "x", "event_type_id": "y", "timestamp": 5},
            "text"
            ]
            """
        let refused = try await shell.run(["import", "json", "-", "--json"], input: text)
        #expect(refused.status == 65)
        #expect(try refused.json()["imported"] == 0 && refused.json()["bad"] == 4)
        #expect(try refused.json()["errors"]?.array.compactMap { $0["line"] } == [3, 4, 5, 6])
        #expect(refused.errors.contains("'timestamp' is no text"), "\(refused.errors)")
        #expect(try await shell.json("status")["counts"]?["event_type"] == 0)
        let rest = try await shell.run(["import", "json", "-", "--skip-bad", "--json"], input: text)
        #expect(rest.status == 65)
        #expect(try rest.json()["imported"] == 1)
    }

    @Test("of several on one line it says which one is bad")
    func oneLine() async throws {
        let text =
            "{\"property_definitions\":[5],\"event_types\":[6],"
            + "\"events\":[{\"timestamp\":\"2026-03-01\",\"event_type\":\"run\"},{\"event_type\":\"run\"}]}"
        let answer = try await shell.run(["import", "json", "-", "--json"], input: text)
        #expect(answer.status == 65)
        for place in ["property 1 (line 1): ", "type 1 (line 1): ", "event 2 (line 1): 'timestamp' is missing"] {
            #expect(answer.errors.contains(place), "\(answer.errors)")
        }
        let errors = try answer.json()["errors"]?.array ?? []
        #expect(errors.compactMap { $0["element"] } == ["property 1", "type 1", "event 2"])
    }

    @Test("a rehearsal tells what would go in, and writes nothing")
    func dryRun() async throws {
        try await fill()
        let exported = try await shell.run("export", "json").output
        let other = try TestShell()
        let answer = try await other.run(["import", "json", "-", "--dry-run", "--json"], input: exported)
        #expect(try answer.json()["imported"] == 2 && answer.json()["dry_run"] == true)
        #expect(try answer.json()["types_created"]?.array.count == 2 && answer.json()["places_created"] == 1)
        #expect(try await other.json("status")["pending"] == 0)
        #expect(
            try await shell.run(["import", "json", "-", "--dry-run", "--json"], input: exported).json()["unchanged"]
                == 2)
    }
}
