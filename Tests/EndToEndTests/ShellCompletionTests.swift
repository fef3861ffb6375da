import Foundation
import Testing

/// The scripts in the shells that they are made for. What the program answers is tested in AppTests.
@Suite("Completions in real shells", .fewAtOnce, .timeLimit(.minutes(10)))
struct ShellCompletionTests {
    /// A name that would make a file where a shell expands it.
    private static let trap = "☕ $(touch boom) 'q' `touch boom`"

    private func device() async throws -> Device {
        let device = try Device()
        for name in ["Morning run", "Tea", Self.trap] { try await device.done("type", "add", name) }
        try await device.done("prop", "add", "Tea", "size", "--kind", "select", "--options", "small,very large")
        return device
    }

    /// Writes a shell's script and gives its path.
    private func script(_ shell: String, _ device: Device) async throws -> String {
        try device.folder.write(try await device.done("completion", shell).output, to: "trendy-\(shell)")
    }

    private func expectNothingRan(on device: Device) {
        for folder in [device.folder.url.path, FileManager.default.currentDirectoryPath] {
            #expect(!FileManager.default.fileExists(atPath: folder + "/boom"))
        }
    }

    @Test("bash", .enabled(if: OtherProgram("bash") != nil))
    func bash() async throws {
        let device = try await device()
        let path = try await script("bash", device)
        for (line, expected) in [
            ("trendy log Mor", ["Morning\\ run"]), ("trendy log \"Mor", ["Morning run"]), ("trendy conf", nil),
            ("trendy tea size=v", ["very\\ large"]), ("trendy help ti", ["times"]),
            ("trendy log ☕", ["☕\\ \\$\\(touch\\ boom\\)\\ \\'q\\'\\ \\`touch\\ boom\\`"]), ("trendy log Nosuch", []),
        ] {
            let commands = """
                source '\(path)'
                COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
                COMP_LINE=$1 COMP_POINT=${#1}
                _trendy trendy
                (( ${#COMPREPLY[@]} )) && printf '%s\\n' "${COMPREPLY[@]}"
                complete -p trendy
                """
            let bash = try #require(OtherProgram("bash"))
            let outcome = try await bash.run(["--norc", "-c", commands, "bash", line], on: device)
            let lines = outcome.output.split(separator: "\n").map(String.init)
            #expect(outcome.status == 0 && outcome.errors.isEmpty && lines.last == "complete -F _trendy trendy")
            if let expected { #expect(lines.dropLast() == expected[...], "\(outcome)") }
            if expected == nil { #expect(lines.count > 2, "\(outcome)") }
        }
        expectNothingRan(on: device)
    }

    @Test("zsh", .enabled(if: OtherProgram("zsh") != nil))
    func zsh() async throws {
        let device = try await device()
        let path = try await script("zsh", device)
        for (words, expected) in [
            (["log", "Mor"], ["Morning run"]), (["tea", "si"], ["size="]), (["tea", "size=v"], ["size=very large"]),
            (["log", "☕"], [Self.trap]), (["log", "Nosuch"], []),
        ] {
            // The widgets of completion exist only in an interactive shell.
            let commands = """
                compdef() { :; }
                compadd() { print -rl -- "${(@P)argv[-1]}"; }
                source '\(path)'
                words=(trendy "$@") CURRENT=$(( $# + 1 )) PREFIX="${(q)@[-1]}"
                _trendy
                true
                """
            let zsh = try #require(OtherProgram("zsh"))
            let outcome = try await zsh.run(["-f", "-c", commands, "zsh"] + words, on: device)
            let lines = outcome.output.split(separator: "\n").map(String.init)
            #expect(outcome.status == 0 && outcome.errors.isEmpty && lines == expected, "\(outcome)")
        }
        expectNothingRan(on: device)
    }

    @Test("fish", .enabled(if: OtherProgram("fish") != nil))
    func fish() async throws {
        let device = try await device()
        let path = try await script("fish", device)
        for (line, expected) in [
            ("trendy log Mor", ["Morning run"]), ("trendy log \"Mor", ["Morning run"]), ("trendy tea si", ["size="]),
            ("trendy log ☕", [Self.trap]), ("trendy log Nosuch", []),
        ] {
            let commands = "source '\(path)'; complete --do-complete $argv[1]"
            let fish = try #require(OtherProgram("fish"))
            let outcome = try await fish.run(["--no-config", "-c", commands, line], on: device)
            // fish offers to go on within an open quote, and then the words as they are typed.
            let lines = outcome.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
            #expect(outcome.errors.isEmpty && lines == expected, "\(outcome)")
        }
        expectNothingRan(on: device)
    }
}
