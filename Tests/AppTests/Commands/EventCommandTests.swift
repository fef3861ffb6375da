import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Logging, listing, editing and deleting events")
struct EventCommandTests {
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        _ = try await shell.json("type", "add", "coffee")
    }

    @Test("log makes an event that list and show give back under the wire names")
    func log() async throws {
        _ = try await shell.json("prop", "add", "coffee", "ml", "--kind", "number")
        let logged = try await shell.json(
            "log", "COFFEE", "--at", "yesterday 9:00", "--until", "yesterday 9:10", "--note", "- hot", "--prop", "ml=40"
        )
        #expect(logged["timestamp"] == "2026-03-09T09:00:00.000Z")
        #expect(logged["end_date"] == "2026-03-09T09:10:00.000Z")
        #expect(logged["notes"] == "- hot")
        #expect(logged["sync_status"] == "pending")
        #expect(logged["source_type"] == "manual")
        #expect(logged["properties"] == ["ml": ["type": "number", "value": 40]])
        #expect(try await shell.json("list") == .array([logged]))
        let id = try #require(logged["id"]?.stringValue)
        #expect(try await shell.json("show", String(id.suffix(6))) == logged)
    }

    @Test("show has all lines of a note, and the name of the place")
    func details() async throws {
        let place = try await shell.json("place", "add", "old gym", "--lat", "1", "--lon", "2")
        _ = try await shell.json("log", "coffee", "--place", "old gym", "--note", "one\n\n  two\n")
        let shown = try await shell.output("show", "last")
        let lines = shown.split(separator: "\n", omittingEmptySubsequences: false)
        let first = try #require(lines.firstIndex { $0.hasPrefix("note ") })
        let indent = String(repeating: " ", count: lines[first].count - "one".count)
        #expect(lines[first].hasSuffix(" one") && lines[first + 1].isEmpty, "\(shown)")
        #expect(lines[first + 2] == indent + "  two" && !lines[first + 3].hasPrefix(" "), "\(shown)")
        #expect(lines.contains { $0.hasPrefix("place ") && $0.hasSuffix(" old gym") }, "\(shown)")
        let placeId = try #require(place["id"]?.stringValue)
        try shell.change { _ = try $0.delete(Geofence.self, id: placeId) }
        let orphan = try await shell.output("show", "last")
        #expect(orphan.contains(placeId), "\(orphan)")
    }

    @Test("a property is not set and taken away at once")
    func setAndCleared() async throws {
        _ = try await shell.json("prop", "add", "coffee", "ml", "--kind", "number")
        _ = try await shell.json("log", "coffee", "ml=40")
        for assignment in [["ml=2"], ["--prop", "ML=2"]] {
            let answer = try await shell.run(["edit", "last"] + assignment + ["--clear-prop", "ml"])
            #expect(answer.status == 64, "\(answer)")
            #expect(answer.errors.contains("=2' and --clear-prop ml cannot be used together"), "\(answer.errors)")
        }
        #expect(try await shell.json("show", "last")["properties"]?["ml"]?["value"] == 40)
        #expect(try await shell.run("edit", "last", "--clear-prop", "ml").status == 0)
    }

    @Test("last is the event that was logged last, whenever it happened")
    func last() async throws {
        let none = try await shell.run("show", "last")
        #expect(none.status == 65 && none.errors.contains("no events yet"), "\(none.errors)")
        let first = try await shell.json("log", "coffee")
        shell.clock.advance(bySeconds: 60)
        let second = try await shell.json("log", "coffee", "--at", "yesterday 9:00")
        let secondId = try #require(second["id"])
        #expect(try await shell.json("show", "last") == second)
        #expect(try await shell.json("edit", "last", "--note", "hot")["id"] == secondId)
        #expect(try await shell.json("rm", "last")["deleted"] == .array([secondId]))
        #expect(try await shell.json("show", "LAST")["id"] == first["id"])
        for command in ["show", "edit", "rm"] {
            let help = try await shell.output(command, "--help").split(whereSeparator: \.isWhitespace)
            #expect(help.joined(separator: " ").contains("'last' ("), "\(command)")
        }
        let firstId = try #require(first["id"])
        #expect(try await shell.json("rm", "last", "last")["deleted"] == .array([firstId]))
    }

    @Test("list takes the beginning of a named week or day with --since and its end with --until")
    func namedWeeks() async throws {
        for time in ["2026-03-01", "2026-03-02", "2026-03-08 23:59", "2026-03-09"] {
            _ = try await shell.json("log", "coffee", "--at", time)
        }
        let lastWeek = try await shell.json("list", "--since", "last week", "--until", "last week")
        #expect(
            lastWeek.array.compactMap { $0["timestamp"] } == ["2026-03-08T23:59:00.000Z", "2026-03-02T00:00:00.000Z"])
        #expect(try await shell.json("list", "--since", "this month").array.count == 4)
        #expect(try await shell.json("list", "--until", "last month").array.isEmpty)
        let day = try await shell.json("list", "--since", "2026-03-08", "--until", "2026-03-08")
        #expect(day.array.compactMap { $0["timestamp"] } == ["2026-03-08T23:59:00.000Z"])
        #expect(try await shell.json("list", "--since", "yesterday", "--until", "yesterday").array.count == 1)
    }

    @Test(
        "a range that is the wrong way round is refused",
        arguments: [
            ("2026-03-05", "2026-03-01", true), ("2026-03-05", "2026-03-04", true), ("10:00", "9:00", true),
            ("today", "last week", true), ("2026-03-05", "2026-03-05", false), ("9:00", "9:00", false),
            ("yesterday", "this week", false), ("today", "this month", false),
        ])
    func wrongWayRound(since: String, until: String, isRefused: Bool) async throws {
        let answer = try await shell.run("list", "--since", since, "--until", until)
        #expect(answer.status == (isRefused ? 64 : 0), "\(answer.errors)")
        let message = "trendy: --until \(quoted(until)) is before --since \(quoted(since)); "
        #expect(answer.errors.hasPrefix(isRefused ? message : ""), "\(answer.errors)")
    }

    @Test("an unknown type is refused with the nearest one, and made on demand together with its event")
    func unknownType() async throws {
        let refused = try await shell.run("log", "cofee")
        #expect(refused.status == 65)
        #expect(refused.output.isEmpty)
        #expect(refused.errors.contains("'coffee'"))
        #expect(try await shell.run("log", "tea", "--create-type").status == 0)
        #expect(try await shell.json("type", "list").array.compactMap { $0["name"] } == ["coffee", "tea"])
    }

    @Test(
        "a time of day alone ends an event at the first such time after its start, and a length counts from there",
        arguments: [
            ("mon 9:00", "10:30am", "2026-03-09T10:30:00.000Z"), ("sun 22:00", "1:00", "2026-03-09T01:00:00.000Z"),
            ("mon 9:00", "+45m", "2026-03-09T09:45:00.000Z"), ("9:15", "11:00", "2026-03-10T11:00:00.000Z"),
            ("mon 9:00", "today 10:00", "2026-03-10T10:00:00.000Z"), ("mon 9:00", "-30m", "2026-03-10T11:30:00.000Z"),
        ])
    func ends(at: String, until: String, expected: String) async throws {
        let event = try await shell.json("log", "coffee", "--at", at, "--until", until)
        #expect(event["end_date"] == .string(expected))
    }

    @Test(
        "degrees that are nowhere are refused with their range and what was given, and one alone with the other",
        arguments: [
            (["--lat", "91", "--lon", "0"], "--lat 91 is not a latitude; give one from -90 (South Pole) to 90"),
            (
                ["--lat", "0", "--lon", "-180.5"],
                "--lon -180.5 is not a longitude; give one from -180 (west) to 180 (east)"
            ),
            (["--lat", "nan", "--lon", "0"], "--lat nan is not a latitude"),
            (["--lat", "5"], "--lat needs --lon, too; add it"),
            (["--lon", "5"], "--lon needs --lat, too; add it"),
        ])
    func degrees(options: [String], message: String) async throws {
        let answer = try await shell.run(["log", "coffee"] + options)
        #expect(answer.status == 65 && answer.errors.hasPrefix("trendy: \(message)"), "\(answer.errors)")
        guard options.count == 4 else { return }
        let place = try await shell.run(["place", "add", "home"] + options)
        #expect(place.status == 65 && place.errors == answer.errors, "\(place.errors)")
    }

    @Test("one of the degrees of an event that has both can be changed")
    func oneDegree() async throws {
        let id = try #require(
            try await shell.json("log", "coffee", "--lat", "1", "--lon", "2")["id"]?.stringValue)
        #expect(try await shell.json("edit", id, "--lat", "-90")["location_latitude"] == -90)
        #expect(try await shell.run("edit", id, "--lon", "200").errors.contains("--lon 200 is not a longitude"))
    }

    @Test("a select property without options is refused with the option to add")
    func optionless() async throws {
        for options in [[], ["--options", ","], ["--options", " , "], ["--options", ""]] {
            let answer = try await shell.run(["prop", "add", "coffee", "size", "--kind", "select"] + options)
            #expect(answer.status == 65 && answer.errors.contains("needs options"), "\(answer.errors)")
            #expect(answer.errors.contains("as in --options small,large"), "\(answer.errors)")
        }
        let twice = try await shell.run(
            "prop", "add", "coffee", "size", "--kind", "select", "--options", "a, b , ,a")
        #expect(twice.status == 65 && twice.errors.contains("--options has 'a' twice"), "\(twice.errors)")
        _ = try await shell.json("prop", "add", "coffee", "size", "--kind", "text")
        #expect(try await shell.run("prop", "edit", "coffee", "size", "--kind", "select").errors.contains("--options"))
        #expect(
            try await shell.run("prop", "edit", "coffee", "size", "--kind", "select", "--options", "a,b").status == 0)
    }

    @Test("an end that is still to come is refused, and named")
    func laterEnd() async throws {
        let answer = try await shell.run("log", "coffee", "--at", "11:00", "--until", "10:00")
        #expect(answer.status == 65 && answer.errors.contains("the end is in the future (2026-03-11 10:00)"))
    }

    @Test("an end before the start is refused with the day that it was taken for, and with the option it came from")
    func laterEndOfDay() async throws {
        let logged = try await shell.run("log", "coffee", "--at", "11:00", "--until", "10:00")
        #expect(logged.errors.contains("'10:00' is before the start (2026-03-10 11:00) and counts as the next day"))
        let id = try #require(try await shell.json("log", "coffee", "--at", "9:00")["id"]?.stringValue)
        let edited = try await shell.run("edit", id, "--until", "23:00")
        #expect(edited.errors.contains("is in the future (2026-03-10 23:00); check --until"), "\(edited.errors)")
        let now = try await shell.run("log", "coffee", "--until", "23:00")
        #expect(now.status == 65 && !now.errors.contains("--at"), "\(now.errors)")
        let length = try await shell.run("edit", id, "--until", "30m")
        #expect(length.errors.contains("'+30m' for the time after the start"), "\(length.errors)")
    }

    @Test(
        "an end that is changed counts from the start, as that of a new event does",
        arguments: [
            ("10:30am", "2026-03-06T10:30:00.000Z"), ("8:00", "2026-03-07T08:00:00.000Z"),
            ("+45m", "2026-03-06T09:45:00.000Z"), ("today 10:00", "2026-03-10T10:00:00.000Z"),
        ])
    func changedEnd(until: String, expected: String) async throws {
        let id = try #require(try await shell.json("log", "coffee", "--at", "2026-03-06 9:00")["id"]?.stringValue)
        #expect(try await shell.json("edit", id, "--until", until)["end_date"] == .string(expected))
    }

    @Test("a bad event leaves nothing behind, not even the type that it asked for")
    func badEvent() async throws {
        let answers = [
            try await shell.run("log", "tea", "--create-type", "--at", "11:00", "--until", "yesterday 10:00"),
            try await shell.run("log", "tea", "--create-type", "--lat", "91", "--lon", "0"),
            try await shell.run("log", "tea", "--create-type", "--prop", "x=1"),
            try await shell.run("log", "tea", "--create-type", "--note", String(repeating: "x", count: 10_001)),
            try await shell.run("log", " ", "--create-type"),
            try await shell.run("log", "coffee", "--at", "elevenish"),
        ]
        for answer in answers {
            #expect(answer.status == 65)
            #expect(answer.errors.split(separator: "\n").count == 1)
            #expect(answer.errors.hasPrefix("trendy: "))
        }
        #expect(try await shell.json("status")["counts"]?["event_type"] == 1)
        #expect(try await shell.json("status")["pending"] == 1)
    }

    @Test("all-day events begin at the beginnings of their days")
    func allDay() async throws {
        shell.zone = LocalZone(try #require(TimeZone(identifier: "America/New_York")))
        let logged = try await shell.json(
            "log", "coffee", "--all-day", "--at", "2026-03-07 15:00", "--until", "2026-03-08 15:00")
        #expect(logged["timestamp"] == "2026-03-07T05:00:00.000Z")
        #expect(logged["end_date"] == "2026-03-08T05:00:00.000Z")
        #expect(logged["is_all_day"] == true)
    }

    @Test(
        "a time of day alone keeps the day of the event that is edited",
        arguments: [
            ("8:30", "2026-03-07T07:30:00.000Z"), ("9 pm", "2026-03-07T20:00:00.000Z"),
            ("today 8:30", "2026-03-10T07:30:00.000Z"), ("1h ago", "2026-03-10T11:00:00.000Z"),
        ])
    func clockOfEdit(at: String, expected: String) async throws {
        shell.zone = LocalZone(try #require(TimeZone(identifier: "Europe/Berlin")))
        _ = try await shell.json("type", "add", "nap")
        // On the day before in UTC.
        _ = try await shell.json("log", "nap", "--at", "2026-03-07 00:15")
        #expect(try await shell.json("edit", "last", "--at", at)["timestamp"] == .string(expected))
    }

    @Test("and is refused where the clock did not show it on that day, or it has not come yet")
    func missingClockOfEdit() async throws {
        shell.zone = LocalZone(try #require(TimeZone(identifier: "Europe/Berlin")))
        _ = try await shell.json("type", "add", "nap")
        _ = try await shell.json("log", "nap", "--at", "2025-03-30 10:00")
        let missing = try await shell.run("edit", "last", "--at", "2:30")
        #expect(missing.status == 65 && missing.errors.contains("does not exist"), "\(missing.errors)")
        shell.clock.advance(bySeconds: 60)
        _ = try await shell.json("log", "nap")
        let future = try await shell.run("edit", "last", "--at", "21:00")
        #expect(future.status == 65 && future.errors.contains("'21:00' is in the future"), "\(future.errors)")
    }

    @Test("edit changes and clears exactly what it is told to")
    func edit() async throws {
        _ = try await shell.json("prop", "add", "coffee", "ml", "--kind", "number")
        let logged = try await shell.json("log", "coffee", "--note", "old", "--until", "12:00", "--prop", "ml=40")
        let id = try #require(logged["id"]?.stringValue)
        let edited = try await shell.json(
            "edit", id, "--clear-note", "--clear-until", "--clear-prop", "ml", "--location", "bar")
        #expect(edited["notes"] == nil && edited["end_date"] == nil)
        #expect(edited["properties"] == [:])
        #expect(edited["location_name"] == "bar")
        #expect(edited["timestamp"] == logged["timestamp"])
        #expect(try await shell.run("edit", id).status == 64)
        #expect(try await shell.run("edit", id, "--note", "x", "--clear-note").status == 64)
        #expect(try await shell.run("edit", id, "--clear-prop", "nothing").status == 65)
        let same = try await shell.run("edit", id, "--location", "bar")
        #expect(same.output.contains("it already has these values"))
    }

    @Test("an end of an id that several events have names none of them")
    func ambiguous() async throws {
        let engine = try engine()
        let type = try #require(try await shell.json("type", "list").array.first?["id"]?.stringValue)
        let ids = ["01a1fdb1-9701-728a-99b3-5cb7f083abcd", "01a1fdb1-9701-728a-99b3-00000000abcd"]
        for id in ids { try await engine.create(Event(id: id, eventTypeId: type, timestamp: TestShell.noon)) }
        let answer = try await shell.run("show", "abcd")
        #expect(answer.status == 65)
        for id in ids { #expect(answer.errors.contains(id)) }
        #expect(try await shell.run("show", "083ABCD").status == 0)
        #expect(try await shell.run("show", "bcd").status == 65)
        #expect(try await shell.run("rm", "ffff", ids[0]).status == 65)
        #expect(try await shell.json("list").array.count == 2)
    }

    @Test("list selects by type, time, text and number")
    func list() async throws {
        _ = try await shell.json("type", "add", "run")
        for (type, time, note) in [("coffee", "8:00", "Büro"), ("run", "9:00", "park"), ("coffee", "10:00", "home")] {
            _ = try await shell.json("log", type, "--at", time, "--note", note)
        }
        let notes = { (arguments: [String]) in
            try await self.shell.run(["list", "--json"] + arguments).json().array.compactMap {
                $0["notes"]?.stringValue
            }
        }
        #expect(try await notes([]) == ["home", "park", "Büro"])
        #expect(try await notes(["coffee"]) == ["home", "Büro"])
        #expect(try await notes(["coffee", "run", "--limit", "2"]) == ["home", "park"])
        #expect(try await notes(["--since", "9:00", "--until", "10:00"]) == ["park"])
        #expect(try await notes(["--search", "büRO"]) == ["Büro"])
        #expect(try await notes(["--search", "nowhere"]) == [])
        #expect(try await shell.run("list", "tea").status == 65)
        #expect(try await shell.run("list", "--limit", "-1").status == 64)
    }

    @Test("rm deletes events, and type rm what belongs to a type, only when told so")
    func remove() async throws {
        let id = try #require(try await shell.json("log", "coffee")["id"]?.stringValue)
        _ = try await shell.json("log", "coffee")
        #expect(try await shell.json("rm", id, id)["deleted"] == .array([.string(id)]))
        let refused = try await shell.run("type", "rm", "coffee")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("1 event") && refused.errors.contains("--yes"))
        #expect(try await shell.json("type", "rm", "coffee", "--yes")["events"] == 1)
        #expect(try await shell.json("list") == [])
    }

    @Test("a new event gets the default values of what it does not name")
    func defaults() async throws {
        _ = try await shell.json("prop", "add", "coffee", "ml", "--kind", "number", "--default", "7")
        _ = try await shell.json("prop", "add", "coffee", "who", "--kind", "text")
        #expect(try await shell.json("log", "coffee")["properties"] == ["ml": ["type": "number", "value": 7]])
        let given = try await shell.json("log", "coffee", "--prop", "ml=8")
        #expect(given["properties"] == ["ml": ["type": "number", "value": 8]])
        let twice = try await shell.run("log", "coffee", "--prop", "ml=1", "--prop", "ML=2")
        #expect(twice.status == 64 && twice.errors.contains("twice"))
    }

    @Test("of several notes the last one counts, as the help says")
    func notes() async throws {
        #expect(try await shell.json("log", "coffee", "--note", "a", "-n", "b")["notes"] == "b")
        for command in ["log", "edit", "start", "stop"] {
            #expect(try await shell.output(command, "--help").contains("The last one counts"), "\(command)")
        }
    }

    @Test("an event does not take properties along to a type that has none of them")
    func newType() async throws {
        _ = try await shell.json("prop", "add", "coffee", "ml", "--kind", "number")
        _ = try await shell.json("type", "add", "tea")
        let id = try #require(try await shell.json("log", "coffee", "--prop", "ml=40")["id"]?.stringValue)
        let refused = try await shell.run("edit", id, "--type", "tea")
        #expect(refused.status == 65 && refused.errors.contains("--clear-prop ml"))
        #expect(try await shell.json("edit", id, "--type", "tea", "--clear-prop", "ml")["properties"] == [:])
    }

    @Test("an unknown option is named, also where nothing else is given")
    func unknownOption() async throws {
        for arguments in [["type", "edit", "coffee"], ["edit", "abcd"], ["place", "edit", "x"]] {
            let answer = try await shell.run(arguments + ["--bogus"])
            #expect(answer.status == 64 && answer.errors.contains("--bogus"), "\(answer.errors)")
            let nothing = try await shell.run(arguments)
            #expect(nothing.status == 64 && nothing.errors.contains("nothing to change"))
            #expect(nothing.errors.contains("--help'"))
        }
    }

    @Test("only what is near is suggested")
    func suggestions() async throws {
        _ = try await shell.json("type", "add", "c")
        #expect(try await !shell.run("log", "x").errors.contains("did you mean"))
        #expect(try await !shell.run("log", "").errors.contains("did you mean"))
        let unknown = try await shell.run("prop", "rm", "coffee", "nokey")
        #expect(unknown.status == 65 && unknown.errors.contains("it has none"))
        #expect(try await shell.run("help", "nosuch").status == 64)
        #expect(try await shell.run("serve", "--port", "-1").errors.contains("65535"))
        for addresses in ["10.0.0", "10.0.0.1,", "10.0.0.1, proxy.example.org", "10.0.0.0/33"] {
            let outcome = try await shell.run("serve", "--trusted-proxy", addresses)
            #expect(outcome.status == 64 && outcome.errors.contains("--trusted-proxy must be"), "\(addresses)")
        }
    }

    @Test("a database that cannot be served is one sentence, which has no password in it")
    func database() async throws {
        let url = "postgresql://ann:se@cret@host/db"
        let outcome = try await shell.run("serve", "--database", url)
        #expect(outcome.status == 64 && !outcome.errors.contains("cret"))
        #if Postgres
            #expect(outcome.errors.contains("the address of the database cannot be read"))
        #else
            #expect(outcome.errors.contains("this build has no PostgreSQL"))
            #expect(outcome.errors.contains("--traits default,Postgres"))
        #endif
        #expect(
            try await shell.run("serve", "--database", url, "--data", "x").errors.contains(
                "and --data cannot be used together"))
    }

    private func engine() throws -> EventStore {
        let root = CompositionRoot(
            configuration: TrendyConfiguration(folders: Folders(data: shell.home.path, config: shell.home.path)),
            process: .current())
        return try root.eventStore
    }
}
