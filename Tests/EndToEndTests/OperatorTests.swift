import Foundation
import Testing
import TrendyDomain

@Suite("Operators beside a running server", .fewAtOnce, .timeLimit(.minutes(10)))
struct OperatorTests {
    private struct Copied: Decodable {
        var accounts: Int
        var records: Int
    }

    @Test("back it up while it is written to, and bring it back; devices lose nothing that they had")
    func backupAndRestore() async throws {
        let folder = try Folder()
        let data = folder.url.appending(path: "data").path
        let server = try await ServerProcess.start(data: folder)
        let (laptop, phone) = (try Device(), try Device())
        try await laptop.signUp(at: server.address)
        try await phone.logIn(at: server.address)
        try await laptop.log("coffee", "--create-type", "--note", "before")
        try await laptop.sync()
        try await phone.sync()
        let backup = folder.url.appending(path: "backup.sqlite").path
        async let writing: Void = {
            for number in 0..<10 {
                try await laptop.log("coffee", "--note", "after \(number)")
                try await laptop.sync()
            }
        }()
        let copied = try await laptop.json(Copied.self, "server", "backup", backup, "--data", data)
        try await writing
        #expect(copied.accounts == 1 && copied.records >= 2)
        let running = try await laptop.run("server", "restore", backup, "--data", data, "--force")
        expectFailure(running, 75, mentions: "server.sqlite")
        #expect(await server.stop(SIGKILL) == nil)
        try await phone.log("coffee", "--note", "unsent")
        try await laptop.done("server", "restore", backup, "--data", data, "--force")
        let again = try await ServerProcess.start(data: folder, port: server.port)
        for device in [phone, laptop] {
            _ = try await device.run("sync")
            _ = try await device.run("queue", "retry", "--all")
        }
        for device in [phone, laptop, phone] { _ = try await device.run("sync") }
        let notes = try await laptop.events().compactMap(\.entity.notes).sorted()
        #expect(notes == (0..<10).map { "after \($0)" } + ["before", "unsent"])
        #expect(try await phone.events().compactMap(\.entity.notes).sorted() == notes)
        #expect(try await laptop.done("server", "check", "--data", data).output.contains("no problems found"))
        #expect(await again.stop(SIGTERM) == 0)
    }

    @Test("delete an account beside it: its devices are signed out, and others go on")
    func deletion() async throws {
        let folder = try Folder()
        let data = folder.url.appending(path: "data").path
        let server = try await ServerProcess.start(data: folder)
        let (ann, bob) = (try Device(), try Device())
        try await ann.signUp(at: server.address)
        try await bob.signUp(at: server.address, Account(email: "bob@example.org"))
        for device in [ann, bob] {
            try await device.log("coffee", "--create-type")
            try await device.sync()
        }
        try await bob.done("server", "user", "delete", "person@example.org", "--yes", "--data", data)
        expectFailure(try await ann.run("sync"), 77)
        #expect(try await ann.events().count == 1)
        try await bob.log("coffee")
        #expect(try await bob.sync().pushed == 1)
        #expect(try await bob.done("server", "check", "--data", data).output.contains("no problems found"))
        #expect(await server.stop(SIGTERM) == 0)
    }
}
