import ArgumentParser
import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyProcesses
import TrendyReport
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Help")
struct HelpTests {
    /// What a person sees at once where nobody made the terminal larger: that of the VT100, and of most programs since.
    private static let screen = 24

    private static func fits(_ text: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // Behind the last line there is an empty one.
        return lines.count <= screen + 1 && lines.allSatisfy { $0.columns <= HelpPage.columns }
    }

    @Test("the help of each command fits a screen, with an example and all of its options")
    func fits() async throws {
        let shell = try TestShell()
        let shared = try await shell.output("help", "options") + shell.output("help", "import")
        for (path, command) in CommandTree.all() {
            let words = Array(path.dropFirst())
            let text = try await shell.output(words + ["--help"])
            #expect(Self.fits(text), "\(path):\n\(text)")
            #expect(text.contains("\nExample"), "\(path)")
            #expect(words.isEmpty || text.contains("\nUsage: \(path.joined(separator: " "))"), "\(path)")
            let other = try await shell.output(["help"] + words)
            #expect(other == text || HelpTopic(words) != nil && other.contains("--help'"), "\(path)")
            for child in words.isEmpty ? [] : CommandTree.subcommands(of: command) {
                #expect(text.contains("\n  \(CommandTree.name(of: child)) "), "\(path)")
            }
            guard CommandTree.subcommands(of: command).isEmpty else { continue }
            for option in try CommandSignature.of(command).options.map({ $0.spellings[0] }) {
                let either = "--[no-]" + option.dropFirst(option.hasPrefix("--no-") ? 5 : 2)
                #expect(text.contains(option) || text.contains(either), "\(path) \(option)")
                let isShared = SharedOptions.all.contains { $0.contains(option) }
                #expect(!isShared || shared.contains(option), "\(path) \(option)")
            }
        }
    }

    @Test("no example is taken for a sentence")
    func prose() {
        for (path, command) in CommandTree.all() {
            let lines = Discussion(command.configuration.discussion).paragraphs.flatMap { $0.split(separator: "\n") }
            #expect(!lines.contains { $0.hasPrefix("  ") }, "\(path): \(lines)")
        }
    }

    @Test("what is too long for its column stands in a line of its own, and what is the same is said once")
    func table() {
        let long = String(repeating: "l", count: 40)
        let text = String(repeating: "word ", count: 20)
        let lines = HelpPage.table([
            .init(label: "-a, --all", text: "Everything."), .init(label: long, text: "Short."),
            .init(label: long, text: text),
        ])
        #expect(lines.prefix(3) == ["  -a, --all  Everything.", "  \(long)  Short.", "  \(long)"])
        #expect(lines.count == 5 && lines.dropFirst(3).allSatisfy { $0.hasPrefix("             word") })
        #expect(lines.allSatisfy { $0.columns <= HelpPage.columns })
    }

    @Test("help is given wherever it is asked for: behind a type, in a group, for its usual command")
    func asked() async throws {
        let shell = try TestShell()
        let log = try await shell.output("log", "--help")
        _ = try await shell.json("type", "add", "coffee")
        let type = "'coffee' is a type: 'trendy cof' is short for 'trendy log'.\n\n"
        #expect(try await shell.output("cof", "--help") == type + log)
        #expect(try await shell.output("help", "cof") == type + log)
        #expect(try await shell.output("log", "coffee", "--note", "x", "-h") == log)
        #expect(log.contains("  -n, --note <note>  ") && log.contains("  --lat <lat>, --lon <lon>  "))
        #expect(log.contains("Usage: trendy log <type> [<assignments> ...] [options]"))
        #expect(try await shell.output("type") == shell.output("type", "--help"))
        #expect(try await shell.output("queue", "--help").contains("list (default)"))
        #expect(try await shell.output("edit", "--help").contains("  --[no-]all-day  "))
        #expect(try await shell.output("prop", "add", "-h").contains("<type> <key> --kind <kind> [options]"))
        #expect(try await shell.output("trend", "-h").contains("(default: sum)"))
        #expect(try await shell.output("serve", "-h").contains("  --no-rate-limit  "))
        #expect(try await shell.output("manual", "--help").contains("Usage: trendy manual"))
    }

    @Test("each command has an example, and the parser takes it")
    func examples() throws {
        for (path, command) in CommandTree.all() {
            let examples = Discussion(command.configuration.discussion).examples
            let name = path.joined(separator: " ")
            #expect(!examples.isEmpty, "\(name) has no example")
            for example in examples {
                let call = try Self.call(of: example)
                let words = try #require(call, "\(name): \(example)")
                let arguments = Array(words.dropFirst())
                if try HelpText.answer(arguments) != nil { continue }
                #expect(throws: Never.self, "\(name): \(example)") {
                    _ = try TrendyCommand.parseAsRoot(ShortForm.expanded(arguments))
                }
            }
        }
    }

    /// The words of the part of an example that calls `trendy`: not those of other programs, files and variables.
    private static func call(of example: String) throws -> [String]? {
        var parts = [example]
        for sign in [" | ", " || ", " && ", " < ", " > "] { parts = parts.flatMap { $0.components(separatedBy: sign) } }
        let calls = try parts.map { part in
            Array(try ShellWords.split(part).drop { $0.contains("=") && $0.first?.isUppercase == true })
        }
        return calls.first { $0.first == "trendy" }
    }

    @Test(
        "the overview names every command and topic, and fits a screen", arguments: [[], ["help"], ["--help"], ["-h"]])
    func overview(arguments: [String]) async throws {
        let answer = try await TestShell().run(arguments)
        #expect(answer.status == 0)
        #expect(Self.fits(answer.output))
        let words = Set(answer.output.split { $0.isWhitespace })
        for command in CommandTree.subcommands(of: TrendyCommand.self) {
            #expect(words.contains(CommandTree.name(of: command)[...]))
        }
        for topic in HelpTopic.allCases { #expect(words.contains(topic.rawValue[...])) }
        #expect(!words.contains("manual"))
    }

    @Test("each topic fits a screen", arguments: HelpTopic.allCases)
    func topic(topic: HelpTopic) async throws {
        let answer = try await TestShell().run("help", topic.rawValue)
        #expect(answer.status == 0 && answer.output.contains(topic.text))
        let lines = topic.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(Self.fits(answer.output), "\(answer.output)")
        #expect(lines.contains { $0.hasPrefix("  ") && $0.contains("trendy ") })
    }

    @Test("help tells of commands and topics, however they are written")
    func help() async throws {
        let shell = try TestShell()
        #expect(try await shell.run("help", "exit", "codes").output.contains("sysexits"))
        #expect(try await shell.run("help", "type", "add").output.contains("Usage: trendy type add"))
        let both = try await shell.run("help", "sync").output
        #expect(both.contains("'trendy sync --help'") && both.contains("trendy quarantine"))
        #expect(try await !shell.run("sync", "--help").output.contains("trendy quarantine"))
        for (words, meant) in [(["tmies"], "times"), (["type", "ad"], "type add"), (["exit-code"], "exit-codes")] {
            let answer = try await shell.run(["help"] + words)
            #expect(answer.status == 64 && answer.errors.contains("did you mean 'trendy help \(meant)'?"))
        }
    }

    @Test(
        "help of what is not a command says so, with what may have been meant",
        arguments: [
            (["lits", "--help"], "did you mean 'trendy list'?"),
            (["cofee", "-h"], "did you mean 'coffee'?"),
            (["help", "xylophone"], "no command or topic 'xylophone'"),
            (["xylophone", "-n", "x", "--help"], "no command or type 'xylophone'"),
            (["type", "lits", "--help"], "did you mean 'trendy type list'?"),
            (["--help", "xylophone"], "no command 'trendy xylophone'"),
        ])
    func unknown(_ words: [String], _ said: String) async throws {
        let shell = try TestShell()
        _ = try await shell.json("type", "add", "coffee")
        let answer = try await shell.run(words)
        #expect(answer.status == 64 && answer.output.isEmpty, "\(answer)")
        #expect(answer.errors.contains(said), "\(answer.errors)")
    }

    @Test("a question about what there is not makes no store")
    func noStore() async throws {
        let shell = try TestShell()
        #expect(try await shell.run("xylophone", "--help").status == 64)
        #expect(!FileManager.default.fileExists(atPath: shell.home.path + "/trendy.sqlite"))
    }

    @Test("the exit codes that are documented are those that there are")
    func exitCodes() throws {
        let codes = CommandStatus.allCases.map { Int($0.rawValue) }
        let shown = HelpTopic.exitCodes.text.split(separator: "\n").compactMap { line in
            line.hasPrefix("  ") ? line.split(separator: " ").first.flatMap { Int($0) } : nil
        }
        #expect(shown == codes)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let text = try String(contentsOf: root.appending(path: "Docs/Architecture.md"), encoding: .utf8)
        let table = text.split(separator: "\n").compactMap { line in
            line.hasPrefix("| ") ? Int(line.dropFirst(2).prefix { $0 != " " }) : nil
        }
        #expect(table == codes)
    }

    @Test("--version says which version it is, the one that the changelog is about")
    func version() async throws {
        let shell = try TestShell()
        #expect(try await shell.output("--version") == "trendy \(TrendyVersion.current)\n")
        #expect(try await shell.output("__complete", "fish", "--v").hasPrefix("--version"))
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let text = try String(contentsOf: root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let sections = text.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
        let parts = TrendyVersion.current.split(separator: "-")
        #expect(parts[0].split(separator: ".").compactMap { Int($0) }.count == 3)
        if sections.first == "Unreleased" {
            #expect(parts.dropFirst() == ["dev"])
            #expect(sections.dropFirst().first.map { !$0.hasPrefix(parts[0]) } ?? true)
        } else {
            #expect(sections.first?.hasPrefix(TrendyVersion.current) == true)
        }
    }

    @Test("no two options of a command are explained by the same sentence, in completions and in the manual")
    func sentences() throws {
        for (path, command) in CommandTree.leaves() {
            let signature = try CommandSignature.of(command)
            let sentences = signature.options.filter { !$0.spellings[0].hasPrefix("--no-") }.map(\.abstract)
            #expect(Set(sentences).count == sentences.count, "\(path)")
            #expect(!sentences.contains(nil), "\(path)")
        }
    }

    @Test("every setting is described in its topic, with what it takes to set it")
    func settings() {
        for setting in Setting.all {
            #expect(HelpTopic.settings.text.contains("  \(setting.key): "))
            #expect(HelpTopic.settings.text.contains(setting.variable))
        }
    }
}

@MainActor
@Suite("The manual")
struct ManualTests {
    private func made() throws -> [ManualPage] {
        try Manual.pages(date: .init(LocalZone.utc.civil(TestShell.noon)))
    }

    @Test("each command of the first level has a page, which names what is below it and its options")
    func pages() async throws {
        let shell = try TestShell()
        #expect(try await shell.run("manual", shell.home.path).status == 0)
        for command in CommandTree.subcommands(of: TrendyCommand.self) {
            let name = CommandTree.name(of: command)
            let text = try String(contentsOfFile: "\(shell.home.path)/trendy-\(name).1", encoding: .utf8)
            #expect(text.contains(".Dt TRENDY-\(name.uppercased()) 1") && text.contains(".Dd March 10, 2026"))
            for child in CommandTree.subcommands(of: command) {
                let escaped = CommandTree.name(of: child).replacing("-", with: "\\-")
                #expect(text.contains(".Ss trendy \(name) \(escaped)"))
            }
            #expect(text.contains("Fl \\-json") || !CommandTree.subcommands(of: command).isEmpty)
        }
        let overview = try String(contentsOfFile: "\(shell.home.path)/trendy.1", encoding: .utf8)
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO"] {
            #expect(overview.contains(".Sh \(section)\n"), "\(section)")
        }
        #expect(try await shell.run("manual", shell.home.path + "/nowhere").status == 73)
    }

    @Test("text never begins a line that the formatter takes for its own, and says what it said")
    func escaped() {
        var page = ManualPage(name: "x", about: "Does - 'it'.", date: "May 1, 2026")
        page.paragraph(".Sh no. 'br no!\nback\\slash --flag ~ ^ ` é")
        #expect(
            page.lines.suffix(3) == [
                "\\&.Sh no.", "\\(aqbr no!", "back\\eslash \\-\\-flag \\(ti \\(ha \\(ga \\[u00E9]",
            ])
        #expect(page.lines.contains(".Nd Does \\- \\(aqit\\(aq"))
    }

    @Test("mandoc and groff find nothing wrong", .enabled(if: Tools.has("mandoc") || Tools.has("groff")))
    func lint() async throws {
        let shell = try TestShell()
        for page in try made() {
            let path = try shell.home.write(page.text, to: page.fileName)
            if Tools.has("mandoc") {
                let found = try await Tools.run("mandoc", ["-Tlint", "-Wwarning", path])
                #expect(found.output == "", "\(page.name)")
            }
            if Tools.has("groff") {
                let found = try await Tools.run("groff", ["-ww", "-mdoc", "-Tutf8", "-z", path])
                #expect(found.errors == "", "\(page.name)")
            }
        }
    }
}
