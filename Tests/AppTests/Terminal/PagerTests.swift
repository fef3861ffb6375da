import Foundation
import Testing
import TrendyDomain

@testable import TrendyApp
@testable import TrendyTerminal

@MainActor
@Suite("Long lists on a terminal")
struct PagerTests {
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        let tea = try await shell.makeType("tea")
        for number in 1...8 { try await shell.log(number, tea, at: "\(number):00") }
        shell.environment["NO_COLOR"] = "1"
        shell.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
        // As in the program: a pager that goes away is an error of the next write.
        _ = signal(SIGPIPE, SIG_IGN)
    }

    private var shown: String { shell.home.path + "/shown" }

    private func paged() throws -> String? {
        FileManager.default.fileExists(atPath: shown) ? try String(contentsOfFile: shown, encoding: .utf8) : nil
    }

    @Test("what does not fit goes through the pager as a whole, and what fits does not")
    func fits() async throws {
        shell.environment["PAGER"] = "cat > '\(shown)'"
        shell.terminal = TerminalSize(columns: 80, rows: 10)
        #expect(try await shell.output("list").split(separator: "\n").count == 9)
        #expect(try paged() == nil)
        shell.terminal = TerminalSize(columns: 80, rows: 9)
        #expect(try await shell.output("list").isEmpty)
        let text = try #require(try paged())
        #expect(text.hasPrefix("Today, ") && text.split(separator: "\n").count == 9)
    }

    @Test("there is no pager in a pipe, without one, with an empty PAGER and with --no-pager")
    func noPager() async throws {
        shell.environment["PAGER"] = "cat > '\(shown)'"
        #expect(try await shell.output("list").split(separator: "\n").count == 9)
        shell.terminal = TerminalSize(columns: 80, rows: 4)
        #expect(try await shell.output("list", "--no-pager").split(separator: "\n").count == 9)
        for pager in ["", "/no/such/pager -x", "no-such-pager-anywhere"] {
            shell.environment["PAGER"] = pager
            #expect(try await shell.output("list").split(separator: "\n").count == 9)
        }
        shell.environment["PAGER"] = nil
        shell.environment["PATH"] = "/nowhere"
        #expect(try await shell.output("list").split(separator: "\n").count == 9)
        #expect(try paged() == nil)
    }

    @Test("less is told to show colours where the environment does not, whatever starts it")
    func less() throws {
        func told(_ pager: String, _ options: String?) -> String? {
            var environment = ["PATH": "/nowhere", "PAGER": pager]
            environment["LESS"] = options
            return Pager.command(environment)
        }
        #expect(told("exec less", nil) == nil)
        #expect(told("(less)", nil) == "LESS=FRX; export LESS; (less)")
        #expect(told("(less)", "-i") == "(less)")
        let folder = shell.home.path + "/bin"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let program = folder + "/less"
        #expect(
            FileManager.default.createFile(atPath: program, contents: nil, attributes: [.posixPermissions: 0o755]))
        #expect(told("\(program) -i", nil) == "LESS=FRX; export LESS; \(program) -i")
        #expect(told("\(program) -i", "-M") == "\(program) -R -i")
        #expect(Pager.command(["PATH": folder]) == "less -FRX")
        #expect(Pager.command(["PATH": folder, "PAGER": "less", "LESS": ""]) == "less -R")
    }

    @Test("a pager that is left early ends the command quietly")
    func left() async throws {
        shell.environment["PAGER"] = "true && exit"
        shell.terminal = TerminalSize(columns: 80, rows: 4)
        let answer = try await shell.run("list")
        #expect(answer.status == 0 && answer.errors.isEmpty)
    }

    @Test("lines that are longer than the terminal is wide count as several rows")
    func wrapped() async throws {
        shell.environment["PAGER"] = "cat > '\(shown)'"
        shell.terminal = TerminalSize(columns: 20, rows: 10)
        _ = try await shell.output("list", "--format", "{{clock}}")
        #expect(try paged() == nil)
        _ = try await shell.output("list", "--format", "{{id}}")
        #expect(try #require(try paged()).split(separator: "\n").count == 8)
    }
}
