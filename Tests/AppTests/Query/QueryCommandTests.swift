import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp

/// A device with some events of four types.
@MainActor
enum QueryScene {
    static func shell() async throws -> TestShell {
        let shell = try TestShell()
        let coffee = try await shell.makeType("Café")
        let tea = try await shell.makeType("tea")
        let run = try await shell.makeType("run")
        let long = try await shell.makeType("long run")
        for words in [
            ["type", "edit", "Café", "--alias", "c"], ["place", "add", "Office", "--lat", "1", "--lon", "2"],
            ["prop", "add", "Café", "size", "--kind", "select", "--options", "small,large"],
            ["prop", "add", "Café", "price", "--kind", "number"],
            ["prop", "add", "tea", "price", "--kind", "number", "--label", "Price (g)"],
            ["prop", "add", "run", "km", "--kind", "number", "--label", "Distance (km)"],
            ["prop", "add", "run", "rest", "--kind", "duration"], ["prop", "add", "run", "due", "--kind", "date"],
            ["prop", "add", "run", "wet", "--kind", "boolean"],
            ["prop", "add", "long run", "km", "--kind", "number", "--label", "km (m)"],
        ] { _ = try await shell.output(words) }
        let small: [String: PropertyValue] = ["size": .select("small"), "price": .number(2)]
        try await shell.log(1, coffee, at: "9:00", properties: small, notes: "with Ann #work")
        try await shell.log(
            2, coffee, at: "yesterday 9:00", properties: ["size": .select("large"), "price": .number(4)])
        try await shell.log(3, tea, at: "8:00", properties: ["price": .number(3)], notes: "#workshop")
        let day = PropertyValue.day(try #require(CalendarDay(year: 2026, month: 3, day: 9)))
        let first: [String: PropertyValue] = [
            "km": .number(0.5), "rest": .duration(90), "due": day, "wet": .boolean(true),
        ]
        try await shell.log(4, run, at: "2 days ago 7:00", until: "2 days ago 7:30", properties: first)
        try await shell.log(5, run, at: "3 days ago 7:00", properties: ["km": .number(8)])
        try await shell.log(6, long, at: "4 days ago", properties: ["km": .number(600)], isAllDay: true)
        return shell
    }
}

@MainActor
@Suite("Events chosen by a query")
struct QueryCommandTests {
    /// The numbers of the events that a list has, the newest first.
    private func list(_ shell: TestShell, _ words: [String]) async throws -> [Int] {
        let answer = try await shell.run(["list", "--json"] + words)
        guard answer.status == 0 else { throw CommandFailure(.software, "\(words): \(answer.errors)") }
        return try answer.json().array.compactMap { $0["id"]?.stringValue?.last.flatMap { Int(String($0)) } }
    }

    @Test("types, properties in their units, notes, tags, places, times and states choose the events")
    func meanings() async throws {
        let shell = try await QueryScene.shell()
        let cases: [([String], [Int])] = [
            ([], [1, 3, 2, 4, 5, 6]), (["c"], [1, 2]), (["CAFE\u{301}"], [1, 2]), (["te", "c"], [1, 3, 2]),
            (["c", "size=large"], [2]), (["c size=LARGE"], [2]), (["size!=large"], [1]),
            (["not", "size=large"], [1, 3, 4, 5, 6]),
            (["price>3"], [2]), (["price>2"], [3, 2]), (["tea", "price>=3g"], [3]), (["price>=3g"], [3]),
            (["km<1"], [4]),
            (["km>=600m"], [5, 6]), (["run", "km", ">", "600m"], [5]), (["km<1 run"], [4]), (["rest=1m30s"], [4]),
            (["rest<2m"], [4]),
            (["due=yesterday"], [4]), (["due<2026-03-09"], []), (["due=last week"], []), (["due=this week"], [4]),
            (["wet=yes"], [4]),
            (["run", "wet="], [5]), (["run", "wet!="], [4]), (["size~arg"], [2]), (["prop.size=small"], [1]),
            (["note~ANN"], [1]), (["note='WITH ann #work'"], [1]), (["note="], [2, 4, 5, 6]), (["#work"], [1]),
            (["tag:workshop"], [3]),
            (["text~shop or #work"], [1, 3]), (["place:"], [1, 3, 2, 4, 5, 6]), (["place:office"], []),
            (["since:yesterday"], [1, 3, 2]), (["until:2", "days", "ago"], [4, 5, 6]), (["on:yesterday"], [2]),
            (["on:2026-03-10 tea"], [3]),
            (["since:3 days ago run"], [4]), (["since:yesterday", "te"], [3]),
            (["since:\"last monday\"", "c"], [1, 2]),
            (["is:allday"], [6]), (["is:all-day"], [6]), (["is:pending", "tea"], [3]), (["is:parked"], []),
            (["time>=30m"], [4]), (["time>30m"], []),
            (["long", "run"], [4, 5, 6]), (["long run"], [6]), (["long run or tea"], [3, 6]),
            (["(tea or c)", "not", "(size=small)"], [3, 2]),
            (["not c"], [3, 4, 5, 6]), (["id:e0000003"], [3]), (["type:tea"], [3]),
            (["type!=tea", "since:today"], [1]),
            (["c", "--since", "today"], [1]), (["--search", "ann", "c"], [1]),
            (["tea or c", "--until", "yesterday"], [2]),
        ]
        for (words, expected) in cases {
            #expect(try await list(shell, words) == expected, "\(words)")
        }
    }

    @Test("each error shows its place, and what is possible")
    func errors() async throws {
        let shell = try await QueryScene.shell()
        for (words, message, place) in [
            (["c", "sze=large"], "the type 'Café' has no property 'sze'; did you mean 'size'?", "sze"),
            (["c", "km=3"], "the type 'Café' has no property 'km'; it has size, price", "km"),
            (["tea", "c", "km=3"], "none of these types has a property 'km'; they have price, size", "km"),
            (["run km<1kg"], "'kg' is a unit of mass", "1kg"), (["price>3km", "c"], "has no unit", "3km"),
            (["c", "size=huge"], "choose one of small, large", "huge"), (["c", "size<large"], "is a select", "<"),
            (["km ~ 3"], "is for texts", "~"), (["is:tired", "c"], "allday, pending, parked, running", "tired"),
            (["place:Offce"], "did you mean 'Office'?", "Offce"),
            (["since:nonsense", "c"], "is not a time", "nonsense"),
            (["on:9:15", "c"], "is not a day", "9:15"),
            (["c", "te or lon or l or nope"], "there is no type 'nope'", "nope"),
            (["large", "tea"], "did you mean 'size=large'?", "large"),
            (["tea", "pending"], "did you mean 'is:pending'?", "pending"),
            (["(tea"], "'(' has no ')'", "("), (["note~'x"], "is missing", "'x"), (["due=soon"], "takes a day", "soon"),
            (["time>soon"], "not a duration", "soon"), (["wet=maybe"], "write yes or no", "maybe"),
            (["km>"], "needs a value", "km>"),
        ] {
            let answer = try await shell.run(["list"] + words)
            let lines = answer.errors.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            #expect([64, 65].contains(answer.status) && answer.output.isEmpty, "\(words)")
            #expect(lines.first?.contains(message) == true, "\(words): \(answer.errors)")
            let query = words.joined(separator: " ")
            guard query != place, lines.count > 2 else {
                #expect(query == place, "\(answer.errors)")
                continue
            }
            #expect(lines[1] == "  " + query)
            let start = lines[2].count - lines[2].drop { $0 == " " }.count
            #expect(String(Array(lines[1])[start..<lines[2].count]) == place, "\(answer.errors)")
        }
        for words in [[""], [" "], ["\"\""], ["()"], ["#"], ["or"], [String(repeating: "(", count: 9999)]] {
            #expect([64, 65].contains(try await shell.run(["list"] + words).status), "\(words)")
        }
        let wrongWay = try await shell.run("list", "since:today until:2026-03-01")
        #expect(wrongWay.status == 64 && wrongWay.errors.contains("before its start"), "\(wrongWay.errors)")
    }

    @Test("every command that looks takes a query")
    func commands() async throws {
        let shell = try await QueryScene.shell()
        #expect(try await shell.output("today", "c", "price<3").contains("1 event: Café 1"))
        #expect(try await shell.output("week", "not #work").contains("2 events: Café 1, tea 1"))
        #expect(try await shell.json("stats", "c", "price>3")["total"] == .integer(1))
        #expect(try await shell.json("stats", "c tea")["buckets"]?.array.count == 2)
        #expect(try await shell.json("stats", "since:yesterday")["total"] == .integer(3))
        #expect(try await shell.json("calendar", "km>1km")["total"] == .integer(1))
        #expect(try await shell.json("streaks", "km>1km").array.map { $0["event_type"] } == [.string("run")])
        #expect(
            try await shell.json("trend", "run km<1", "--by", "day")["points"]?.array.first?["value"] == .integer(1))
        #expect(try await shell.json("insights", "tea").array.isEmpty == false)
        let page = shell.home.path + "/page.html"
        #expect(try await shell.output("report", "c", "price>3", "--output", page).contains("a report of 1 event to"))
        #expect(try await shell.output("export", "csv", "c or tea").split(whereSeparator: \.isNewline).count == 4)
        #expect(try await shell.output("export", "ics", "km>1km").components(separatedBy: "BEGIN:VEVENT").count == 2)
        #expect(try await shell.run("trend", "tea or c").errors.contains("needs one type"))
        #expect(try await shell.output("stats", "tea", "price>99").contains("no event is one of 'tea price>99'"))
        #expect(try await shell.run("start", "run").status == 0)
        #expect(try await shell.output("list", "is:running").contains("(running)"))
        #expect(try await shell.output("today", "tea").contains("running:") == false)
    }

    @Test("bars stand for the values of a property, with any aggregation, in the order that is asked for")
    func groups() async throws {
        let shell = try await QueryScene.shell()
        func bars(_ words: String...) async throws -> [String] {
            let answer = try await shell.run(["stats", "--json"] + words)
            let json = try answer.json()
            return (json["buckets"]?.array ?? []).map { row in
                let bucket = row["bucket"].flatMap { $0.stringValue ?? $0.doubleValue.map { "\($0)" } } ?? "-"
                return
                    "\(bucket) \(row["value"]?.doubleValue ?? row["seconds"]?.doubleValue ?? Double(row["count"]?.doubleValue ?? 0))"
            }
        }
        #expect(try await bars("c", "--by", "size") == ["small 1.0", "large 1.0"].sorted())
        #expect(try await bars("--by", "SIZE", "--sort", "-name") == ["small 1.0", "large 1.0"])
        #expect(try await bars("c", "--by", "size", "--prop", "price", "--agg", "max") == ["large 4.0", "small 2.0"])
        #expect(
            try await bars("c", "--by", "size", "price>1", "--agg", "median", "--sort", "value") == [
                "small 2.0", "large 4.0",
            ])
        #expect(try await bars("run", "--by", "wet") == ["- 1.0", "- 1.0"])
        #expect(try await bars("c", "tea", "--by", "type", "--sort", "name") == ["Café 2.0", "tea 1.0"])
        for (aggregation, value) in [("count", 2.0), ("sum", 6), ("mean", 3), ("median", 3), ("min", 2), ("max", 4)] {
            let json = try await shell.json("stats", "c", "--prop", "price", "--agg", aggregation)
            #expect(json["value"]?.doubleValue == value, "\(aggregation)")
        }
        #expect(try await shell.run("stats", "c", "--by", "sizes").errors.contains("did you mean 'size'?"))
        #expect(try await shell.run("stats", "run", "--agg", "max").errors.contains("--prop km or --prop rest"))
        #expect(try await shell.run("stats", "--sort", "size").errors.contains("use value or name"))
    }

    @Test("a list is sorted by time, length or a property, and shows what it is sorted by")
    func sorting() async throws {
        let shell = try await QueryScene.shell()
        #expect(try await list(shell, ["run", "--sort", "km"]) == [4, 5])
        #expect(try await list(shell, ["c", "run", "--sort", "-km", "--limit", "2"]) == [5, 4])
        #expect(try await list(shell, ["--sort", "time", "c"]) == [2, 1])
        #expect(try await list(shell, ["--sort", "-duration", "run"]) == [4, 5])
        #expect(
            try await shell.output("list", "run", "--sort", "-km").hasPrefix("SHORT_ID  TIME              TYPE  KM"))
        #expect(try await shell.run("list", "--sort", "kms").errors.contains("did you mean 'prop.km'?"))
    }
}
