import Testing

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
        "options, commands with rules of their own and empty words are the parser's",
        arguments: [
            [], [""], ["coffee", ""], ["log"], ["log", "-"], ["coffee", "--note", "hot"], ["-h"], ["help", "log"],
            ["status", "now"], ["week"], ["stats"], ["list", "--all"], ["today", "-h"], ["coffee", "--"],
        ])
    func parser(words: [String]) {
        #expect(PlainCommand.of(words) == nil)
    }

    /// Without the option, the line needs no parser; with it, the parser reads the same line.
    @Test(
        "what they do is what the parser would have done",
        arguments: [
            (["list"], "--no-pager"), (["list", "coffee", "run"], "--no-pager"), (["list", "tea"], "--no-pager"),
            (["today"], "--no-pager"), (["today", "run"], "--no-pager"), (["today", "tea"], "--no-pager"),
        ])
    func looking(words: [String], option: String) async throws {
        for line in [["coffee"], ["run", "km=5"]] { #expect(try await shell.run(line).status == 0) }
        let plain = try await shell.run(words)
        let parsed = try await shell.run(words + [option])
        #expect(plain.status == parsed.status && plain.output == parsed.output && plain.errors == parsed.errors)
        #expect(!(plain.output + plain.errors).isEmpty)
    }

    @Test("an event is logged with its properties, by the short form and the long one")
    func logging() async throws {
        for line in [["run", "km=5"], ["log", "run", "km=5"], ["log", "run", "km=5", "--at", "now"]] {
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
        #expect(try await shell.run("run", "far").errors.contains("KEY=VALUE"))
        #expect(try await shell.run("status").status == 0)
    }
}
