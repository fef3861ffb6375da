import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Imports from other programs")
struct AppImportTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    private func importing(_ arguments: [String], _ text: String = "") async throws -> JSONValue {
        let answer = try await shell.run(["import"] + arguments + ["--json"], input: text)
        guard answer.status == 0 else { throw CommandFailure(.software, answer.errors) }
        return try answer.json()
    }

    private func events() async throws -> [JSONValue] {
        try await shell.json("list").array.reversed()
    }

    // MARK: timewarrior

    @Test("intervals of timewarrior come from its export and from its data files, and are the same ones")
    func timewarrior() async throws {
        let lines = """
            inc 20260301T080000Z - 20260301T093000Z # reading "two words" # with a note
            inc 20260302T080000Z - 20260302T093000Z # coding # "quoted \\"x\\""
            inc 20260303T080000Z - 20260303T093000Z # # note only
            inc 20260304T080000Z # open
            """
        let first = try await importing(["timewarrior", "-"], lines)
        #expect(first["imported"] == 3)
        #expect(first["remarks"]?.array.count == 1)
        let exported = """
            [
            {"id":3,"start":"20260301T080000Z","end":"20260301T093000Z","tags":["reading","two words"],"annotation":"with a note"},
            {"id":2,"start":"20260302T080000Z","end":"20260302T093000Z","tags":["coding"],"annotation":"quoted \\"x\\""},
            {"id":1,"start":"20260305T080000Z","end":"20260305T093000Z"}
            ]
            """
        let second = try await importing(["timewarrior", "-"], exported)
        #expect(second["imported"] == 1 && second["unchanged"] == 2)
        let events = try await events()
        #expect(events.map { $0["notes"] ?? .null } == ["with a note", "quoted \"x\"", "note only", .null])
        #expect(events[0]["properties"]?["tags"]?["value"] == "reading, two words")
        #expect(events[0]["end_date"] == "2026-03-01T09:30:00.000Z")
        #expect(first["types_created"] == ["reading", "coding", "time"])
    }

    @Test("lines that are no intervals are refused with their numbers")
    func timewarriorBad() async throws {
        let text = "inc 20260301T080000Z - 20260301T093000Z\nexc 20260301T080000Z\ninc yesterday\ninc\n"
        let answer = try await shell.run(["import", "timewarrior", "-"], input: text)
        #expect(answer.status == 65)
        for line in [2, 3, 4] { #expect(answer.errors.contains("line \(line): "), "\(answer.errors)") }
        #expect(try await events().isEmpty)
    }

    // MARK: jrnl

    @Test("entries of jrnl keep their text, tags and stars")
    func jrnl() async throws {
        let text = """
            {
              "tags": {"@idea": 1},
              "entries": [
                {"title": "Had an @idea.", "body": "It was\\ngood.", "date": "2026-03-01", "time": "09:30",
                 "tags": ["@idea"], "starred": true},
                {"title": "Slept.", "body": "", "date": "2026-03-02", "time": "23:05", "tags": [], "starred": false}
              ]
            }
            """
        #expect(try await importing(["jrnl", "-"], text)["imported"] == 2)
        #expect(try await importing(["jrnl", "-"], text)["unchanged"] == 2)
        let events = try await events()
        #expect(events.map { $0["notes"] } == ["Had an @idea.\nIt was\ngood.", "Slept."])
        #expect(events[0]["timestamp"] == "2026-03-01T09:30:00.000Z")
        #expect(events[0]["properties"]?["starred"]?["value"] == true)
        #expect(events[0]["properties"]?["tags"]?["value"] == "@idea")
        #expect(events[1]["properties"]?.objectValue?.isEmpty == true)
        let bad = try await shell.run(["import", "jrnl", "-"], input: "{\"entries\":[{\"title\":\"x\"}]}")
        #expect(bad.status == 65 && bad.errors.contains("'date' is missing"), "\(bad.errors)")
    }

    // MARK: Daylio

    private static let daylio =
        "\u{FEFF}full_date,date,weekday,time,mood,activities,scales,note_title,note\n"
        + "2026-02-27,February 27,Friday,9:48\u{202F}pm,meh,\"work | long walk\",\"Sleep: 4\",\"T\","
        + "\"a<br>b &amp; c <3<div>d</div>\"\n"
        + "2026-02-26,26. Februar,Donnerstag,18:20,rad,\"\",,,\"\"\n"

    @Test("entries of Daylio keep mood, activities and notes without their layout")
    func daylio() async throws {
        #expect(try await importing(["daylio", "-"], Self.daylio)["imported"] == 2)
        #expect(try await importing(["daylio", "-"], Self.daylio)["unchanged"] == 2)
        let events = try await events()
        #expect(events.map { $0["timestamp"] } == ["2026-02-26T18:20:00.000Z", "2026-02-27T21:48:00.000Z"])
        #expect(events[1]["notes"] == "T\na\nb & c <3\nd")
        let properties = events[1]["properties"]
        #expect(properties?["mood"]?["value"] == "meh" && properties?["scales"]?["value"] == "Sleep: 4")
        #expect(properties?["activities"]?["value"] == "work, long walk")
        #expect(events[0]["properties"]?.objectValue?.count == 1)
    }

    @Test("activities become events of their own where that is asked for; older exports have fewer columns")
    func daylioActivities() async throws {
        let result = try await importing(["daylio", "-", "--split-activities", "--type", "Stimmung"], Self.daylio)
        #expect(result["imported"] == 4)
        #expect(result["types_created"] == ["Stimmung", "work", "long walk"])
        let old = "full_date,date,weekday,time,mood,activities,note\n2019-01-02,x,y,08:00,good,,hi\n"
        #expect(try await importing(["daylio", "-"], old)["imported"] == 1)
        let bad = try await shell.run(["import", "daylio", "-"], input: "full_date,mood\n2019-01-02,x\n")
        #expect(bad.status == 65 && bad.errors.contains("no column time"), "\(bad.errors)")
        let late = Self.daylio + "2026-02-25,x,y,25:00,bad,,,,\n"
        let refused = try await shell.run(["import", "daylio", "-", "--type", "x"], input: late)
        #expect(refused.status == 65 && refused.errors.contains("line 4: "), "\(refused.errors)")
    }

    @Test("times of Daylio and jrnl that a clock never shows are told, and entries without a time of day")
    func clockChanges() async throws {
        shell.zone = LocalZone(try #require(TimeZone(identifier: "Europe/Berlin")))
        let header = "full_date,date,weekday,time,mood,activities,note\n"
        let daylio = try await importing(
            ["daylio", "-"], header + "2025-03-30,x,y,02:30,good,,\n2025-03-31,x,y,,good,,\n2025-04-01,x,y,,good,,\n")
        let remarks = daylio["remarks"]?.array.compactMap(\.stringValue) ?? []
        #expect(remarks.count == 2 && remarks.first?.hasPrefix("1 time does not exist") == true, "\(remarks)")
        #expect(remarks.last?.contains("2 rows have no time of day") == true, "\(remarks)")
        #expect(remarks.last?.hasSuffix("(the first is line 3)") == true, "\(remarks)")
        let jrnl = try await importing(
            ["jrnl", "-"], "{\"entries\": [{\"title\": \"a\", \"date\": \"2025-03-30\", \"time\": \"02:30\"}]}")
        #expect(jrnl["remarks"]?.array.first?.stringValue?.hasPrefix("1 time does not exist") == true)
    }

    // MARK: Loop

    private func loop() throws -> String {
        let folder = shell.home.url.appending(path: "loop")
        for name in ["001 Meditate", "002 Km run"] {
            try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        let files = [
            "Habits.csv":
                "Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,Target Value,Archived?\n"
                + "001,Meditate,YES_NO,Did you?,,1,1,#FF8F00,,,,false\n"
                + "002,Km run!,NUMERICAL,,,1,1,#00897B,km,AT_LEAST,5.0,false\n",
            "001 Meditate/Checkmarks.csv":
                "Date,Value,Notes\n2015-01-25,YES_MANUAL,\n2015-01-24,NO,Sick\n2015-01-23,YES_AUTO,\n"
                + "2015-01-22,YES_MANUAL,\"good, \"\"day\"\"\"\n2015-01-21,SKIP,\n",
            "002 Km run/Checkmarks.csv": "Date,Value,Notes\n2015-01-25,5500,\n2015-01-24,0,\n2015-01-23,UNKNOWN,\n",
            "Checkmarks.csv":
                "Date,Meditate,Km run!,\n2015-01-25,YES_MANUAL,5500,\n2015-01-24,NO,0,\n2015-01-20,YES_MANUAL,UNKNOWN,\n",
        ]
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        return folder.path(percentEncoded: false)
    }

    @Test("days of Loop on which habits were done become events of the whole day, with amounts and notes")
    func loopFolder() async throws {
        let folder = try loop()
        let first = try await importing(["loop", folder])
        #expect(first["imported"] == 3)
        #expect(first["remarks"]?.array.first?.stringValue?.hasPrefix("1 note left out") == true)
        #expect(try await importing(["loop", folder])["unchanged"] == 3)
        let events = try await events()
        #expect(
            events.map { $0["timestamp"] }
                == ["2015-01-22", "2015-01-25", "2015-01-25"].map { .string($0 + "T00:00:00.000Z") })
        #expect(events.allSatisfy { $0["is_all_day"] == true })
        #expect(events[0]["notes"] == "good, \"day\"")
        #expect(events.compactMap { $0["properties"]?["value"] } == [["type": "number", "value": 5.5]])
        let types = try await shell.json("type", "list").array
        #expect(types.first { $0["name"] == "Meditate" }?["color"] == "#FF8F00")
        #expect(try await shell.json("prop", "list", "Km run!").array.first?["label"] == "km")
        // The file with a column for each habit says the same of these days, and more.
        let table = try await importing(["loop", folder + "/Checkmarks.csv"])
        #expect(table["imported"] == 1 && table["unchanged"] == 2)
    }

    @Test("older exports of Loop have numbers and no names of columns")
    func oldLoop() async throws {
        let folder = shell.home.url.appending(path: "old")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "001 Read"), withIntermediateDirectories: true)
        try Data("Position,Name,Question,Description,NumRepetitions,Interval,Color\n001,Read,,,1,1,#F57C00\n".utf8)
            .write(to: folder.appending(path: "Habits.csv"))
        let file = folder.appending(path: "001 Read/Checkmarks.csv")
        try Data("2015-01-25,2\n2015-01-24,1\n2015-01-23,0\n2015-01-22,2\n2015-01-21,-1\n".utf8).write(to: file)
        #expect(try await importing(["loop", file.path(percentEncoded: false)])["imported"] == 2)
        #expect(try await importing(["loop", folder.path(percentEncoded: false)])["unchanged"] == 2)
        #expect(try await shell.json("type", "list").array.compactMap { $0["name"] } == ["Read"])
    }

    @Test(
        "the scores of Loop are refused with the file to name",
        arguments: [
            ("Scores.csv", "Date,Meditate,Km run!,\n2015-01-25,0.2557,1.0000,\n2015-01-24,0.2227,0.0000,\n"),
            ("Scores.csv", "Date,Value\n2015-01-25,1\n"), ("other.csv", "Date,Value\n2015-01-25,0.2557\n"),
            ("other.csv", "2015-01-25,0.2557\n2015-01-24,0.0000\n"),
        ])
    func scores(name: String, text: String) async throws {
        let path = try shell.home.write(text, to: name)
        let answer = try await shell.run("import", "loop", path)
        #expect(answer.status == 65 && answer.errors.contains("name the Checkmarks.csv"), "\(answer.errors)")
        #expect(try await events().isEmpty)
    }

    @Test("small amounts of Loop are no scores")
    func smallAmounts() async throws {
        let path = try shell.home.write("Date,Tea,\n2015-01-25,0.5,\n2015-01-24,0.25,\n", to: "Checkmarks.csv")
        #expect(try await importing(["loop", path])["imported"] == 2)
    }

    @Test("a unit of Loop that cannot be kept is refused with the habit")
    func badUnit() async throws {
        let folder = try loop()
        let file = URL(fileURLWithPath: folder + "/Habits.csv")
        let text = try String(contentsOf: file, encoding: .utf8).replacing("#00897B,km", with: "#00897B,k\u{0}m")
        try Data(text.utf8).write(to: file)
        let bad = try await shell.run("import", "loop", folder)
        #expect(bad.status == 65 && bad.errors.contains("the unit of the habit 'Km run!'"), "\(bad.errors)")
        #expect(try await events().isEmpty)
    }

    @Test("what is no export of Loop is refused with what to do")
    func noLoop() async throws {
        let zip = try shell.home.write("PK\u{3}\u{4}", to: "a.zip")
        #expect(try await shell.run("import", "loop", zip).errors.contains("unzip"))
        let empty = try await shell.run("import", "loop", shell.home.path)
        #expect(empty.status == 65 && empty.errors.contains("no Checkmarks.csv"), "\(empty.errors)")
        #expect(try await shell.run("import", "loop", "/nowhere").status == 65)
        let folder = try loop()
        try Data("Date,Value,Notes\n2015-01-25,MAYBE,\n".utf8)
            .write(to: URL(fileURLWithPath: folder + "/001 Meditate/Checkmarks.csv"))
        let bad = try await shell.run("import", "loop", folder)
        #expect(
            bad.status == 65 && bad.errors.contains("001 Meditate/Checkmarks.csv, line 2: 'MAYBE'"), "\(bad.errors)")
        #expect(try await events().isEmpty)
    }
}
