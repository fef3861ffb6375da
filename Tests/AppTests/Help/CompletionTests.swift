import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Completions")
struct CompletionTests {
    private func shell() async throws -> TestShell {
        let shell = try TestShell()
        for arguments in [
            ["type", "add", "coffee"], ["type", "add", "Morning run"], ["type", "add", "☕ $(boom) 'q' \"d\""],
            ["type", "edit", "coffee", "--alias", "espresso"],
            ["place", "add", "Old Town", "--lat", "1", "--lon", "2"],
            ["prop", "add", "coffee", "size", "--kind", "select", "--options", "small,very large"],
            ["prop", "add", "coffee", "hot", "--kind", "boolean"],
            ["prop", "add", "coffee", "cups", "--kind", "number"],
            ["log", "coffee"],
        ] { #expect(try await shell.run(arguments).status == 0, "\(arguments)") }
        return shell
    }

    /// The words that fish is offered for a line.
    private func offered(_ shell: TestShell, _ words: String...) async throws -> [String] {
        let answer = try await shell.run(["__complete", "fish"] + words)
        #expect(answer.status == 0 && answer.errors.isEmpty)
        return answer.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }

    @Test("commands, types and aliases stand at the beginning")
    func beginning() async throws {
        let shell = try await shell()
        let all = try await offered(shell, "")
        for word in ["log", "config", "coffee", "Morning run", "espresso", "help"] { #expect(all.contains(word)) }
        #expect(!all.contains("manual"))
        #expect(try await offered(shell, "cof") == ["coffee"])
        #expect(try await offered(shell, "mor") == ["Morning run"])
        #expect(try await offered(shell, "prop", "e") == ["edit"])
        #expect(try await offered(shell, "help", "ti") == ["times"])
        #expect(try await offered(shell, "help", "prop", "a") == ["add"])
        #expect(try await offered(shell, "nosuch", "nosuch", "x") == [])
    }

    @Test("types, properties, their values, places and ids stand where they belong")
    func records() async throws {
        let shell = try await shell()
        let id = String(try #require(try await shell.json("list").array.first?["id"]?.stringValue).suffix(8))
        for (words, expected) in [
            (["log", "M"], ["Morning run"]), (["stats", "co"], ["coffee"]),
            (["list", "coffee", "Mo"], ["Morning run"]),
            (["log", "coffee", ""], ["size=", "hot=", "cups="]), (["coffee", "s"], ["size="]),
            (["log", "coffee", "size="], ["size=small", "size=very large"]),
            (["coffee", "SIZE=v"], ["SIZE=very large"]),
            (["log", "coffee", "size=small", ""], ["hot=", "cups="]), (["coffee", "hot="], ["hot=yes", "hot=no"]),
            (["log", "coffee", "--prop", "size=s"], ["size=small"]), (["log", "coffee", "--place", "O"], ["Old Town"]),
            (["log", "coffee", "--place=O"], ["--place=Old Town"]), (["log", "coffee", "--note", ""], []),
            (["log", "coffee", "--no"], ["--note"]), (["edit", id, "h"], ["hot="]), (["show", ""], ["last", id]),
            (["show", "l"], ["last"]), (["edit", "last", "h"], ["hot="]),
            (["edit", id, "--clear-prop", "c"], ["cups"]), (["prop", "edit", "coffee", "c"], ["cups"]),
            (["prop", "add", "coffee", "x", "--kind", "n"], ["number"]),
            (["trend", "coffee", "--prop", "c"], ["cups"]), (["stats", "coffee", "--prop", "t"], ["time"]),
            (["stats", "--prop", ""], ["time"]),
            (["list", "--since", "last"], ["last week", "last month", "last year"]), (["week", "--of", "l"], ["last"]),
            (["stats", "--by", "w"], ["week", "weekday"]), (["stats", "coffee", "--by", "s"], ["size"]),
            (["list", "coffee", "siz"], ["size="]), (["list", "size="], ["size=small", "size=very large"]),
            (["today", "'coffee size!=s"], ["coffee size!=small"]), (["list", "(cof"], ["(coffee"]),
            (["trend", "is:p"], ["is:pending", "is:parked"]), (["export", "csv", "place:"], ["place:Old Town"]),
            (["edit", "'not type:M"], ["not type:Morning run"]), (["rm", "on:y"], ["on:yesterday"]),
            (["list", "--sort", "-s"], ["-size"]), (["edit", "coffee", "--add-type", "M"], ["Morning run"]),
            (["list", "--columns", "type,prop.s"], ["type,prop.size"]),
            (["config", "set", "t"], ["timeout", "token"]), (["config", "set", "autosync", ""], ["true", "false"]),
            (["completion", "f"], ["fish"]), (["type", "edit", "coffee", "--clear-alias", ""], ["espresso"]),
            (["log", "--all-day", "--", "M"], ["Morning run"]), (["export", "csv", "--output", ""], [":files"]),
            (["type", "add", "x", "--color", "gree"], ["green"]), (["show", id, ""], []),
        ] {
            let answer = try await shell.run(["__complete", "fish"] + words)
            let found = answer.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
            #expect(answer.errors.isEmpty && found == expected, "\(words): \(found)")
        }
        #expect(try await shell.run("start", "coffee").status == 0)
        #expect(try await offered(shell, "stop", "s") == ["size="])
        #expect(try await offered(shell, "stop", "c") == ["coffee", "cups="])
    }

    @Test("the scripts are those of this program, also by the parser's own option")
    func scripts() async throws {
        let shell = try TestShell()
        for name in CompletionShell.allCases {
            let answer = try await shell.run("completion", name.rawValue)
            #expect(answer.status == 0 && answer.output.contains("__complete \(name.rawValue)"))
            let other = try await shell.run("--generate-completion-script", name.rawValue)
            #expect(other.output == answer.output && !other.output.contains("compgen"))
        }
        #expect(try await shell.run("completion", "tcsh").status == 64)
    }

    @Test("nothing is said, made or changed where something is wrong")
    func silent() async throws {
        let shell = try TestShell()
        #expect(try await offered(shell, "log", "") == [])
        #expect(!FileManager.default.fileExists(atPath: shell.home.path + "/trendy.sqlite"))
        _ = try shell.home.write("no database, but long enough to decide", to: "trendy.sqlite")
        _ = try shell.home.write("{", to: "config.json")
        for arguments in [["fish", "log", ""], ["bash"], ["bash", "a"], ["tcsh", "x"], [], ["zsh"]] {
            let answer = try await shell.run(["__complete"] + arguments)
            #expect(answer.status == 0 && answer.errors.isEmpty, "\(arguments)")
        }
        shell.environment = [:]
        #expect(try await offered(shell, "lo") == ["log", "login", "logout"])
    }

    @Test(
        "bash gets what it puts in the place of the word, quoted as the word is",
        arguments: [
            ("trendy Mor", ["Morning\\ run"]), ("trendy log 'Mor", ["Morning run"]),
            ("trendy log \"mor", ["Morning run"]),
            ("trendy log Morning\\ r", ["Morning\\ run"]), ("trendy coffee size=v", ["very\\ large"]),
            ("trendy coffee size=\"v", ["very large"]), ("trendy coffee si", ["size="]),
            ("trendy log coffee --place=O", ["Old\\ Town"]), ("trendy log coffee --note 'a b' --pl", ["--place"]),
            ("trendy log ☕", ["☕\\ \\$\\(boom\\)\\ \\'q\\'\\ \\\"d\\\""]),
            ("trendy log \"☕", ["☕ \\$(boom) 'q' \\\"d\\\""]), ("trendy log '☕", []),
        ])
    func bash(line: String, expected: [String]) async throws {
        let answer = try await shell().run("__complete", "bash", " \t\n\"'@><=;|&(:", line)
        let lines = answer.output.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0 != ":nospace" } == expected.map { "=\($0)" })
        #expect(lines.contains(":nospace") == (expected == ["size="]))
    }
}
