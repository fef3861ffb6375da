import Foundation
import Testing
import TrendyDomain
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("The files that Trendy keeps for itself")
struct ReservedFilesTests {
    nonisolated static let writers = [
        ["export", "csv", "--output"], ["export", "json", "--output"], ["export", "jsonl", "--output"],
        ["export", "ics", "--output"], ["report", "--output"], ["backup", "--yes"],
    ]
    private static let names = [
        "trendy.sqlite", "trendy.sqlite-wal", "trendy.sqlite-shm", "trendy.sqlite-journal", "config.json",
        "credentials.json", "credentials.json.lock", "autosync.lock", "server/server.sqlite",
    ]
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        _ = try await shell.json("log", "run", "--create-type")
        try FileManager.default.createDirectory(atPath: shell.home.path + "/server", withIntermediateDirectories: true)
    }

    private func expectRefused(_ command: [String], _ path: String) async throws {
        let answer = try await shell.run(command + [path])
        #expect(answer.status == 64 && answer.errors.contains("; name another file"), "\(command) \(answer)")
        #expect(try await shell.json("list").array.count == 1)
    }

    @Test("are written over by no command, whether they are there or not", arguments: writers)
    func refused(command: [String]) async throws {
        for name in Self.names { try await expectRefused(command, shell.home.path + "/" + name) }
        let free = shell.home.path + "/trendy.sqlite.copy"
        #expect(try await shell.run(command + [free]).status == 0)
    }

    @Test("are known by any other name", arguments: writers)
    func otherNames(command: [String]) async throws {
        let home = shell.home.path
        let folder = home + "/folder"
        try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: home)
        let links = ["store": "trendy.sqlite", "log": "trendy.sqlite-journal", "settings": "./config.json"]
        for (link, target) in links {
            try FileManager.default.createSymbolicLink(atPath: home + "/" + link, withDestinationPath: target)
            try await expectRefused(command, home + "/" + link)
        }
        try FileManager.default.linkItem(atPath: home + "/trendy.sqlite", toPath: home + "/hard")
        for name in ["hard", "./trendy.sqlite", "server/../trendy.sqlite-journal"] {
            try await expectRefused(command, home + "/" + name)
        }
        for name in ["trendy.sqlite", "credentials.json"] { try await expectRefused(command, folder + "/" + name) }
    }

    @Test("are named for what they are")
    func named() async throws {
        for (name, text) in [
            ("trendy.sqlite", "is the store itself"), ("trendy.sqlite-wal", "is the log of the store"),
            ("config.json", "is the configuration file"), ("credentials.json", "is the file of the sign-in"),
        ] {
            let answer = try await shell.run("backup", shell.home.path + "/" + name, "--yes")
            #expect(answer.errors.contains(text), "\(answer.errors)")
        }
    }
}
