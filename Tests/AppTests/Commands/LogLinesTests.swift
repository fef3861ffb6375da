import Foundation
import Synchronization
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTestSupport

@testable import TrendyApp
@testable import TrendyTerminal

/// Cancels the task that asks for the id of that number, as Ctrl-C does, and lets a second pass for each.
private final class StoppingIdentifiers: IdentifierGenerator {
    private let base = UUIDv7Generator(clock: ManualWallClock(), random: SystemRandomSource())
    private let stop: Int
    private let ticks: ManualClock
    private let count = Mutex(0)

    init(stopAt stop: Int, ticks: ManualClock) {
        self.stop = stop
        self.ticks = ticks
    }

    func makeId() -> String {
        ticks.advance(by: .seconds(1))
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number == stop { withUnsafeCurrentTask { $0?.cancel() } }
        return base.makeId()
    }
}

@MainActor
@Suite("Lines of standard input")
struct LogLinesTests {
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        _ = try await shell.json("type", "add", "run")
    }

    /// Logs three lines, and is stopped when the id of that number is made.
    private func log(stopAt stop: Int) async throws -> (status: Int32, errors: String) {
        let path = try shell.home.write("run\nrun --note 'a b'\nrun --future --at tomorrow\n", to: "lines")
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        let errors = Output(terminal: TerminalSize(columns: 80, rows: 24))
        let process = ProcessContext(
            environment: shell.environment.merging(["TERM": "xterm"]) { $1 },
            input: StandardInput(descriptor: file.fileDescriptor), output: Output(), errors: errors,
            wallClock: shell.clock, identifiers: StoppingIdentifiers(stopAt: stop, ticks: shell.ticks), zone: .utc,
            clock: shell.ticks)
        let status = await CommandLineRunner(process: process).run(["log", "-"])
        return (status, errors.written)
    }

    @Test("wherever Ctrl-C comes, all lines are logged or none, and it says which", arguments: 1...12)
    func stopped(at stop: Int) async throws {
        let answer = try await log(stopAt: stop)
        let count = try await shell.json("list").array.count
        if answer.status == CommandStatus.done.rawValue {
            #expect(count == 3)
        } else {
            #expect(answer.status == 130)
            let said = count == 0 ? "interrupted: nothing was logged" : "interrupted: 3 events were logged"
            #expect(count == 0 || count == 3)
            #expect(answer.errors.contains(said), "\(answer.errors)")
        }
        // The lines are read before any is stored.
        if stop < 3 { #expect(answer.status == 130 && count == 0) }
    }

    @Test("a line that asks for help is refused in a sentence", arguments: ["--help", "-h"])
    func help(option: String) async throws {
        let answer = try await shell.run("log", "-", input: "run\nrun \(option)\n")
        #expect(answer.status == 65)
        #expect(answer.errors == "trendy: line 2: --help cannot be used in a line; nothing was logged\n")
        #expect(try await shell.json("list").array.isEmpty)
    }

    @Test("a terminal sees how many lines are read, and nothing of that stays")
    func progress() async throws {
        let answer = try await log(stopAt: 0)
        #expect(answer.status == 0)
        #expect(answer.errors.contains("reading  2 lines"), "\(answer.errors)")
        #expect(answer.errors.hasSuffix("\r\u{1B}[K"), "\(answer.errors)")
    }
}
