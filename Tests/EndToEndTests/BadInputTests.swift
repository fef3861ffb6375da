import Foundation
import Testing
import TrendyDomain
import TrendyProcesses

/// A command that must be refused.
struct BadCommand: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let code: Int32
    let mention: String

    init(_ arguments: String..., code: Int32 = 65, mention: String) {
        self.arguments = arguments
        self.code = code
        self.mention = mention
    }

    var testDescription: String { arguments.joined(separator: " ") }
}

@Suite("Bad input", .fewAtOnce, .timeLimit(.minutes(10)))
struct BadInputTests {
    @Test("standard input that is closed is said to be", arguments: ["log -", "import jsonl -", "import csv -"])
    func closedInput(command: String) async throws {
        let device = try Device()
        let script = "exec '\(Program.url.path)' \(command) <&-"
        let environment = device.variables.merging(["TRENDY_AUTOSYNC": "false"]) { $1 }
        let transcript = try await ChildProcess.run("/bin/sh", ["-c", script], environment: environment)
        let outcome = Outcome([command], transcript)
        #expect(outcome.errors == "trendy: cannot read standard input: it is closed\n", "\(outcome)")
        #expect(outcome.status == 74, "\(outcome)")
    }

    @Test("an argument that is not UTF-8 is refused, and nothing is stored", arguments: ["log coffee -n", "type add"])
    func otherEncoding(command: String) async throws {
        let device = try Device()
        _ = try await device.run("type", "add", "coffee")
        let script = "exec '\(Program.url.path)' \(command) \"$(printf 'caf\\351')\""
        let environment = device.variables.merging(["TRENDY_AUTOSYNC": "false"]) { $1 }
        let transcript = try await ChildProcess.run("/bin/sh", ["-c", script], environment: environment)
        let outcome = Outcome([command], transcript)
        #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains("is not UTF-8: 'caf\u{FFFD}'"), "\(outcome)")
        #expect(try await !device.run("list", "--json").output.contains("timestamp"))
        #expect(try await !device.run("type", "list").output.contains("caf"))
    }

    static let commands: [BadCommand] = [
        BadCommand("log", code: 64, mention: "type"),
        BadCommand("log", "coffee", "--no-such-option", code: 64, mention: "no-such-option"),
        BadCommand("no-such-command", code: 64, mention: "no-such-command"),
        BadCommand("log", "coffee", "--at", "the day after the fair", mention: "the day after the fair"),
        BadCommand("log", "coffee", "--at", "2026-02-30", mention: "2026-02-30"),
        BadCommand("log", "coffee", "--at", "2026-01-02T10:00:00Z", "--until", "2026-01-01T10:00:00Z", mention: "end"),
        BadCommand("log", "cofee", mention: "coffee"),
        BadCommand("log", "", mention: "type"),
        BadCommand("log", "coffee", "--prop", "size=large", mention: "size"),
        BadCommand("log", "coffee", "--prop", "size", code: 64, mention: "size"),
        BadCommand("log", "coffee", "--prop", "=2", code: 64, mention: "=2"),
        BadCommand("log", "coffee", "--note", String(repeating: "n", count: 20_000), mention: "note"),
        BadCommand("type", "add", "", mention: "name"),
        BadCommand("type", "add", "   ", mention: "name"),
        BadCommand("type", "add", "coffee", mention: "coffee"),
        BadCommand("type", "add", String(repeating: "x", count: 101), mention: "name"),
        BadCommand("type", "add", "tea", "--color", "mauvish", mention: "mauvish"),
        BadCommand("type", "edit", "no-such-type", "--name", "x", mention: "no-such-type"),
        BadCommand("type", "rm", "no-such-type", "--yes", mention: "no-such-type"),
        BadCommand("prop", "add", "no-such-type", "k", "--kind", "number", mention: "no-such-type"),
        BadCommand("prop", "add", "coffee", "size", "--kind", "number", mention: "size"),
        BadCommand("prop", "add", "coffee", "k", "--kind", "colour", mention: "colour"),
        BadCommand("prop", "add", "coffee", "k", "--kind", "select", mention: "options"),
        BadCommand("place", "add", "home", "--lat", "91", "--lon", "0", mention: "latitude"),
        BadCommand("place", "add", "home", "--lat", "0", "--lon", "-180.5", mention: "longitude"),
        BadCommand("place", "add", "home", "--lat", "nan", "--lon", "0", mention: "lat"),
        BadCommand("place", "add", "home", "--lat", "north", "--lon", "0", code: 64, mention: "lat"),
        BadCommand("place", "add", "home", "--lat", "0", "--lon", "0", "--radius", "10", mention: "radius"),
        BadCommand("place", "add", "home", "--lat", "0", "--lon", "0", "--enter", "nope", mention: "nope"),
        BadCommand("show", "no-such-id", mention: "no-such-id"),
        BadCommand("edit", "no-such-id", "--note", "x", mention: "no-such-id"),
        BadCommand("rm", "no-such-id", mention: "no-such-id"),
        BadCommand("list", "no-such-type", mention: "no-such-type"),
        BadCommand("list", "--since", "whenever", mention: "whenever"),
        BadCommand("list", "--limit", "many", code: 64, mention: "limit"),
        BadCommand("list", "--limit", "-1", code: 64, mention: "limit"),
        BadCommand("import", "csv", "/no/such/file.csv", "--time", "a", "--type", "b", mention: "/no/such/file.csv"),
        BadCommand("sync", code: 77, mention: "login"),
    ]

    @Test("is one clear line with the right code, and changes nothing", arguments: commands)
    func refused(command: BadCommand) async throws {
        let device = try Device()
        try await device.done("type", "add", "coffee")
        try await device.done("prop", "add", "coffee", "size", "--kind", "number")
        try await device.log("coffee", "--note", "there before", "--at", "2026-01-01T08:00:00Z")
        let before = try await device.done("export", "json").output

        let outcome = try await device.run(command.arguments)
        expectFailure(outcome, command.code, mentions: command.mention)
        #expect(try await device.done("export", "json").output == before)
    }

    @Test("an ending that fits several ids names them, and a longer one finds the event")
    func ambiguousId() async throws {
        let device = try Device()
        try await device.done("type", "add", "row")
        // Among so many ids some end in the same four characters: with 3,000 the chance of none is e^-68.
        let rows = (0..<3000).map { "2026-01-01T00:00:00Z,\($0)\n" }.joined()
        try await device.done(
            "import", "csv", "-", "--time", "t", "--type", "=row", "--note", "n", input: "t,n\n" + rows)
        let ids = try await device.events().map(\.id)
        let (ending, sharing) = try #require(
            Dictionary(grouping: ids) { String($0.suffix(4)) }.first { $0.value.count > 1 })
        for command in [["rm", ending], ["show", ending], ["edit", ending, "--note", "x"]] {
            expectFailure(try await device.run(command), 65, mentions: sharing[0], sharing[1])
        }
        #expect(try await device.events().count == 3000)
        let found = try await device.json(LocalRecord<Event>.self, "show", String(sharing[1].suffix(20)))
        #expect(found.id == sharing[1])
    }

    @Test("a server address that is none, and one where something else answers")
    func noServer() async throws {
        let device = try Device()
        for (address, code) in [("not a url", Int32(64)), ("ftp://127.0.0.1", 64), ("http://127.0.0.1:1", 69)] {
            let outcome = try await device.run(
                "login", "--server", address, "--email", "a@example.org", "--password-stdin", input: "a long password\n"
            )
            expectFailure(outcome, code == 64 ? nil : code)
        }
        #expect(try await device.status().signedIn == false)
    }
}
