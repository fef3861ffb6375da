import Foundation
import Testing
import TrendyDomain
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

/// A document whose `console` blocks show commands, each behind `$ `, and what they write.
struct ConsoleDocument {
    private static let fence = "```"
    private static let prompt = "$ "

    let lines: [String]

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The document with what the commands write now.
    @MainActor
    func renewed(_ run: (String) async throws -> [String]) async throws -> [String] {
        var renewed: [String] = []
        var isConsole = false
        for line in lines {
            if line.hasPrefix(Self.fence) {
                isConsole = line == Self.fence + "console"
                renewed.append(line)
            } else if isConsole, line.hasPrefix(Self.prompt) {
                renewed.append(line)
                renewed += try await run(String(line.dropFirst(Self.prompt.count)))
            } else if !isConsole {
                renewed.append(line)
            }
        }
        return renewed
    }

    /// Expects that a file has these lines; with `UPDATE_DOCUMENTS=1` in the environment it writes the file anew.
    static func expect(_ lines: [String], in file: URL) throws {
        if ProcessInfo.processInfo.environment["UPDATE_DOCUMENTS"] == "1" {
            return try Data(lines.joined(separator: "\n").utf8).write(to: file)
        }
        let difference = lines.difference(from: ConsoleDocument(try String(contentsOf: file, encoding: .utf8)).lines)
        #expect(difference.isEmpty, "UPDATE_DOCUMENTS=1 writes it anew: \(difference.prefix(6))")
    }
}

/// A person's terminal as a document shows it: at home in `~`, with a server at a name of its own.
@MainActor
struct ConsolePerson {
    static let serverName = "https://trendy.example.org"
    static let password = "correct horse battery"

    let shell: TestShell
    let server: String

    init(server: String) throws {
        shell = try TestShell(random: SeededRandomSource(seed: 5))
        self.server = server
    }

    /// What a command line writes: results, then errors.
    func run(_ line: String) async throws -> [String] {
        var rest = line
        var input = ""
        if line.hasPrefix("printf "), let pipe = line.range(of: " | ") {
            let text = try ShellWords.split(String(line[..<pipe.lowerBound])).dropFirst().joined()
            input = text.components(separatedBy: "\\n").joined(separator: "\n")
            rest = String(line[pipe.upperBound...])
        }
        let words = try ShellWords.split(rest.components(separatedBy: Self.serverName).joined(separator: server))
        guard words.first == "trendy" else { throw CommandFailure(.data, "'\(line)' is not a command of trendy") }
        let arguments = words.dropFirst().map { $0.hasPrefix("~/") ? shell.home.path + "/" + $0.dropFirst(2) : $0 }
        let answer = try await shell.run(arguments, input: input)
        shell.clock.advance(bySeconds: 60)
        let text = (answer.output + answer.errors)
            .components(separatedBy: shell.home.path + "/").joined(separator: "~/")
            .components(separatedBy: server).joined(separator: Self.serverName)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last == "" { lines.removeLast() }
        // The clock of the device stands still at a day of the page, and the server has the machine's.
        lines.removeAll { $0.contains("this device's clock is ") }
        return lines
    }
}
