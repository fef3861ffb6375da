import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("The commands of a person about the own account")
struct OwnAccountCommandTests {
    private nonisolated static let password = "correct horse"

    private func signedUp(_ server: ServerAddress) async throws -> TestShell {
        let shell = try TestShell()
        let answer = try await shell.run(
            ["signup", "--server", "\(server)", "--email", "ann@example.org", "--password-stdin"],
            input: Self.password + "\n")
        #expect(answer.status == 0, "\(answer.errors)")
        return shell
    }

    private func logIn(_ shell: TestShell, _ server: ServerAddress, _ password: String) async throws -> Int32 {
        try await shell.run(
            ["login", "--server", "\(server)", "--email", "ann@example.org", "--password-stdin"],
            input: password + "\n"
        ).status
    }

    @Test("the password is changed with the present one, and other devices are signed out")
    func password() async throws {
        try await withServer { server in
            let (laptop, phone) = (try await signedUp(server), try await TestShell())
            #expect(try await logIn(phone, server, Self.password) == 0)
            let command = ["account", "password", "--password-stdin"]
            let wrong = try await laptop.run(command, input: "wrong horse\ncorrect staple\n")
            #expect(wrong.status == 77 && wrong.errors.contains("the password is wrong"), "\(wrong.errors)")
            let weak = try await laptop.run(command, input: "\(Self.password)\npassword\n")
            #expect(weak.status == 65 && weak.errors.contains("tried first"), "\(weak.errors)")
            let done = try await laptop.run(command, input: "\(Self.password)\ncorrect staple\n")
            #expect(done.output == "changed the password of ann@example.org; signed out 1 other device\n", "\(done)")
            #expect(try await laptop.run("sync").status == 0)
            #expect(try await phone.run("sync").status == 77)
            #expect(try await logIn(phone, server, Self.password) == 77)
            #expect(try await logIn(phone, server, "correct staple") == 0)
        }
    }

    @Test("sign-ins are listed, and ended one by one or all at once")
    func sessions() async throws {
        try await withServer { server in
            let (laptop, phone) = (try await signedUp(server), try await TestShell())
            #expect(try await logIn(phone, server, Self.password) == 0)
            let sessions = try await laptop.json("account", "sessions").array
            #expect(
                sessions.count == 2 && sessions.allSatisfy { $0["device"]?.stringValue?.hasPrefix("trendy/") == true })
            let other = try #require(sessions.first { $0["is_current"] == false }?["id"]?.stringValue)
            let own = try #require(sessions.first { $0["is_current"] == true }?["id"]?.stringValue)
            #expect(try await laptop.run("account", "sessions").output.contains("this one"))
            #expect(try await laptop.run("account", "sessions", "--end", own).status == 64)
            #expect(try await laptop.run("account", "sessions", "--end", "nothing").status == 65)
            #expect(try await laptop.run("account", "sessions", "--end", String(other.suffix(8))).status == 0)
            #expect(try await phone.run("sync").status == 77)
            #expect(try await laptop.json("account", "sign-out-everywhere")["sessions_ended"] == 1)
            #expect(try await laptop.run("account", "sessions").status == 77)
        }
    }

    @Test("what the server has is exported as 'export json' writes it")
    func export() async throws {
        try await withServer { server in
            let shell = try await signedUp(server)
            for note in ["one", "two"] {
                _ = try await shell.json("log", "coffee", "--create-type", "--note", note)
            }
            _ = try await shell.json("sync")
            _ = try await shell.json("log", "coffee", "--note", "unsent")
            let file = shell.home.path + "/mine.json"
            #expect(try await shell.json("account", "export", file)["events"] == 2)
            let other = try await TestShell()
            let imported = try await other.run("import", "json", file)
            #expect(imported.status == 0, "\(imported.errors)")
            #expect(try await other.json("list").array.count == 2)
            #expect(try await shell.run("account", "export").output == String(contentsOfFile: file, encoding: .utf8))
        }
    }

    @Test("an account is deleted by address and password; what is on the device stays")
    func deletion() async throws {
        try await withServer { server in
            let shell = try await signedUp(server)
            _ = try await shell.json("log", "coffee", "--create-type")
            _ = try await shell.json("sync")
            #expect(try await shell.run(["account", "delete", "--password-stdin"], input: "x\n").status == 64)
            let command = ["account", "delete", "--password-stdin", "--email"]
            let wrong = try await shell.run(command + ["ann@example.org"], input: "wrong horse\n")
            #expect(wrong.status == 77 && wrong.errors.contains("nothing was changed"), "\(wrong.errors)")
            let other = try await shell.run(command + ["bob@example.org"], input: Self.password + "\n")
            #expect(other.status == 65 && other.errors.contains("not the address"), "\(other.errors)")
            let done = try await shell.run(command + ["ann@example.org"], input: Self.password + "\n")
            #expect(done.status == 0 && done.output.contains("this device keeps its 1 event"), "\(done)")
            #expect(try await shell.json("list").array.count == 1)
            #expect(try await shell.run("whoami").status == 77)
            #expect(try await logIn(shell, server, Self.password) == 77)
        }
    }

    @Test("no password is read where no Trendy server answers")
    func noServer() async throws {
        let shell = try TestShell()
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        for words in [["password"], ["delete", "--email", "ann@example.org"]] {
            // Without a password on standard input, that would be complained of.
            let answer = try await shell.run(["account"] + words + ["--password-stdin"])
            #expect(answer.status == 69, "\(answer)")
        }
    }

    @Test("who is not signed in is told to sign in first")
    func nobody() async throws {
        let shell = try TestShell()
        for words in [["password"], ["sessions"], ["sign-out-everywhere"], ["export"], ["delete"]] {
            let answer = try await shell.run(["account"] + words)
            #expect(answer.status == 77 && answer.errors.contains("trendy login"), "\(answer)")
        }
    }
}
