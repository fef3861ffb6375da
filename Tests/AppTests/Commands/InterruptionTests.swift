import Foundation
import Testing
import TrendyDomain
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Commands that are interrupted")
struct InterruptionTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    /// Runs a command that is told to stop before it has done anything.
    private func runStopped(_ arguments: String..., input: String = "") async throws -> TestShell.Answer {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await shell.run(arguments, input: input)
        }
        return try await task.value
    }

    @Test("an export leaves the file of before, nothing beside it, and says how far it came")
    func export() async throws {
        _ = try await shell.run("log", "run", "--create-type")
        let file = try shell.home.write("the export of before", to: "out")
        for format in ["json", "jsonl", "csv", "ics"] {
            let answer = try await runStopped("export", format, "--output", file)
            #expect(answer.status == 130 && answer.output.isEmpty)
            #expect(
                answer.errors
                    == "trendy: interrupted: 0 of 1 events were read, and \(file) is unchanged; run the same command again\n"
            )
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "the export of before")
            let piped = try await runStopped("export", format)
            #expect(piped.status == 130 && piped.errors.contains("0 of 1 events were written"))
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: shell.home.path)
        #expect(files.allSatisfy { !$0.hasSuffix(".part") })
    }

    @Test("an import that has stored nothing yet says so")
    func importing() async throws {
        let file = try shell.home.write("when\n2026-03-09T08:00:00Z\n", to: "rows.csv")
        let answer = try await runStopped("import", "csv", file, "--time", "when", "--type", "=run")
        #expect(answer.status == 130)
        #expect(answer.errors == "trendy: interrupted: nothing was imported; run the same command again\n")
        #expect(try await shell.json("status")["counts"]?["event"] == 0)
    }

    @Test(
        "an import that is cut off counts bad rows apart from those that are in",
        arguments: [
            (3990, 10, 0, 9000, "3,990 of 9,000 rows are imported, without 10 bad ones;"),
            (4000, 0, 4, nil, "4,000 rows are imported, 4 of their events existed already;"),
            (0, 5, 0, 9, "nothing was imported;"),
        ] as [(Int, Int, Int, Int?, String)])
    func badRows(rows: Int, bad: Int, unchanged: Int, total: Int?, text: String) {
        let told = ImportPipeline.interruption(handed: (rows, bad), unchanged: unchanged, total: total)
        #expect(told.status == .interrupted && told.message.contains(text), "\(told.message)")
    }

    @Test("lines of standard input are logged together or not at all, and it says so")
    func lines() async throws {
        _ = try await shell.run("type", "add", "run")
        let answer = try await runStopped("log", "-", input: "run\nrun\n")
        #expect(answer.status == 130 && answer.output.isEmpty)
        #expect(answer.errors == "trendy: interrupted: nothing was logged; run the same command again\n")
        #expect(try await shell.json("list").array.isEmpty)
        #expect(LogLines.nothingLogged(isTyped: true).message.contains("Ctrl-D"))
    }

    @Test("lines that are in the store when it ends stay, and it says how many")
    func storedLines() {
        #expect(LogLines.allLogged(1).status == .interrupted)
        #expect(LogLines.allLogged(1).message.hasPrefix("interrupted: 1 event was logged"))
        #expect(LogLines.allLogged(1200).message.hasPrefix("interrupted: 1,200 events were logged"))
    }

    @Test("who waits for a line hears of one that comes, and of the end")
    func waiting() throws {
        let pipe = Pipe()
        let input = StandardInput(descriptor: pipe.fileHandleForReading.fileDescriptor)
        #expect(!input.isReady(within: 0))
        try pipe.fileHandleForWriting.write(contentsOf: Data("run\n".utf8))
        #expect(input.isReady(within: 0))
        #expect(try input.readLine() == "run")
        #expect(!input.isReady(within: 0))
        try pipe.fileHandleForWriting.close()
        #expect(input.isReady(within: 0))
        #expect(try input.readLine() == nil)
    }

    @Test("an undo and a redo change nothing, and say so")
    func undo() async throws {
        _ = try await shell.run("log", "run", "--create-type")
        let undo = try await runStopped("undo")
        #expect(undo.status == 130 && undo.output.isEmpty)
        #expect(undo.errors == "trendy: interrupted: nothing was changed; run the same command again\n")
        #expect(try await shell.json("status")["counts"]?["event"] == 1)
        #expect(try await shell.run("undo").status == 0)
        #expect(try await runStopped("redo").status == 130)
        #expect(try await shell.json("status")["counts"]?["event"] == 0)
        #expect(try await shell.run("redo").status == 0)
        #expect(try await shell.json("status")["counts"]?["event"] == 1)
    }

    @Test("a sync says what is sent and what still waits, with --json too")
    func sync() async throws {
        _ = try await shell.run("log", "run", "--create-type")
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        let answer = try await runStopped("sync", "--json")
        #expect(answer.status == 130)
        #expect(answer.errors.contains("nothing is lost"))
        #expect(try answer.json()["pending"] == 2)
    }
}
