import ArgumentParser
import Testing
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Command lines that need no parser")
struct PlainCommandTests {
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        for type in ["coffee", "run"] { _ = try await shell.json("type", "add", type) }
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number")
    }

    @Test("the list of names is that of the commands, and of help")
    func names() {
        let commands = UnknownCommand.subcommands(of: TrendyCommand.self).map(CommandTree.name)
        #expect(CommandTree.names == commands + ["help"])
    }

    @Test(
        "other options, commands with rules of their own and empty words are the parser's",
        arguments: [
            [], [""], ["coffee", ""], ["log"], ["log", "-"], ["-h"], ["help", "log"], ["coffee", "--json"],
            ["status", "now"], ["week"], ["stats"], ["list", "--all"], ["today", "-h"], ["coffee", "--"],
            ["coffee", "--note"], ["coffee", "--note", ""], ["coffee", "--note="], ["coffee", "--at", "--help"],
            ["coffee", "-nx"], ["coffee", "-n=x"], ["coffee", "--note", "a", "-n", "b"], ["--note", "x", "coffee"],
            ["log", "--note", "x"], ["coffee", "--not", "x"], ["coffee", "--place", "Home"], ["coffee", "--at", "-h"],
            ["list", "--note", "x"], ["coffee", "--create-type"],
        ])
    func parser(words: [String]) {
        #expect(PlainCommand.of(words) == nil)
    }

    /// Behind it there is nothing more; and a line with it is the parser's.
    private static let terminator = "--"

    @Test(
        "what is understood is what the parser understands",
        arguments: [
            ["coffee"], ["log", "coffee"], ["Coffee", "size=large", "a=b=c"], ["coffee", "--note", "hot"],
            ["coffee", "-n", "hot", "--at", "9:15"], ["log", "coffee", "--at=9:15", "--note=a=b"],
            ["log", "--note", "with milk", "coffee", "size=large"], ["coffee", "--at", "-90m", "--until", "-5m"],
            ["run", "km=5", "--prop", "b=1", "x=y", "-p", "c=2", "--prop=d=-3"], ["coffee", "-p", "-5"],
            ["log", "--at", "9:15", "log"], ["log", "list"], ["coffee", "stray"], ["run", "--until", "soon"],
            ["log", "9:15"], ["läufe", "--note", "ü 🏃"], ["coffee", "--note=--json"],
        ])
    func requests(words: [String]) throws {
        let parsed = try TrendyCommand.parseAsRoot(ShortForm.expanded(words)) as? LogCommand
        let plain = PlainCommand.of(words) as? LogRequest
        // A value that looks like an option is left to the parser.
        #expect(plain == parsed?.request || words.contains { $0.hasSuffix("=--json") } && plain == nil)
        #expect(parsed != nil)
    }

    @Test(
        "what they do and say is what the parser's would, mistakes included",
        arguments: [
            ["list"], ["list", "coffee", "run"], ["list", "tea"], ["today"], ["today", "run"], ["today", "tea"],
            ["status"], ["coffee"], ["log", "coffee", "--note", "hot"], ["run", "km=7", "-n", "x", "--at", "9:15"],
            ["run", "--at", "-90m", "--until", "-30m"], ["run", "-p", "km=2", "km=3"], ["run", "km"],
            ["run", "km=far"], ["run", "pace=3"], ["coffee", "--at", "soon"], ["coffee", "--at", "23:00"],
            ["coffee", "--until", "8:00", "--at", "9:00"], ["cofee", "--note", "x"], ["log", "cofee"],
            ["lits", "--note", "x"], ["xylophone"], ["log", "xylophone", "--at", "9:15"], ["coffee", "hot"], ["sync"],
        ])
    func whole(words: [String]) async throws {
        for line in [["coffee"], ["run", "km=5"]] { #expect(try await shell.run(line).status == 0) }
        // What the commands log themselves is not to be in the other's list.
        var answers: [TestShell.Answer] = []
        for line in [words, words + [Self.terminator]] {
            #expect((PlainCommand.of(line) == nil) == (line.last == Self.terminator))
            let before = try await shell.json("list").array.count
            var answer = try await shell.run(line)
            answer.output.replace(/\([0-9a-f]{8}\)/, with: "(ID)")
            answers.append(answer)
            if try await shell.json("list").array.count > before { _ = try await shell.json("undo") }
        }
        #expect(answers[0].status == answers[1].status && answers[0].output == answers[1].output)
        #expect(answers[0].errors == answers[1].errors)
        #expect(!(answers[0].output + answers[0].errors).isEmpty)
    }

    @Test("an event is logged with its properties, by the short form and the long one")
    func logging() async throws {
        for line in [["run", "km=5"], ["log", "run", "km=5"], ["log", "run", "--note", "x", "km=5"]] {
            let answer = try await shell.run(line)
            #expect(answer.status == 0 && answer.output.hasPrefix("logged run, "), "\(answer.errors)")
        }
        let events = try await shell.json("list").array
        #expect(events.count == 3 && Set(events.compactMap { $0["properties"] }).count == 1)
    }

    @Test("what is wrong with them is said as ever")
    func wrong() async throws {
        let short = try await shell.run("cofee")
        #expect(short.status == 64 && short.errors.contains("did you mean"))
        #expect(try await shell.run("log", "cofee").errors.contains("coffee"))
        #expect(try await shell.run("run", "yesterday").errors.contains("--at yesterday"))
        #expect(try await shell.run("status").status == 0)
    }
}
