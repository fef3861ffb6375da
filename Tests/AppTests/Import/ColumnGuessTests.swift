import Testing
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

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

    @Test("the names of columns may be German, behind the line with which Excel begins a file")
    func german() async throws {
        let answer = try await importing(
            "sep=;\r\nDatum;Uhrzeit;Art;Notiz;Ort\r\n24.12.2025;18:30;Essen;gut;Bonn\r\n25.12.2025;x;Essen;;\r\n26.12.2025;9:00;Essen;;\r\n"
        )
        for line in [
            "time      Datum and Uhrzeit", "type      Art", "note      Notiz", "location  Ort", "between   ;",
            "line 4: '25.12.2025 x' is not a time",
        ] {
            #expect(answer.errors.contains(line), "\(line): \(answer.errors)")
        }
        let events = try await shell.json("list", "--all").array
        #expect(events.count == 2 && events.last?["timestamp"] == "2025-12-24T18:30:00.000Z")
        #expect(events.last?["notes"] == "gut" && events.last?["location_name"] == "Bonn")
        let spans = try await importing(
            "Beginn,Ende,Typ\n2026-03-01 10:00,2026-03-01 11:00,Lauf\n2026-03-02 10:00,2026-03-02 11:00,Lauf\n")
        #expect(try spans.json()["imported"] == 2 && !spans.errors.contains("not used"), "\(spans.errors)")
    }

    @Test(
        "a first line that has data is not a line of names",
        arguments: [
            "2026-01-05 10:00,coffee,foo\n2026-01-06 10:00,coffee,bar\n", "coffee,06.01.2026\ntea,07.01.2026\n",
            "1767607200,coffee\n", "20260105,coffee\n\"\",tea\n20260106,tea\n",
        ])
    func noNames(text: String) async throws {
        let answer = try await importing(text)
        #expect(answer.status == 65)
        #expect(answer.errors.contains("the first line has data ("), "\(answer.errors)")
        #expect(answer.errors.contains("add a line like time,type,note above it"), "\(answer.errors)")
        #expect(try await shell.json("list").array.isEmpty)
    }

    @Test("unless the person names it, or a day stands above what is no time")
    func daysForNames() async throws {
        let asked = try await importing("2026-01-05,coffee\n2026-01-06,tea\n", "--time", "2026-01-05")
        #expect(try asked.json()["imported"] == 1, "\(asked.errors)")
        let wide = try await importing("date,2026-01-05,2026-01-06\n2026-02-01,5,\n2026-02-02,6,\n")
        #expect(try wide.json()["imported"] == 2, "\(wide.errors)")
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

    @Test(
        "names of columns may be in quotes, whatever is between them, and behind a byte order mark",
        arguments: [",", ";", "\t", "|"], ["", "\u{FEFF}"])
    func quotedNames(separator: String, mark: String) async throws {
        let lines = [["time", "type", "note"], ["2026-03-01 10:00", "run", "a, b; c|d"]]
        let rows = lines.map { $0.map { "\"\($0)\"" }.joined(separator: separator) }
        let answer = try await importing(mark + rows.joined(separator: "\n") + "\n")
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(try answer.json()["types_created"] == ["run"])
        #expect(try await shell.json("list").array.first?["notes"] == "a, b; c|d")
    }

    @Test(
        "what is between fields is guessed where the columns are named, by their names first",
        arguments: [
            "when;what;km\n2026-03-01;run;5\n", "when\twhat\n2026-03-01\trun\n",
            "when,what,who|where|how|why\n2026-03-01,run,x\n", "\"when\"|\"what\"\n2026-03-01|run\n",
        ])
    func namedColumns(text: String) async throws {
        let answer = try await importing(text, "--time", "when", "--type", "what")
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(try answer.json()["types_created"] == ["run"])
    }

    @Test("a first line that no character splits is refused with what is wrong with it")
    func brokenNames() async throws {
        let answer = try await importing("\"time\" \"type\"\n2026-03-01 10:00,run\n")
        #expect(answer.status == 65 && answer.errors.contains("text after a closing quote"), "\(answer.errors)")
    }

    @Test(
        "a day and a time of day go together, however they are written, and where a time is missing",
        arguments: [
            ("Date,Time,Type\n2026-03-01,7:30 AM,run\n2026-03-02,12:30 PM,run\n", "2026-03-02T12:30:00.000Z"),
            ("date,time,habit\n2026-03-01,08:15,run\n2026-03-02,,run\n", "2026-03-02T00:00:00.000Z"),
            ("date,time,habit\n20260301,08:15,run\n20260302,09:15,run\n", "2026-03-02T09:15:00.000Z"),
            ("Datum;Uhrzeit;Art\n01.03.2026;8:30 Uhr;a\n02.03.2026;9.15 Uhr;a\n", "2026-03-02T09:15:00.000Z"),
        ])
    func clocks(text: String, newest: String) async throws {
        let answer = try await importing(text)
        #expect(try answer.json()["imported"] == 2, "\(answer.errors)")
        #expect(try await shell.json("list").array.first?["timestamp"] == .string(newest))
    }

    @Test("a column of times of day that cannot be read stops the import, and may be left out")
    func unreadClocks() async throws {
        let text = "Datum;Uhrzeit;Art\n01.03.2026;abends;a\n02.03.2026;;a\n"
        let refused = try await importing(text)
        #expect(refused.status == 65, "\(refused.errors)")
        for part in ["'abends' in the column 'Uhrzeit'", "--clock COLUMN", "--time Datum"] {
            #expect(refused.errors.contains(part), "\(part): \(refused.errors)")
        }
        #expect(try await shell.json("status")["counts"]?["event"] == 0)
        let without = try await importing(text, "--time", "Datum")
        #expect(try without.json()["imported"] == 2, "\(without.errors)")
        let asProperty = try await importing(text, "--prop", "when=Uhrzeit", "--dry-run")
        #expect(asProperty.status == 0, "\(asProperty.errors)")
        let empty = try await importing("date,time,what\n2026-03-01,,b\n")
        #expect(try empty.json()["imported"] == 1, "\(empty.errors)")
    }

    @Test("a number among times is a bad row; a date without dots beside one with dots has to be chosen")
    func mixed() async throws {
        let one = try await importing("timestamp,what\n2026-03-01,run\n2026-03-02,run\n0,run\n", "--dry-run")
        #expect(try one.json()["imported"] == 2 && one.json()["bad"] == 1, "\(one.errors)")
        let open = try await importing("start,end,what\n3.4.2026 10:00,3/5/2026 11:00,run\n")
        #expect(open.status == 65 && open.errors.contains("--dates dmy"), "\(open.errors)")
    }

    @Test("a value in words hides no column: its row is bad")
    func words() async throws {
        let rows = "2026-03-01,8:00,run,2026-03-09\n2026-03-02,9:00,run,2026-03-09\n"
        let answer = try await importing(
            "date,time,habit,created\n\(rows)some day,10:00,run,2026-03-09\n2026-03-03,noonish,run,2026-03-09\n")
        #expect(answer.errors.contains("time      date and time"), "\(answer.errors)")
        #expect(answer.errors.contains("line 4: 'some day 10:00' is not a time"), "\(answer.errors)")
        #expect(answer.errors.contains("line 5: '2026-03-03 noonish' is not a time"), "\(answer.errors)")
        #expect(try answer.json()["imported"] == 2 && answer.json()["bad"] == 2)
        let half = try await importing(
            "date,what,created\n2026-03-01,run,2026-03-09\nsome day,run,2026-03-09\n", "--dry-run")
        #expect(half.errors.contains("time      date"), "\(half.errors)")
    }

    @Test("an empty cell hides no column of types: its row is bad; a column that is mostly empty holds none")
    func emptyType() async throws {
        let answer = try await importing("date,type\n2026-03-01,run\n2026-03-02,\n2026-03-03,walk\n")
        #expect(answer.errors.contains("type     type"), "\(answer.errors)")
        #expect(answer.status == 65 && answer.errors.contains("line 3: the type is empty"), "\(answer.errors)")
        #expect(try answer.json()["imported"] == 2 && answer.json()["types_created"] == ["run", "walk"])
        let refused = try await importing("date,type\n2026-03-04,swim\n2026-03-05,\n", "--no-skip-bad")
        #expect(refused.status == 65 && refused.errors.contains("nothing was imported"), "\(refused.errors)")
        #expect(try await shell.json("type", "list").array.count == 2)
        let sparse = try await importing(
            "date,type\n2026-03-01,x\n2026-03-02,\n2026-03-03,\n", "--dry-run", file: "nap.csv")
        #expect(try sparse.json()["types_created"] == ["nap"], "\(sparse.errors)")
    }

    @Test("the days of a spreadsheet are refused with the day that each names")
    func spreadsheet() async throws {
        let answer = try await importing("when,what\n46346,run\n", "--time", "when")
        #expect(
            answer.status == 65 && answer.errors.contains("line 2: '46346' is a day number of a spreadsheet"),
            "\(answer.errors)")
        #expect(try await shell.json("status")["counts"]?["event"] == 0)
    }

    @Test("an alias in a file means its type")
    func alias() async throws {
        _ = try await shell.json("type", "add", "run")
        _ = try await shell.json("type", "edit", "run", "--alias", "c")
        let answer = try await importing("when,km\n2026-03-01,5\n", "--time", "when", "--type", "=c")
        #expect(answer.errors.contains("'c' is an alias of the type 'run', which is used"), "\(answer.errors)")
        #expect(try await shell.json("type", "list").array.count == 1)
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

    @Test(
        "small numbers are not times; numbers since 1970 are, throughout the column",
        arguments: [
            ("started,rating\n1,5\n2,4\n", false), ("time,what\n12.5,a\n7,b\n", false),
            ("time,what\n1735689600,a\n3,b\n", false), ("time,what\n1735689600,a\n1735693200,b\n", true),
            ("time,what\n1735689600000,a\n1735693200000,b\n", true), ("day,what\n20250101,a\n20250102,b\n", true),
            ("weekday,what\nmon,a\ntue,b\n", false), ("hello world\n", false),
        ])
    func numbers(text: String, isTime: Bool) async throws {
        let answer = try await importing(text, "--dry-run")
        #expect(answer.errors.contains("the file has no column with times") == !isTime, "\(answer.errors)")
        if isTime { #expect(try answer.json()["imported"] == 2) }
    }

    @Test("a column of quantities is no end, and one of days is a time although others come before it")
    func quantities() async throws {
        let answer = try await importing("weekday,until,wann,what\nmon,3,2026-03-02,run\ntue,4,2026-03-03,run\n")
        #expect(answer.errors.contains("time      wann"), "\(answer.errors)")
        #expect(answer.errors.contains("not used  weekday, until"), "\(answer.errors)")
        #expect(try answer.json()["imported"] == 2)
        let named = try await importing("on,until\n2026-03-02,3\n", "--time", "on", "--dry-run", file: "b.csv")
        #expect(named.errors.contains("not used  until"), "\(named.errors)")
    }

    @Test("bad dates are told with their lines and values, the same in a rehearsal; the others go in")
    func badDates() async throws {
        let text = "date,what\n01.01.2025,a\n,a\n31.02.2025,a\nn/a,a\n03.01.2025,a\n"
        let dry = try await importing(text, "--dry-run")
        let answer = try await importing(text)
        for answer in [dry, answer] {
            #expect(answer.status == 65)
            #expect(try answer.json()["imported"] == 2 && answer.json()["bad"] == 3)
            for line in [
                "line 3: the time is empty", "line 4: '31.02.2025' is not a day", "line 5: 'n/a' is not a time",
            ] {
                #expect(answer.errors.contains(line), "\(answer.errors)")
            }
        }
        #expect(answer.errors.contains("adds only missing events"))
        #expect(try await shell.json("status")["counts"]?["event"] == 2)
        let mended = try await importing(text.replacing("31.02.", with: "28.02."))
        #expect(try mended.json()["imported"] == 1 && mended.json()["unchanged"] == 2)
        let refused = try await importing("date,what\n01.02.2026,a\nn/a,a\n", "--no-skip-bad")
        #expect(refused.status == 65 && refused.errors.contains("nothing was imported"))
        #expect(try await shell.json("status")["counts"]?["event"] == 3)
    }

    @Test(
        "one number over 12 tells for all dates whether the day or the month comes first",
        arguments: [
            ("01/02/2025\n24/12/2025", "day first, as in '24/12/2025'", "2025-02-01"),
            ("01/02/2025\n12/24/2025", "month first, as in '12/24/2025'", "2025-01-02"),
            ("01.02.2025\n02.03.25", "day first, as usual with dots", "2025-02-01"),
        ])
    func order(dates: String, told: String, first: String) async throws {
        let answer = try await importing("date\n\(dates)\n")
        #expect(answer.errors.contains(told), "\(answer.errors)")
        #expect(try await shell.json("list").array.last?["timestamp"] == .string(first + "T00:00:00.000Z"))
        // Also where the columns are not guessed, and so not shown.
        let named = try await importing("date\n\(dates)\n", "--time", "date", "--type", "=in")
        #expect(try named.json()["unchanged"] == 2, "\(named.errors)")
        #expect(named.errors.contains("dates are read day first") == told.contains("dots"), "\(named.errors)")
    }

    @Test("where nothing tells, or rows contradict each other, the person has to say it")
    func undecided() async throws {
        for options in [[], ["--dry-run"], ["--time", "date", "--type", "=x"]] {
            let path = try shell.home.write("date\n10/12/2025\n1/2/2025\n", to: "in.csv")
            let answer = try await shell.run(["import", "csv", path] + options)
            #expect(answer.status == 65 && answer.errors.contains("'10/12/2025' can be 2025-12-10 or 2025-10-12"))
            #expect(answer.errors.contains("--dates dmy (day first) or --dates mdy (month first)"), "\(answer.errors)")
        }
        let mixed = try await importing("date\n10/13/2025\n13/10/2025\n")
        #expect(mixed.status == 65 && mixed.errors.contains("in line 3 has the day first"), "\(mixed.errors)")
        #expect(try await shell.json("status")["counts"]?["event"] == 0)
        let chosen = try await importing("date\n10/13/2025\n13/10/2025\n", "--dates", "mdy")
        #expect(chosen.errors.contains("line 3: '13/10/2025' is not a day of the calendar"), "\(chosen.errors)")
        #expect(try await shell.json("list").array.first?["timestamp"] == "2025-10-13T00:00:00.000Z")
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

    private static func counted(_ events: JSONValue) -> [JSONValue: Int] {
        Dictionary(events.array.map { ($0["properties"] ?? .null, 1) }, uniquingKeysWith: +)
    }

    @Test("no row of an own export is lost in an empty store, whatever its properties are, and none comes twice")
    func everyProperty() async throws {
        _ = try await shell.json("type", "add", "coffee")
        let options = (0..<3).map { "kind \($0)" }
        let oldest = ImportPipeline.chunkSize + 9
        _ = try await shell.json(
            "prop", "add", "coffee", "sort", "--kind", "select", "--options", options.joined(separator: ","))
        for (kind, value) in [
            ("number", "2.5"), ("boolean", "yes"), ("date", "2026-03-01"), ("duration", "1h"), ("text", "a"),
            ("url", "https://example.org"), ("email", "a@example.org"),
        ] {
            _ = try await shell.json("prop", "add", "coffee", "a-\(kind)", "--kind", kind)
            _ = try await shell.json("log", "coffee", "a-\(kind)=\(value)")
        }
        let type = try await shell.json("type", "list").array.first?["id"]?.stringValue
        let typeId = try #require(type)
        try await shell.engine.create(
            contentsOf: (0..<ImportPipeline.chunkSize + 10).map { number in
                // The last option comes when the definition is stored already; what one property holds may differ.
                let option = options[number > ImportPipeline.chunkSize ? 2 : number % 2]
                return Event(
                    id: TestShell.eventId(number), eventTypeId: typeId,
                    timestamp: TestShell.noon.advanced(bySeconds: -Double(number)),
                    properties: ["sort": .select(option), "odd": number == oldest ? .number(1) : .text("two")])
            })
        let csv = try await shell.run("export", "csv").output
        let other = try TestShell()
        let answer = try await other.run(["import", "csv", "-", "--json"], input: csv)
        let count = JSONValue.integer(Int64(ImportPipeline.chunkSize + 17))
        #expect(try answer.status == 0 && answer.json()["imported"] == count, "\(answer.errors)")
        let definitions = try await other.json("prop", "list", "coffee").array
        let sort = definitions.first { $0["key"] == "sort" }
        #expect(sort?["property_type"] == "select")
        #expect(Set(sort?["options"]?.array ?? []) == Set(options.map { .string($0) }))
        let (here, there) = (try await shell.json("list", "--all"), try await other.json("list", "--all"))
        // Of equal times their new ids decide.
        let isSame = Self.counted(here) == Self.counted(there)
        #expect(isSame)
        #expect(try await other.run(["import", "csv", "-", "--json"], input: csv).json()["imported"] == 0)
        #expect(try await shell.run(["import", "csv", "-", "--json"], input: csv).json()["imported"] == 0)
    }
}
