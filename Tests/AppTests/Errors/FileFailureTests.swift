import Foundation
import Testing
import TrendyDomain
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Files that cannot be read or written")
struct FileFailureTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    private static let readers = [
        ["import", "csv"], ["import", "json"], ["import", "jsonl"], ["import", "ics"], ["import", "loop"],
        ["import", "daylio"], ["import", "timewarrior"], ["import", "jrnl"], ["restore", "--yes"],
    ]
    private static let writers = [
        ["export", "csv", "--output"], ["export", "json", "--output"], ["export", "ics", "--output"], ["backup"],
        ["report", "--output"],
    ]

    private func expectWords(_ answer: TestShell.Answer, _ status: Int32, _ expected: String) {
        #expect(answer.status == status && answer.errors.contains(expected), "\(answer)")
        for dump in ["Error Domain", "errno", "descriptor", "No such file", ".part", "store cannot"] {
            #expect(!answer.errors.contains(dump), "\(answer.errors)")
        }
    }

    @Test("a file to read that is not there, or is a folder, is named with what to do")
    func reading() async throws {
        let text = try shell.home.write("x", to: "text")
        for command in Self.readers {
            let none = shell.home.path + "/none.csv"
            expectWords(try await shell.run(command + [none]), 65, "there is no file \(none); check the name")
            let far = shell.home.path + "/a/b/none.csv"
            expectWords(try await shell.run(command + [far]), 65, "because there is no folder \(shell.home.path)/a")
            expectWords(try await shell.run(command + [text + "/x"]), 65, "\(text) is not a folder")
            guard command != ["import", "loop"] else { continue }
            expectWords(try await shell.run(command + [shell.home.path]), 65, "is a folder; name a file in it")
        }
    }

    @Test("a file to write in a folder that is not there is named with what to do")
    func writing() async throws {
        _ = try await shell.json("log", "run", "--create-type")
        let text = try shell.home.write("x", to: "text")
        for command in Self.writers {
            let far = shell.home.path + "/a/b/new.csv"
            expectWords(
                try await shell.run(command + [far]), 73,
                "cannot write \(far): there is no folder \(shell.home.path)/a; create it with 'mkdir -p \(shell.home.path)/a/b'"
            )
            expectWords(try await shell.run(command + [shell.home.path]), 73, "it is a folder; name a file in it")
            expectWords(try await shell.run(command + [text + "/x"]), 73, "\(text) is not a folder")
        }
        expectWords(try await shell.run("export", "csv", "--output", ""), 64, "the name of the file is empty")
        expectWords(try await shell.run("backup", ""), 64, "the name of the file is empty")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: shell.home.path).allSatisfy { !$0.contains("part") })
    }

    @Test(
        "what the system says is put into words",
        arguments: [
            (EACCES, "not allowed"), (EPERM, "not allowed"), (ENOSPC, "disk is full"), (EROFS, "read-only"),
            (EIO, "the disk failed"), (ELOOP, "symbolic links"), (ENAMETOOLONG, "too long"), (EISDIR, "is a folder"),
        ])
    nonisolated func words(code: Int32, expected: String) {
        let failures = [FileFailure.reading("some/file", code), FileFailure.writing("some/file", code)]
        for failure in failures {
            #expect(failure.message.contains("some/file") && failure.message.contains(expected), "\(failure)")
        }
        #expect(failures[1].status == .cannotCreate)
    }

    @Test("a pipe that has a name is read as a file is")
    func pipe() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("date,what\n2026-03-01,run\n".utf8))
        try pipe.fileHandleForWriting.close()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        // It is open as long as the pipe lives, and would be another test's after that.
        defer { try? pipe.fileHandleForReading.close() }
        let answer = try await shell.run("import", "csv", path, "--json", "--yes")
        #expect(try answer.json()["imported"] == 1, "\(answer.errors)")
    }
}
