import Testing
import TrendyDomain
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Errors name what was meant")
struct SuggestionCommandTests {
    @Test(
        "for a property that is not there the kind is suggested that fits the value",
        arguments: [
            ("12.5", "number"), ("7,5", "number"), ("5km", "number"), ("5m", "number"), ("1h30m", "duration"),
            ("45s", "duration"), ("2 days", "duration"), ("yes", "boolean"), ("2026-11-20", "date"),
            ("yesterday", "date"), ("tall", "text"), ("10 x", "number"),
        ])
    func kinds(value: String, kind: String) async throws {
        let shell = try TestShell()
        _ = try await shell.json("type", "add", "coffee")
        let answer = try await shell.run("coffee", "x=\(value)")
        #expect(answer.errors.hasSuffix("'trendy prop add coffee x --kind \(kind)'\n"), "\(answer.errors)")
    }

    @Test("a value in the word of its option is said to stand behind it")
    func glued() async throws {
        let shell = try TestShell()
        _ = try await shell.json("type", "add", "coffee")
        let answer = try await shell.run("coffee", "-nabc")
        #expect(
            answer.errors == "trendy: there must be a space after -n: write -n abc; see 'trendy log --help'\n",
            "\(answer.errors)")
        #expect(answer.status == 64)
    }

    @Test("a word of thousands of letters is cut where it is said to be wrong")
    func longWords() async throws {
        let shell = try TestShell()
        let word = String(repeating: "x", count: 5_000)
        for words in [["log", word], [word], ["show", word], ["list", "--at" + word]] {
            let answer = try await shell.run(words)
            #expect(answer.errors.count < 400 && answer.errors.contains("…'"), "\(answer.errors)")
        }
        let path = "/" + String(repeating: "y", count: 200)
        #expect("no file \(path); check it".withoutLongWords == "no file \(path); check it")
    }

    @Test("the nearest command, type, alias, property, option, place or choice is suggested")
    func names() async throws {
        let shell = try TestShell()
        for arguments in [
            ["type", "add", "coffee"], ["type", "edit", "coffee", "--alias", "espresso"],
            ["prop", "add", "coffee", "size", "--kind", "select", "--options", "small,large"],
            ["place", "add", "Office", "--lat", "1", "--lon", "2"], ["log", "coffee", "size=small"],
        ] { #expect(try await shell.run(arguments).status == 0, "\(arguments)") }
        let id = try #require(try await shell.json("list").array.first?["id"]?.stringValue)
        for (arguments, meant) in [
            (["stat"], "'trendy stats' or 'trendy status'?"),
            (["re"], "'trendy redo', 'trendy report' or 'trendy restore'?"),
            (["lsit"], "trendy list"), (["cofee"], "'coffee'? ('trendy --help'"),
            (["delete"], "'trendy rm'?"), (["remove", id], "'trendy rm'?"), (["add", "tea"], "'trendy log'?"),
            (["version"], "'trendy --version'?"), (["ls"], "'trendy list'?"),
            (["type", "delete", "coffee"], "'trendy type rm'?"), (["type", "new", "tea"], "'trendy type add'?"),
            (["prop", "create"], "'trendy prop add'?"),
            (["type", "lst"], "trendy type list"), (["log", "cofee"], "'coffee'"),
            (["log", "espreso"], "'espresso'"), (["log", "coffee", "sise=small"], "'size'"),
            (["log", "coffee", "size=smal"], "'small'"), (["log", "coffee", "--place", "Ofice"], "'Office'"),
            (["prop", "edit", "coffee", "sizes", "--label", "x"], "'size'"), (["stats", "--by", "wek"], "'week'"),
            (["edit", id, "--clear-prop", "siz"], "'size'"), (["list", "--columns", "tpye"], "'type'"),
            (["type", "edit", "coffee", "--clear-alias", "expresso"], "'espresso'"),
            (["type", "edit", "coffee", "--color", "gren"], "'green'"),
            (["prop", "add", "coffee", "x", "--kind", "nubmer"], "'number'"), (["list", "--limt", "3"], "--limit"),
            (["help", "lsit"], "list"), (["config", "get", "sevrer"], "'server'"),
        ] {
            let answer = try await shell.run(arguments)
            #expect(
                answer.status != 0 && answer.errors.lowercased().contains("did you mean"),
                "\(arguments): \(answer.errors)")
            #expect(answer.errors.lowercased().contains(meant.lowercased()), "\(arguments): \(answer.errors)")
            #expect(!answer.errors.contains("?,") && !answer.errors.contains("?;"), "\(answer.errors)")
        }
    }

    @Test(
        "an unknown option suggests one that is near or is called so elsewhere, and else none",
        arguments: [
            (["list", "--limt", "5"], "'trendy list' has no option '--limt', did you mean '--limit'? ("),
            (["list", "-n", "5"], "'trendy list' has no option '-n', did you mean '--limit'? ("),
            (["list", "--last", "5"], "'trendy list' has no option '--last', did you mean '--limit'? ("),
            (["list", "--from", "today"], "'trendy list' has no option '--from', did you mean '--since'? ("),
            (["week", "--last"], "'trendy week' has no option '--last'; see 'trendy week --help'"),
            (["list", "--foo"], "'trendy list' has no option '--foo'; see 'trendy list --help'"),
            (["type", "add", "--colour=red"], "'trendy type add' has no option '--colour', did you mean '--color'? ("),
            (["rm", "--foo=1"], "'trendy rm' has no option '--foo'; see 'trendy rm --help'"),
            (["show", "-x"], "'trendy show' has no option '-x'; see 'trendy show --help'"),
            (["log", "--at", "-5m", "--note", "--foo"], "Missing expected argument '<type>'; see 'trendy log --help'"),
            (["type", "add", "--json"], "Missing expected argument '<name>'; see 'trendy type add --help'"),
            (["coffee", "--sise"], "'trendy log' has no option '--sise'; see 'trendy log --help'"),
        ])
    func options(arguments: [String], message: String) async throws {
        let answer = try await TestShell().run(arguments)
        #expect(answer.status == 64 && answer.errors.hasPrefix("trendy: \(message)"), "\(answer.errors)")
    }

    @Test(
        "a number with a comma says how it is written",
        arguments: [
            (["place", "add", "Gym", "--lat", "52,5", "--lon", "13"], "; write 52.5; see 'trendy place add --help'"),
            (["config", "set", "timeout", "3,5"], "it takes a number of seconds from 0.1 to 3600; write 3.5"),
            (["list", "--limit", "3,5"], "invalid for '--limit <limit>'; see 'trendy list --help'"),
        ])
    func commas(arguments: [String], message: String) async throws {
        let answer = try await TestShell().run(arguments)
        #expect(answer.status != 0 && answer.errors.hasSuffix("\(message)\n"), "\(answer.errors)")
    }

    @Test("an empty word is no command", arguments: [[""], ["", "x"], ["type", ""]])
    func empty(arguments: [String]) async throws {
        let answer = try await TestShell().run(arguments)
        let group = arguments.first == "type" ? "trendy type" : "trendy"
        #expect(
            answer.status == 64 && answer.errors == "trendy: the name of the command is empty; see '\(group) --help'\n",
            "\(answer.errors)")
    }

    @Test("a line of standard input with an unknown option suggests no other one either")
    func optionOfLine() async throws {
        let answer = try await TestShell().run("log", "-", input: "coffee --xyzzy\n")
        #expect(
            answer.status == 65 && answer.errors.contains("line 1: 'trendy log' has no option '--xyzzy'; nothing"),
            "\(answer.errors)")
    }

    @Test("an id with a slip in it suggests the one that was meant")
    func ids() async throws {
        let shell = try TestShell()
        let id = String(try #require(try await shell.json("log", "run", "--create-type")["id"]?.stringValue).suffix(8))
        #expect(try await shell.run("log", "run").status == 0)
        let last = try #require(id.last)
        for slip in [String(id.dropLast()) + (last == "0" ? "1" : "0"), String(id.dropLast()) + "o", id + "a"] {
            let answer = try await shell.run("show", slip)
            #expect(answer.status == 65 && answer.errors.contains("did you mean '\(id)'?"), "\(answer.errors)")
        }
        #expect(try await !shell.run("show", "0000ffff").errors.contains("did you mean"))
        #expect(try await !shell.run("show", "abcd").errors.contains("did you mean"))
    }
}
