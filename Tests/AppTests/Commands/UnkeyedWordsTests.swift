import Foundation
import Testing
import TrendyDomain
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Words without a key")
struct UnkeyedWordsTests {
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        for type in ["coffee", "run", "weight", "coding", "tea"] { _ = try await shell.json("type", "add", type) }
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number", "--label", "Distance (km)")
        _ = try await shell.json("prop", "add", "run", "pulse", "--kind", "number")
        _ = try await shell.json("prop", "add", "weight", "kg", "--kind", "number", "--label", "kg")
        _ = try await shell.json("prop", "add", "tea", "size", "--kind", "select", "--options", "small,large")
        _ = try await shell.json("prop", "add", "tea", "kind", "--kind", "text")
    }

    @Test(
        "go to the one property that they fit, and the others to the note",
        arguments: [
            (["coffee", "double espresso"], "double espresso", [:]),
            (["coffee", "double", "espresso"], "double espresso", [:]),
            (["weight", "81.2"], nil, ["kg": ["type": "number", "value": 81.2]]),
            (["run", "5km", "easy"], "easy", ["km": ["type": "number", "value": 5]]),
            (
                ["run", "5", "km=10"], nil,
                ["km": ["type": "number", "value": 10], "pulse": ["type": "number", "value": 5]]
            ),
            (["tea", "LARGE"], nil, ["size": ["type": "select", "value": "large"]]),
            (
                ["tea", "darjeeling", "large", "first", "flush"], nil,
                [
                    "size": ["type": "select", "value": "large"],
                    "kind": ["type": "text", "value": "darjeeling first flush"],
                ]
            ),
        ] as [([String], String?, [String: JSONValue])])
    func places(words: [String], note: String?, properties: [String: JSONValue]) async throws {
        let event = try await shell.run(words + ["--json"]).json()
        #expect(event["notes"]?.stringValue == note)
        #expect(event["properties"] == JSONValue.object(properties))
    }

    @Test(
        "are how long it took, where they are a length that no property takes", arguments: [["1h"], ["--for", "60m"]])
    func lengths(words: [String]) async throws {
        let event = try await shell.run(["coding"] + words + ["--json"]).json()
        #expect(event["timestamp"] == "2026-03-10T11:00:00.000Z" && event["end_date"] == "2026-03-10T12:00:00.000Z")
    }

    @Test("a length counts from the start, or up to the end, whichever is said")
    func lengthBesideTimes() async throws {
        let after = try await shell.json("coding", "1h", "--at", "8:00")
        #expect(after["timestamp"] == "2026-03-10T08:00:00.000Z" && after["end_date"] == "2026-03-10T09:00:00.000Z")
        let before = try await shell.json("coding", "--for", "30m", "--until", "8:00")
        #expect(before["timestamp"] == "2026-03-10T07:30:00.000Z" && before["end_date"] == "2026-03-10T08:00:00.000Z")
    }

    @Test(
        "what can be meant in two ways is refused with both, and nothing is logged",
        arguments: [
            (["run", "5"], "write km=5 or pulse=5"), (["run", "30m"], "write km=30m or --for 30m"),
            (["run", "km", "5"], "write km=VALUE"), (["run", "km=5", "km"], "write km=5km"),
            (["weight", "81,2"], "write 81.2"), (["coffee", "yesterday"], "write --at yesterday"),
            (["coffee", "milk", "-n", "sugar"], "put the whole note after --note"),
            (["coding", "--for", "1h", "--at", "8:00", "--until", "9:00"], "give one of them"),
            (["coding", "--for", "90"], "is not a duration"),
            (["coding", "--for", "1h", "--all-day"], "--at and --until"),
            (["coding", "1h", "--at", "11:30"], "the end is in the future"),
        ])
    func refused(words: [String], hint: String) async throws {
        let result = try await shell.run(words)
        #expect(result.status != 0 && result.errors.contains(hint), "\(result.errors)")
        #expect(try await shell.json("list").array.isEmpty)
    }

    @Test("a timer takes them when it starts and when it stops")
    func timers() async throws {
        _ = try await shell.json("start", "run", "5km", "easy")
        shell.clock.advance(bySeconds: 60)
        let event = try await shell.json("stop", "run", "pulse=150", "tired")
        #expect(event["notes"] == "easy\ntired" && event["properties"]?["km"] == ["type": "number", "value": 5])
    }

    @Test(
        "a timer that alone runs takes them without its type when it stops",
        arguments: [
            (["7km"], nil, "7km"), (["felt good"], "felt good", nil), (["tired", "pulse=150"], "tired", nil),
            (["ru", "7km"], nil, "7km"),
        ] as [([String], String?, String?)])
    func timerAlone(words: [String], note: String?, km: String?) async throws {
        _ = try await shell.json("start", "run")
        shell.clock.advance(bySeconds: 60)
        let event = try await shell.run(["stop"] + words + ["--json"]).json()
        #expect(event["notes"]?.stringValue == note)
        #expect(event["properties"]?["km"] == (km == nil ? nil : ["type": "number", "value": 7]))
    }

    @Test(
        "what may be a type, or fits two properties of the timer's type, is refused with the ways to write it",
        arguments: [
            (["5"], "write km=5 or pulse=5"), (["coffee"], "no timer of coffee runs"),
            (["coffee"], "write --note coffee"),
            (["rnu"], "did you mean 'run'? If not, write --note rnu"), (["yesterday"], "--at yesterday"),
            (["--discard", "5km"], "there is no type '5km'"),
            (["run", "easy", "--discard"], "--discard logs no event"),
        ])
    func refusedStops(words: [String], hint: String) async throws {
        _ = try await shell.json("start", "run")
        let result = try await shell.run(["stop"] + words)
        #expect(result.status != 0 && result.errors.contains(hint), "\(result.errors)")
        #expect(try await shell.json("list").array.isEmpty)
        #expect(try await shell.json("status")["running"]?.array.count == 1)
    }

    @Test("of several timers, the type is said before them")
    func severalTimers() async throws {
        _ = try await shell.json("start", "run")
        _ = try await shell.json("start", "tea")
        let unclear = try await shell.run("stop", "7km")
        #expect(unclear.status == 65 && unclear.errors.contains("several timers run: run, tea"), "\(unclear.errors)")
        let event = try await shell.json("stop", "tea", "large")
        #expect(event["properties"]?["size"] == ["type": "select", "value": "large"])
    }

    @Test("an edit takes those that fit a property, and no others")
    func edits() async throws {
        _ = try await shell.json("run", "5km")
        #expect(try await shell.json("edit", "last", "7km")["properties"]?["km"] == ["type": "number", "value": 7])
        #expect(try await shell.run("edit", "last", "easy").errors.contains("--note easy"))
    }

    @Test("a note from the editor is stored, begins with what was there, and is not lost where the event is refused")
    func editor() async throws {
        shell.environment["EDITOR"] = #"sh -c 'printf "one\ntwo\n" >> "$0"'"#
        #expect(try await shell.json("coffee", "-e")["notes"] == "one\ntwo")
        #expect(try await shell.json("edit", "last", "-e")["notes"] == "one\ntwo\none\ntwo")
        shell.environment["EDITOR"] = "true"
        let empty = try await shell.run("coffee", "-e")
        #expect(empty.status != 0 && empty.errors.contains("the note is empty"))
        #expect(try await shell.json("list").array.count == 1)
    }

    private func notesLeft() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: shell.home.path).filter { $0.hasPrefix("note-") }
    }

    @Test("a note that is too long stays whole in its file, and the error says where and by how much")
    func longNote() async throws {
        let article = String(repeating: "é", count: Event.noteLimit + 90_000)
        _ = try shell.home.write(article, to: "article")
        shell.environment["EDITOR"] = "cp '\(shell.home.path)/article'"
        for command in [["coffee", "-e"], ["start", "coffee", "-e"]] {
            let long = try await shell.run(command)
            #expect(
                long.status == 65 && long.errors.contains("the note is 90,000 characters too long"), "\(long.errors)")
            let kept = try #require(try notesLeft().first)
            #expect(long.errors.contains("; the note is kept in \(shell.home.path)/\(kept)"), "\(long.errors)")
            #expect(try String(contentsOfFile: shell.home.path + "/" + kept, encoding: .utf8) == article)
            try FileManager.default.removeItem(atPath: shell.home.path + "/" + kept)
        }
        #expect(try await shell.json("list").array.isEmpty)
        _ = try shell.home.write(String(repeating: "é", count: Event.noteLimit) + "\n", to: "article")
        #expect(try await shell.json("coffee", "-e")["notes"]?.stringValue?.count == Event.noteLimit)
        #expect(try notesLeft() == [])
    }

    @Test("a note for a timer that cannot be started is kept, and an editor that fails leaves nothing")
    func editorOfTimers() async throws {
        shell.environment["EDITOR"] = #"sh -c 'printf "with Kim\n" > "$0"'"#
        #expect(try await shell.json("start", "run", "-e")["notes"] == "with Kim")
        #expect(try notesLeft() == [])
        let again = try await shell.run("start", "run", "-e")
        #expect(again.status != 0 && again.errors.contains("the note is kept in "), "\(again.errors)")
        let kept = try #require(try notesLeft().first)
        #expect(try String(contentsOfFile: shell.home.path + "/" + kept, encoding: .utf8) == "with Kim\n")
        try FileManager.default.removeItem(atPath: shell.home.path + "/" + kept)
        _ = try await shell.json("stop")
        shell.environment["EDITOR"] = "false"
        let failed = try await shell.run("edit", "last", "-e")
        #expect(failed.status != 0 && failed.errors.contains("failed") && !failed.errors.contains("is kept in"))
        #expect(try notesLeft() == [])
    }
}
