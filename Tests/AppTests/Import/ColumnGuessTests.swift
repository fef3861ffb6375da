import Testing
import TrendyDomain

@testable import TrendyApp

@MainActor
@Suite("trendy import csv without columns")
struct ColumnGuessTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    private func importing(_ text: String, _ options: String..., file: String = "in.csv") async throws
        -> TestShell.Answer
    {
        let path = try shell.home.write(text, to: file)
        return try await shell.run(["import", "csv", path, "--json"] + options)
    }

    @Test("columns are guessed by their names and values, and shown before anything is written")
    func guessed() async throws {
        let answer = try await importing(
            "Habit,Start Time,End Time,Comment,Lat,Lon,Extra\nrun,2026-03-01 10:00,2026-03-01 11:00,a,1.5,2.5,x\n")
        #expect(answer.status == 0, "\(answer.errors)")
        for line in [
            "time      Start Time", "type      Habit", "until     End Time", "note      Comment", "not used  Extra",
        ] {
            #expect(answer.errors.contains(line), "\(answer.errors)")
        }
        let event = try #require(try await shell.json("list").array.first)
        #expect(event["end_date"] == "2026-03-01T11:00:00.000Z" && event["location_latitude"] == 1.5)
    }

    @Test("a day and a time of day in two columns, between semicolons, and a type from the name of the file")
    func split() async throws {
        let answer = try await importing(
            "Date;Time;Note\n2026-03-01;08:30;a;\n2026-03-02;9:15pm;b\n", file: "Coffee.csv")
        #expect(
            answer.errors.contains("Date and Time") && answer.errors.contains("'Coffee' for all rows"),
            "\(answer.errors)")
        #expect(try answer.json()["imported"] == 1 && answer.json()["bad"] == 1)
        #expect(try await shell.json("list").array.first?["timestamp"] == "2026-03-02T21:15:00.000Z")
    }

    @Test("what the person says of columns counts; a column that only looks like an id does not")
    func partly() async throws {
        let answer = try await importing(
            "id,date,name,text\n7,2026-03-01,run,a\n7,2026-03-02,run,b\n", "--note", "name", "--type", "=x")
        #expect(try answer.json()["imported"] == 2, "\(answer.errors)")
        #expect(try await shell.json("list").array.compactMap { $0["notes"] } == ["run", "run"])
    }

    @Test("nothing is written in a rehearsal, and where no column can be the time")
    func nothing() async throws {
        let text = "when,what\n2026-03-01,run\n2026-03-01,run\nbad,run\n"
        let dry = try await importing(text, "--dry-run")
        #expect(try dry.json()["imported"] == 2 && dry.json()["bad"] == 1 && dry.json()["dry_run"] == true)
        #expect(try dry.json()["types_created"] == ["run"])
        #expect(try await shell.json("status")["counts"]?["event_type"] == 0)
        let none = try await importing("a,b\nx,y\n")
        #expect(none.status == 65 && none.errors.contains("--time COLUMN"), "\(none.errors)")
        let refused = try await importing(text, "--no-skip-bad")
        #expect(refused.status == 65)
        #expect(try await shell.json("status")["counts"]?["event"] == 0)
    }

    @Test("Trendy's own export needs no options, and takes its properties along")
    func ownExport() async throws {
        _ = try await shell.json("type", "add", "run")
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number")
        _ = try await shell.json("log", "run", "--prop", "km=7.5", "--note", "n", "--at", "9:15", "--until", "11:00")
        let csv = try await shell.run("export", "csv").output
        let other = try TestShell()
        let answer = try await other.run(["import", "csv", "-", "--json"], input: csv)
        #expect(try answer.json()["imported"] == 1, "\(answer.errors)")
        #expect(try await other.run(["import", "csv", "-", "--json"], input: csv).json()["unchanged"] == 1)
        let (here, there) = (try await shell.json("list").array.first, try await other.json("list").array.first)
        for field in ["timestamp", "end_date", "notes", "properties"] { #expect(here?[field] == there?[field]) }
    }
}
