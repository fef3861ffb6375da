import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Import and export")
struct ImportCommandTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    private func importing(_ text: String, _ options: String...) async throws -> TestShell.Answer {
        let file = try shell.home.write(text, to: "in.csv")
        return try await shell.run(["import", "csv", file, "--json"] + options)
    }

    @Test("rows become events of types that are made for them")
    func rows() async throws {
        let answer = try await importing(
            "\u{FEFF}when,what,note\r\n2026-03-01T10:00:00+01:00,ride,\"a, \"\"b\"\"\nc\"\r\n1772352000,walk,\r\n2026-03-02 08:00,ride,x\r\n",
            "--time", "when", "--type", "WHAT", "--note", "note")
        #expect(answer.status == 0)
        #expect(try answer.json()["imported"] == 3)
        #expect(try answer.json()["types_created"] == ["ride", "walk"])
        let events = try await shell.json("list").array
        #expect(
            events.compactMap { $0["timestamp"] } == [
                "2026-03-02T08:00:00.000Z", "2026-03-01T09:00:00.000Z", "2026-03-01T08:00:00.000Z",
            ])
        #expect(events[1]["notes"] == "a, \"b\"\nc")
        #expect(events.allSatisfy { $0["source_type"] == "imported" })
    }

    @Test("the same import twice adds nothing; equal rows in one file are different events")
    func twice() async throws {
        let text = "t,note\n2026-03-01,a\n2026-03-01,a\n2026-03-01,b\n"
        let first = try await importing(text, "--time", "t", "--type", "=ride", "--note", "note")
        #expect(try first.json()["imported"] == 3)
        let second = try await importing(text, "--time", "t", "--type", "=ride", "--note", "note")
        #expect(try second.json()["imported"] == 0)
        #expect(try second.json()["unchanged"] == 3)
        let grown = try await importing(text + "2026-03-01,a\n", "--time", "t", "--type", "=ride", "--note", "note")
        #expect(try grown.json()["imported"] == 1)
        #expect(try await shell.json("list").array.count == 4)
    }

    @Test("an id column names the rows, whatever else they say")
    func idColumn() async throws {
        _ = try await importing("id,t\nx1,2026-03-01\nx2,2026-03-02\n", "--time", "t", "--type", "=ride", "--id", "id")
        let again = try await importing(
            "id,t\nx1,2026-03-05\nx3,2026-03-02\nx3,2026-03-03\n,2026-03-04\n", "--time", "t", "--type", "=ride",
            "--id", "id")
        #expect(try again.json()["imported"] == 1)
        #expect(try again.json()["unchanged"] == 2)
        #expect(try again.json()["bad"] == 1)
    }

    @Test("bad rows are told with their lines and passed over; the rest goes in")
    func badRows() async throws {
        _ = try await shell.json("type", "add", "run")
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number")
        let long = String(repeating: "n", count: 10_001)
        let answer = try await importing(
            "t,note,km\n2026-03-01,ok,1\nbogus,x,1\n2026-03-01,x\n2026-03-01,x,far\n2026-03-01,\(long),1\n\"open,x,1\n2026-03-02,ok,\n",
            "--time", "t", "--type", "=run", "--note", "note", "--prop", "km=km")
        #expect(answer.status == 65)
        #expect(try answer.json()["imported"] == 2)
        #expect(try answer.json()["errors"]?.array.compactMap { $0["line"] } == [3, 4, 5, 6, 7])
        #expect(answer.errors.contains("line 3: 'bogus' is not a time"))
        #expect(answer.errors.contains("2 events imported"))
        let events = try await shell.json("list").array
        #expect(events.last?["properties"] == ["km": ["type": "number", "value": 1]])
    }

    @Test("a file in Latin-1 is refused with what converts it, be it in its first line or in its rows")
    func latin1() async throws {
        let (umlaut, way) = (Data([0xF6]), "convert it with 'iconv -f latin1 -t utf-8 FILE > NEW'")
        let rows = Data("type,time,note\nrun,2026-03-01,sch".utf8) + umlaut + Data("n\nrun,2026-03-02,ok\n".utf8)
        let some = try await shell.run(["import", "csv", "-"], bytes: rows)
        #expect(some.status == 65 && some.errors.contains("line 2: field 3 is not UTF-8"), "\(some.errors)")
        #expect(some.errors.contains("1 row is not UTF-8; if it is Latin-1, \(way)"), "\(some.errors)")
        #expect(try await shell.json("list").array.count == 1)
        let header = Data("type,time,Gr".utf8) + umlaut + Data("n\nrun,2026-03-01,1\n".utf8)
        let none = try await shell.run(["import", "csv", "-"], bytes: header)
        #expect(none.status == 65 && none.errors.contains(way), "\(none.errors)")
    }

    @Test("a row that cannot go in makes no type")
    func noTypeForBadRows() async throws {
        let long = String(repeating: "n", count: 101)
        _ = try await importing("t,type\nbogus,a\n2026-03-01,\(long)\n2026-03-01,b\n", "--time", "t", "--type", "type")
        #expect(try await shell.json("type", "list").array.compactMap { $0["name"] } == ["b"])
        let refused = try await importing(
            "t,type\n2026-03-01,c\n", "--time", "t", "--type", "type", "--no-create-types")
        #expect(refused.status == 65)
        #expect(try await shell.json("status")["counts"]?["event_type"] == 1)
    }

    @Test("nothing is written where columns are missing or the file is none")
    func missingColumns() async throws {
        let answer = try await importing("when,what\n2026-03-01,x\n", "--time", "date", "--type", "what")
        #expect(answer.status == 65)
        #expect(answer.errors.contains("'date'") && answer.errors.contains("when, what"))
        #expect(try await importing("", "--time", "t", "--type", "=x").status == 65)
        #expect(try await importing("t,t\n1,2\n", "--time", "t", "--type", "=x").status == 65)
        #expect(try await shell.run("import", "csv", "/nowhere.csv", "--time", "t", "--type", "=x").status == 65)
        #expect(try await shell.run("import", "csv", shell.home.path, "--time", "t", "--type", "=x").status == 65)
        #expect(try await shell.json("status")["counts"]?["event"] == 0)
    }

    @Test("more rows than one transaction holds come from standard input")
    func manyRows() async throws {
        let count = ImportPipeline.chunkSize + 500
        let lines = (0..<count).map { "\(1_700_000_000 + $0),n\($0)" }
        let text = "t,n\n" + lines.joined(separator: "\n")
        let answer = try await shell.run(
            ["import", "csv", "-", "--time", "t", "--type", "=x", "--note", "n", "--json"], input: text)
        #expect(try answer.json()["imported"] == .integer(Int64(count)))
        #expect(try await shell.json("status")["pending"] == .integer(Int64(count + 1)))
    }

    @Test("an option that only rows of a later transaction name is one of its property")
    func lateOption() async throws {
        let count = ImportPipeline.chunkSize + 1
        let lines = (0..<count).map { row in
            let mood = row == count - 1 ? "late" : "early"
            return #"{"event_type":"x","timestamp":\#(1_700_000_000_000 + row),"#
                + #""properties":{"mood":{"type":"select","value":"\#(mood)"}}}"#
        }
        let answer = try await shell.run(["import", "jsonl", "-", "--json"], input: lines.joined(separator: "\n"))
        #expect(try answer.json()["imported"] == .integer(Int64(count)))
        #expect(try await shell.json("prop", "list", "x").array.map { $0["options"] } == [["early", "late"]])
    }

    @Test("what is exported as CSV can be imported on another device")
    func exportImport() async throws {
        _ = try await shell.json("type", "add", "run")
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number")
        _ = try await shell.json(
            "log", "run", "--note", "a,\n\"b\"", "--prop", "km=7.5", "--until", "12:00", "--all-day", "--location", "Ü",
            "--lat", "-52.5", "--lon", "13.25")
        let csv = try await shell.run("export", "csv")
        let other = try TestShell()
        _ = try await other.json("type", "add", "run")
        _ = try await other.json("prop", "add", "run", "km", "--kind", "number")
        let answer = try await other.run(
            [
                "import", "csv", "-", "--time", "timestamp", "--until", "end_date", "--type", "event_type", "--note",
                "notes", "--id", "id", "--prop", "km=property:km", "--all-day", "is_all_day", "--location",
                "location_name", "--lat", "location_latitude", "--lon", "location_longitude",
            ], input: csv.output)
        #expect(answer.status == 0, "\(answer.errors)")
        let here = try #require(try await shell.json("list").array.first)
        let there = try #require(try await other.json("list").array.first)
        let fields = [
            "timestamp", "end_date", "notes", "properties", "is_all_day", "location_name", "location_latitude",
            "location_longitude",
        ]
        for field in fields { #expect(here[field] == there[field]) }
    }

    @Test("an import into the store that exported the file adds nothing")
    func ownExport() async throws {
        _ = try await shell.json("log", "run", "--create-type")
        let csv = try await shell.run("export", "csv")
        let answer = try await importing(csv.output, "--time", "timestamp", "--type", "event_type", "--id", "id")
        #expect(try answer.json()["imported"] == 0 && answer.json()["unchanged"] == 1)
        #expect(try await shell.json("list").array.count == 1)
    }

    @Test("names of types differ by more than their case")
    func foldedTypes() async throws {
        let answer = try await importing(
            "t,k\n2026-03-01,run\n2026-03-02,RUN\n2026-03-03,Run\n", "--time", "t", "--type", "k")
        #expect(try answer.json()["types_created"] == ["run"])
        let again = try await importing(
            "t,k\n2026-03-01,RUN\n2026-03-02,rUN\n", "--time", "t", "--type", "k")
        #expect(try again.json()["unchanged"] == 2)
        #expect(try await shell.json("type", "list").array.count == 1)
    }

    @Test("devices of one account give a row one id")
    func twoDevices() async throws {
        let other = try TestShell()
        let account = StoreOwner(userId: "u1", server: "https://trendy.example.org")
        var ids: [JSONValue?] = []
        for device in [shell, other] {
            try device.claim(for: account)
            _ = try await device.run(
                ["import", "csv", "-", "--time", "t", "--type", "=x"], input: "t\n2026-03-01T10:00:00Z\n")
            ids.append(try await device.json("list").array.first?["id"])
        }
        #expect(ids[0] != nil && ids[0] == ids[1])
    }

    @Test("a file with another separator is told from one without the column")
    func separators() async throws {
        let semicolons = try await importing(
            "t;k\n2026-03-01;x\n", "--time", "t", "--type", "k", "--delimiter", ",")
        #expect(semicolons.status == 65 && semicolons.errors.contains("--delimiter ';'"))
        let named = try await importing("sep=|\nt|k\n2026-03-01|x;y,z\n", "--time", "t", "--type", "k")
        #expect(try named.json()["types_created"] == ["x;y,z"], "\(named.errors)")
        let returns = try await importing("t,k\r2026-03-02,x\rnone,x\r", "--time", "t", "--type", "k")
        #expect(try returns.json()["imported"] == 1 && returns.errors.contains("line 3: 'none'"), "\(returns.errors)")
    }

    @Test("the JSON export has an array for each kind, also where there is nothing")
    func exportJSON() async throws {
        let kinds: Set = ["event_types", "property_definitions", "geofences", "events"]
        #expect(Set(try await shell.run("export", "json").json().objectValue?.keys.map { $0 } ?? []) == kinds)
        _ = try await shell.json("type", "add", "run")
        _ = try await shell.json("log", "run")
        let file = shell.home.path + "/out.json"
        #expect(try await shell.json("export", "json", "--output", file)["events"] == 1)
        let written = try WireCoding.decode(JSONValue.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        let listed = try await shell.json("list").array.map { event in
            var event = event.objectValue ?? [:]
            event["event_type_name"] = nil
            return JSONValue.object(event)
        }
        #expect(written["events"] == .array(listed))
        #expect(try await shell.run("export", "csv", "--output", "/nowhere/x.csv").status == 73)
    }
}
