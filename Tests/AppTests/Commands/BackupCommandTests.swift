import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Backup and restore")
struct BackupCommandTests {
    private let shell: TestShell
    private var file: String { shell.home.path + "/copy.sqlite" }

    init() throws {
        shell = try TestShell()
    }

    private func notes() async throws -> [JSONValue] {
        try await shell.json("list").array.compactMap { $0["notes"] }
    }

    @Test("what was backed up comes back, and what was there is kept and can come back in turn")
    func there() async throws {
        _ = try await shell.json("log", "run", "--create-type", "--note", "one")
        let made = try await shell.json("backup", file)
        #expect(made["counts"]?["event"] == 1 && made["pending"] == 2)
        _ = try await shell.json("log", "run", "--note", "two")
        let restored = try await shell.json("restore", file, "--yes")
        #expect(try await notes() == ["one"])
        let previous = try #require(restored["previous"]?.stringValue)
        _ = try await shell.json("restore", previous, "--yes")
        #expect(try await notes().count == 2)
    }

    @Test("after a restore over a damaged store a person hears that running processes have to be started anew")
    func damaged() async throws {
        _ = try await shell.json("log", "run", "--create-type", "--note", "one")
        _ = try await shell.json("backup", file)
        #expect(try await !shell.run("restore", file, "--yes").errors.contains("anew"))
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: shell.home.path + "/trendy.sqlite" + suffix)
        }
        _ = try shell.home.write(String(repeating: "this is not a database at all ", count: 200), to: "trendy.sqlite")
        let answer = try await shell.run("restore", file, "--yes")
        #expect(answer.status == 0 && answer.output.contains("still damaged"), "\(answer)")
        #expect(answer.errors.contains("'trendy sync --watch'") && answer.errors.contains("restart them"))
        #expect(try await notes() == ["one"])
    }

    @Test("a damaged store names its newest backup that is still there, and how to go back")
    func wayBack() async throws {
        _ = try await shell.json("log", "run", "--create-type", "--note", "one")
        let older = shell.home.path + "/older copy.sqlite"
        _ = try await shell.json("backup", older)
        shell.clock.advance(bySeconds: 60)
        _ = try await shell.json("backup", file)
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: shell.home.path + "/trendy.sqlite" + suffix)
        }
        _ = try shell.home.write(String(repeating: "this is not a database at all ", count: 200), to: "trendy.sqlite")
        for command in [["list"], ["log", "run"], ["sync"], ["doctor"]] {
            let answer = try await shell.run(command)
            let said = answer.output + answer.errors
            #expect(answer.status == 65 && said.contains("go back to the backup of 2026-03-10 12:01 with"), "\(said)")
            #expect(said.contains("'trendy restore \(file)' (older ones: \(older))"), "\(said)")
        }
        try Data("damaged, too".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try await shell.run("list").errors.contains("'trendy restore '\(older)''"))
        try FileManager.default.removeItem(atPath: older)
        let answer = try await shell.run("list")
        #expect(answer.errors.contains("none is known here") && answer.errors.contains("'mv "), "\(answer.errors)")
    }

    @Test("a store without a byte is damaged where a backup shows that it had records, and new where none does")
    func emptied() async throws {
        _ = try await shell.json("log", "run", "--create-type", "--note", "one")
        func empty() throws {
            for suffix in ["-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: shell.home.path + "/trendy.sqlite" + suffix)
            }
            _ = try shell.home.write("", to: "trendy.sqlite")
        }
        _ = try await shell.json("backup", file)
        try empty()
        for command in [["list"], ["log", "run"], ["sync"], ["doctor"]] {
            let answer = try await shell.run(command)
            let said = answer.output + answer.errors
            #expect(answer.status == 65 && said.contains("has no content any more"), "\(said)")
            #expect(said.contains("'trendy restore \(file)'"), "\(said)")
        }
        #expect(try await shell.run("restore", file, "--yes").status == 0)
        #expect(try await notes() == ["one"])
        try FileManager.default.removeItem(atPath: file)
        try empty()
        #expect(try await notes() == [])
    }

    @Test(
        "a store of which a part of the log alone is left is damaged, and who moves it away takes the log along",
        arguments: [true, false])
    func leftLog(hasFile: Bool) async throws {
        let store = shell.home.path + "/trendy.sqlite"
        if hasFile { _ = try shell.home.write("", to: "trendy.sqlite") }
        let log = try shell.home.write("this is no log of SQLite, whatever its name says", to: "trendy.sqlite-wal")
        let bytes = try Data(contentsOf: URL(filePath: log))
        for command in [["list"], ["log", "run"], ["sync"]] {
            let answer = try await shell.run(command)
            #expect(answer.status == 65 && answer.errors.contains("has only a part of the store"), "\(answer)")
            let move = hasFile ? "'mv \(store) \(store).damaged && mv" : "'mv"
            #expect(answer.errors.contains("\(move) \(log) \(store).damaged-wal'"), "\(answer)")
        }
        #expect(try Data(contentsOf: URL(filePath: log)) == bytes)
        for suffix in hasFile ? ["", "-wal"] : ["-wal"] {
            try FileManager.default.moveItem(atPath: store + suffix, toPath: store + ".damaged" + suffix)
        }
        #expect(try await notes() == [])
    }

    @Test("neither replaces anything without being told to")
    func asking() async throws {
        _ = try await shell.json("log", "run", "--create-type", "--note", "one")
        _ = try await shell.json("backup", file)
        _ = try await shell.json("log", "run", "--note", "two")
        let again = try await shell.run("backup", file)
        #expect(again.status == 64 && again.errors.contains("--yes"))
        let back = try await shell.run("restore", file)
        #expect(
            back.status == 64 && back.errors.contains("2 events of this device (3 changes not sent yet)"),
            "\(back.errors)")
        #expect(try await notes().count == 2)
        #expect(try await shell.json("backup", file, "--yes")["counts"]?["event"] == 2)
        let own = shell.home.path + "/trendy.sqlite"
        #expect(try await shell.run("backup", own, "--yes").status == 64)
        #expect(try await shell.run("restore", own, "--yes").status == 64)
        #expect(try await shell.run("backup", shell.home.path).status == 73)
    }

    @Test("a link stays one, and the file that it leads to is written", arguments: [true, false])
    func link(isThere: Bool) async throws {
        _ = try await shell.json("log", "run", "--create-type")
        if isThere { _ = try shell.home.write("old", to: "copy.sqlite") }
        let link = shell.home.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "copy.sqlite")
        let answer = try await shell.run("backup", link, "--yes")
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "copy.sqlite")
        #expect(try await shell.run("restore", file, "--yes").status == 0)
    }

    @Test("what leads to standard output is refused, whatever that is")
    func standardOutput() async throws {
        _ = try await shell.json("log", "run", "--create-type")
        let target = try shell.home.write("before", to: "output")
        let link = shell.home.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let handle = try FileHandle(forUpdating: URL(filePath: target))
        defer { try? handle.close() }
        let errors = Output()
        let process = ProcessContext(
            environment: shell.environment, input: StandardInput(descriptor: -1),
            output: Output(descriptor: handle.fileDescriptor, name: "standard output"), errors: errors,
            wallClock: shell.clock, identifiers: UUIDv7Generator(clock: shell.clock), zone: .utc)
        for path in [link, target] {
            let status = await CommandLineRunner(process: process).run(["backup", path, "--yes"])
            #expect(status == 64 && errors.written.contains("cannot be written to \(path), standard output"))
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "before")
    }

    @Test("what cannot be restored is said of the file, with what to do")
    func unusable() async throws {
        _ = try await shell.json("log", "run", "--create-type", "--note", "one")
        let text = try shell.home.write("hello", to: "notes.txt")
        let answer = try await shell.run("restore", text, "--yes")
        #expect(answer.status == 65 && answer.errors.contains("'trendy backup'"), "\(answer.errors)")
        #expect(try await shell.run("restore", "/nowhere.sqlite", "--yes").status == 65)
        #expect(try await notes() == ["one"])
    }

    @Test("while a sync of a living process runs nothing is restored; a dead one does not matter")
    func lease() async throws {
        _ = try await shell.json("log", "run", "--create-type", "--note", "one")
        _ = try await shell.json("backup", file)
        let end = shell.clock.now().advanced(bySeconds: 60)
        let holders = [(LeaseOwner.process.name, Int32(75)), ("999999999@\(Self.host)", 0)]
        for (holder, status) in holders {
            try shell.change {
                try $0.setMetadata(
                    MetadataKey.lease, #"{"owner":"\#(holder)","token":"t","expiresAt":"\#(end)"}"#)
            }
            let answer = try await shell.run("restore", file, "--yes")
            #expect(answer.status == status, "\(answer.errors)")
        }
    }

    /// The machine's name, as leases write it.
    private static var host: String {
        LeaseOwner.process.name.split(separator: "@").last.map(String.init) ?? ""
    }

    @Test("the sync after a restore loses nothing that was synced, and sends nothing twice")
    func sync() async throws {
        try await withServer { server in
            try await Self.playThrough(server.description)
        }
    }

    private static func playThrough(_ server: String) async throws {
        let (a, b) = (try TestShell(), try TestShell())
        let account = ["--server", server, "--email", "ann@example.org", "--password-stdin"]
        #expect(try await a.run(["signup"] + account, input: "correct horse battery\n").status == 0)
        #expect(try await b.run(["login"] + account, input: "correct horse battery\n").status == 0)
        _ = try await a.json("log", "run", "--create-type", "--note", "synced")
        _ = try await a.json("sync")
        // The backup has a new event and an edit that were not sent; they are afterwards.
        let synced = try #require(try await a.json("list").array.first?["id"]?.stringValue)
        _ = try await a.json("log", "run", "--note", "waiting")
        _ = try await a.json("edit", synced, "--note", "edited here")
        let file = a.home.path + "/copy.sqlite"
        _ = try await a.json("backup", file)
        _ = try await a.json("sync")
        // What happens later, here and elsewhere.
        _ = try await a.json("log", "run", "--note", "later")
        _ = try await a.json("sync")
        _ = try await b.json("sync")
        _ = try await b.json("edit", synced, "--note", "edited there")
        let waiting = try #require(
            try await b.json("list").array.first { $0["notes"] == "waiting" }?["id"]?.stringValue)
        _ = try await b.json("rm", waiting, "--yes")
        _ = try await b.json("sync")

        #expect(try await a.json("restore", file, "--yes")["counts"]?["event"] == 2)
        for shell in [a, a, b] {
            let report = try await shell.json("sync")
            #expect(report["pending"] == 0 && report["parked"] == 0, "\(report)")
        }
        for shell in [a, b] {
            let notes = try await shell.json("list").array.compactMap { $0["notes"]?.stringValue }
            #expect(notes.sorted() == ["edited there", "later"])
        }
    }
}
