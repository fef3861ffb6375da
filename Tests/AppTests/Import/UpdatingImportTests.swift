import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("An import of records that are here with other values")
struct UpdatingImportTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    /// Two events and their type, of which one event has changed since the export.
    private func change(after form: String) async throws -> String {
        _ = try await shell.json("type", "add", "run")
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number")
        _ = try await shell.json("log", "run", "--note", "mended", "--prop", "km=7.5", "--lat", "1.25", "--lon", "2.5")
        _ = try await shell.json("log", "run", "--note", "same", "--prop", "km=3")
        let exported = try await shell.run("export", form).output
        let events = try await shell.json("list").array
        let id = try #require(events.first { $0["notes"] == "mended" }?["id"]?.stringValue)
        _ = try await shell.json("edit", id, "--note", "lost", "--prop", "km=1")
        return exported
    }

    private func notes() async throws -> Set<String> {
        Set(try await shell.json("list").array.compactMap { $0["notes"]?.stringValue })
    }

    @Test("says how many, and leaves them as they are", arguments: ["json", "jsonl", "csv"])
    func told(form: String) async throws {
        let exported = try await change(after: form)
        for dry in [["--dry-run"], []] {
            let answer = try await shell.run(["import", form, "-"] + dry, input: exported)
            #expect(answer.status == 0)
            #expect(answer.errors.contains("1 existing record has other values"), "\(answer.errors)")
            #expect(answer.errors.contains("--update takes the values of the file"))
        }
        let json = try await shell.run(["import", form, "-", "--json"], input: exported).json()
        #expect(json["differing"] == 1 && json["updated"] == 0 && json["unchanged"] == 2 && json["imported"] == 0)
        #expect(try await notes() == ["lost", "same"])
    }

    @Test("takes the file's as edits with --update, which one undo takes back", arguments: ["json", "jsonl", "csv"])
    func updated(form: String) async throws {
        let exported = try await change(after: form)
        let dry = try await shell.run(["import", form, "-", "--update", "--dry-run"], input: exported)
        #expect(dry.output.contains("would update 1 record, 1 already there"), "\(dry.output)")
        #expect(try await notes() == ["lost", "same"])
        let pending = try await shell.json("queue", "list").array.count
        let answer = try await shell.run(["import", form, "-", "--update", "--json"], input: exported)
        #expect(try answer.json()["updated"] == 1 && answer.json()["differing"] == 0, "\(answer.errors)")
        #expect(try answer.json()["unchanged"] == 1)
        #expect(try await notes() == ["mended", "same"])
        // What waits of one record is one change.
        #expect(try await shell.json("queue", "list").array.count == pending)
        let again = try await shell.run(["import", form, "-", "--json"], input: exported)
        #expect(try again.json()["differing"] == 0 && !again.errors.contains("other values"), "\(again.errors)")
        #expect(try await shell.run("undo").status == 0)
        #expect(try await notes() == ["lost", "same"])
    }

    @Test("what a CSV file has no column for stays as it is here")
    func missingColumn() async throws {
        let exported = try await change(after: "csv")
        let file = exported.replacing(",notes,", with: ",others,", maxReplacements: 1)
            .replacing(",location_latitude,", with: ",elsewhere,", maxReplacements: 1)
        let answer = try await shell.run(["import", "csv", "-", "--update", "--json"], input: file)
        #expect(try answer.json()["updated"] == 1, "\(answer.errors)")
        #expect(try await notes() == ["lost", "same"])
        let event = try #require(try await shell.json("list").array.first { $0["notes"] == "lost" })
        #expect(event["location_latitude"] == 1.25 && event["location_longitude"] == 2.5, "\(event)")
        #expect(try await shell.run("export", "csv").output.contains("7.5"))
    }

    @Test("what is in columns that the import was not told of stays as it is here")
    func unreadColumns() async throws {
        _ = try await shell.json(
            "log", "walk", "--create-type", "--at", "8:00", "--until", "9:00", "--location", "park")
        let exported = try await change(after: "csv")
        let before = try await shell.json("list")
        let command = ["import", "csv", "-", "--time", "timestamp", "--type", "event_type"]
        let answer = try await shell.run(command + ["--update", "--json"], input: exported)
        let json = try answer.json()
        #expect(json["updated"] == 0 && json["imported"] == 0 && json["unchanged"] == 3, "\(answer)")
        #expect(try await shell.json("list") == before)
        let told = try await shell.run(command + ["--note", "notes", "--json"], input: exported).json()
        #expect(told["differing"] == 1)
    }

    @Test(
        "values that only a newer version knows are bad rows, before anything is written", arguments: ["json", "jsonl"])
    func newer(form: String) async throws {
        let exported = try await change(after: form)
            .replacing(/"type" ?: ?"number"/, with: #""type":"hologram""#)
        let before = try await shell.json("list")
        for options in [["--dry-run"], [], ["--skip-bad"]] {
            let answer = try await shell.run(["import", form, "-", "--update", "--json"] + options, input: exported)
            #expect(answer.status == 65 && answer.errors.contains("unknown type 'hologram'"), "\(answer)")
            #expect(try answer.json()["bad"] == 2 && answer.json()["updated"] == 0, "\(answer)")
            #expect(try await shell.json("list") == before)
        }
        let kind = exported.replacing(/"type" ?: ?"hologram"/, with: #""type":"number""#)
            .replacing(/"property_type" ?: ?"number"/, with: #""property_type":"hologram""#)
        let answer = try await shell.run(["import", form, "-", "--update"], input: kind)
        #expect(answer.status == 0 && answer.errors.contains("the definition was not changed"), "\(answer)")
    }

    @Test("types, properties and places count too")
    func describing() async throws {
        _ = try await shell.json("type", "add", "run", "--color", "red")
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number", "--label", "way")
        _ = try await shell.json("place", "add", "Home", "--lat", "52.5", "--lon", "13.4")
        let exported = try await shell.run("export", "json").output
        _ = try await shell.json("type", "edit", "run", "--color", "blue")
        _ = try await shell.json("prop", "edit", "run", "km", "--label", "distance")
        _ = try await shell.json("place", "edit", "Home", "--lat", "50")
        let told = try await shell.run(["import", "json", "-"], input: exported)
        #expect(told.errors.contains("3 existing records have other values"), "\(told.errors)")
        let answer = try await shell.run(["import", "json", "-", "--update"], input: exported)
        #expect(answer.output.contains("updated 3 records"), "\(answer.output)")
        #expect(try await shell.run("export", "json").output == exported)
    }

    @Test("a file of other programs has no values to take")
    func foreign() async throws {
        let file = "when,what\n2026-03-09T08:00:00Z,run\n"
        let answer = try await shell.run(
            ["import", "csv", "-", "--time", "when", "--type", "what", "--update"], input: file)
        #expect(answer.status == 64 && answer.errors.contains("'trendy export csv'"), "\(answer.errors)")
        #expect(try await shell.json("status")["counts"]?["event"] == 0)
    }
}
