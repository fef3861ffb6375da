import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp
@testable import TrendyInterchange

@MainActor
@Suite("Kinds of properties that trendy import csv makes")
struct ColumnKindTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    private func importing(_ text: String, _ options: String...) async throws -> TestShell.Answer {
        let path = try shell.home.write(text, to: "in.csv")
        return try await shell.run(["import", "csv", path, "--json"] + options)
    }

    @Test(
        "the kind is one that takes every value as it is written",
        arguments: [
            (["5", "-7.5", ""], "number"), (["1", "0"], "number"), (["1h30m", "90"], "duration"),
            (["1:30:00"], "duration"), (["PT1H30M", "45m"], "duration"), (["P1"], "text"), (["PT"], "text"),
            (["45m", "1h"], "duration"), (["yes", "No", "1"], "boolean"),
            (["400m", "90"], "text"), (["5,5", "6"], "text"), (["5km"], "text"), (["1,5h", "45m"], "duration"),
            (["1,5m"], "text"), (["5", "far"], "text"),
            ([""], "text"),
        ])
    func kinds(values: [String], kind: String) {
        #expect(ColumnKind.of(values).rawValue == kind)
    }

    @Test(
        "a comma between semicolons is a decimal one",
        arguments: [
            (["7,5", "8", ""], "number"), (["-52,5", "1.234,5"], "number"), (["7,5", "1,234"], "number"),
            (["1,234", "2,345"], "text"), (["7,5 km"], "text"), (["1,5h", "45m"], "duration"), (["1,2,3"], "text"),
        ])
    func decimalCommas(values: [String], kind: String) {
        #expect(ColumnKind.of(values, hasDecimalCommas: true).rawValue == kind)
    }

    @Test("numbers of properties and degrees have decimal commas between semicolons, and nowhere else")
    func commas() async throws {
        let text = """
            date;type;Strecke;said;lat;lon
            2026-03-01;run;7,5;5,5;52,5;-13,405
            2026-03-02;run;8,25 km;x;52.5;1,234
            2026-03-03;run;1,234;x;;

            """
        let options = ["--prop", "km=Strecke", "--prop", "said=said"]
        _ = try await shell.json("type", "add", "run")
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number")
        let path = try shell.home.write(text, to: "in.csv")
        let answer = try await shell.run(["import", "csv", path, "--json"] + options)
        #expect(try answer.json()["imported"] == 2 && answer.json()["bad"] == 1, "\(answer.errors)")
        #expect(answer.errors.contains("line 4: the number '1,234' is ambiguous"), "\(answer.errors)")
        let events = try await shell.json("list").array
        #expect(events.last?["properties"]?["km"] == ["type": "number", "value": 7.5])
        #expect(events.last?["properties"]?["said"] == ["type": "text", "value": "5,5"])
        #expect(events.last?["location_latitude"] == 52.5 && events.last?["location_longitude"] == -13.405)
        #expect(events.first?["properties"]?["km"] == ["type": "number", "value": 8.25])
        #expect(events.first?["location_longitude"] == 1.234)
        let other = try await importing(
            "date,type,km\n2026-03-04,run,\"7,5\"\n", "--time", "date", "--type", "type", "--prop", "km=km")
        #expect(try other.json()["bad"] == 1, "\(other.errors)")
    }

    @Test("a property that is made of a column with decimal commas is one of numbers")
    func madeOfCommas() async throws {
        let answer = try await importing("date;type;km\n2026-03-01;run;7,5\n2026-03-02;run;8\n", "--prop", "km=km")
        #expect(answer.status == 0 && answer.errors.contains("km (number where it is new)"), "\(answer.errors)")
        let event = try await shell.json("list").array.last
        #expect(event?["properties"]?["km"] == ["type": "number", "value": 7.5])
    }

    @Test("properties that do not exist are made of the kinds that their columns have, which are shown")
    func made() async throws {
        let text = """
            date,type,km,took,done,said
            2026-03-01,run,5,1h30m,yes,"5,5"
            2026-03-02,run,7.5,2h,,7

            """
        let options = ["--prop", "km=KM", "--prop", "time=took", "--prop", "done=done", "--prop", "said=said"]
        let path = try shell.home.write(text, to: "in.csv")
        let dry = try await shell.run(["import", "csv", path, "--json", "--dry-run"] + options)
        #expect(try dry.json()["properties_created"] == 4, "\(dry.errors)")
        #expect(try await shell.json("status")["counts"]?["event"] == 0)
        let answer = try await shell.run(["import", "csv", path, "--json"] + options)
        #expect(answer.status == 0 && answer.errors.contains("KM (number where it is new)"), "\(answer.errors)")
        #expect(try answer.json()["properties_created"] == 4)
        let definitions = try await shell.json("prop", "list", "run").array
        var kinds: [String: String] = [:]
        for one in definitions { kinds[one["key"]?.stringValue ?? ""] = one["property_type"]?.stringValue }
        #expect(kinds == ["km": "number", "time": "duration", "done": "boolean", "said": "text"])
        let first = try await shell.json("list").array.last?["properties"]
        #expect(first?["km"] == ["type": "number", "value": 5])
        #expect(first?["said"] == ["type": "text", "value": "5,5"])
    }

    @Test("so are they where no column is guessed; a later value that does not fit is a bad row")
    func named() async throws {
        let rows = (0..<ColumnGuess.sampleSize).map { "2026-03-01,\($0)\n" }.joined()
        let answer = try await importing(
            "date,km\n\(rows)2026-03-01,far\n", "--time", "date", "--type", "=run", "--prop", "km=km")
        #expect(answer.status == 65, "\(answer.errors)")
        #expect(answer.errors.contains("line \(ColumnGuess.sampleSize + 2): 'far' does not fit"), "\(answer.errors)")
        #expect(try answer.json()["properties_created"] == 1 && answer.json()["bad"] == 1)
    }

    @Test("a property that exists keeps its kind; one of another case is a slip, and none is made against one's will")
    func existing() async throws {
        _ = try await shell.json("type", "add", "run")
        _ = try await shell.json("prop", "add", "run", "dist", "--kind", "text")
        let text = "date,km\n2026-03-01,5\n"
        let slip = try await importing(text, "--time", "date", "--type", "=run", "--prop", "Dist=km")
        #expect(slip.status == 65 && slip.errors.contains("did you mean 'dist'?"), "\(slip.errors)")
        let refused = try await importing(
            text, "--time", "date", "--type", "=run", "--prop", "far=km", "--no-create-types")
        #expect(refused.status == 65 && refused.errors.contains("has no property 'far'"), "\(refused.errors)")
        let shown = try await importing(text, "--type", "=run", "--prop", "far=km", "--no-create-types", "--dry-run")
        #expect(!shown.errors.contains("where it is new"), "\(shown.errors)")
        let taken = try await importing(text, "--time", "date", "--type", "=run", "--prop", "dist=km")
        #expect(try taken.json()["imported"] == 1 && taken.json()["properties_created"] == 0, "\(taken.errors)")
        let event = try await shell.json("list").array.first
        #expect(event?["properties"]?["dist"] == ["type": "text", "value": "5"])
    }
}
