import Foundation
import Testing
import TrendyDomain
import TrendyServer
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("The commands of an operator")
struct ServerCommandTests {
    private let shell: TestShell
    private var data: String { shell.home.path + "/data" }
    private var copy: String { shell.home.path + "/copy.sqlite" }

    init() throws { shell = try TestShell() }

    /// A server's data with ann, who has a type and two events, and bob, who has nothing.
    private func makeData() throws {
        let folder = URL(filePath: data)
        let server = try TrendyHTTPServer(
            ServerConfiguration(dataDirectory: folder, passwordCost: .minimal), clock: shell.clock)
        let ann = try server.accounts.signUp(
            PasswordCredentials(email: "ann@example.org", password: "correct horse"), device: "laptop")
        _ = try server.accounts.signUp(PasswordCredentials(email: "bob@example.org", password: "correct horse"))
        let context = WriteContext(userId: ann.user.id)
        let type = EventType(id: SequentialIdentifiers.id(1), name: "coffee")
        _ = try server.records.create(.eventType, WireCoding.encode(type), context)
        for number in 2...3 {
            let event = Event(
                id: SequentialIdentifiers.id(UInt64(number)), eventTypeId: type.id, timestamp: TestShell.noon)
            _ = try server.records.create(.event, WireCoding.encode(event), context)
        }
    }

    private func server(_ words: String...) async throws -> TestShell.Answer {
        try await shell.run(["server"] + words + ["--data", data])
    }

    private func json(_ words: String...) async throws -> JSONValue {
        let answer = try await shell.run(["server"] + words + ["--data", data, "--json"])
        guard answer.status == 0 else { throw CommandFailure(.software, answer.errors) }
        return try answer.json()
    }

    /// Who can sign in with which password.
    private func canSignIn(_ email: String, _ password: String) throws -> Bool {
        let server = try TrendyHTTPServer(
            ServerConfiguration(dataDirectory: URL(filePath: data), passwordCost: .minimal))
        return (try? server.accounts.logIn(PasswordCredentials(email: email, password: password))) != nil
    }

    @Test("list and show tell records, bytes, last use and devices")
    func listing() async throws {
        try makeData()
        let users = try await json("user", "list").array
        #expect(users.compactMap { $0["email"]?.stringValue } == ["ann@example.org", "bob@example.org"])
        #expect(users[0]["records"] == 3 && users[0]["sessions"] == 1 && users[1]["records"] == 0)
        #expect(users[0]["last_used_at"] == .string(TestShell.noon.description))
        let text = try await server("user", "list").output
        #expect(text.contains("ann@example.org  3        ") && text.contains("2026-03-10 12:00"), "\(text)")
        let shown = try await json("user", "show", "ANN@example.org ")
        #expect(shown["counts"]?["event"] == 2 && shown["head"] == 3 && shown["horizon"] == 0)
        #expect(shown["devices"]?.array.first?["device"] == "laptop")
        #expect(try await server("user", "show", "ann@example.org").output.contains("laptop, since 2026-03-10"))
        let nobody = try await server("user", "show", "eve@example.org")
        #expect(nobody.status == 65 && nobody.errors.contains("there is no account eve@example.org"))
    }

    @Test("accounts are made with a password from standard input or a made one, which are good to sign in with")
    func adding() async throws {
        try makeData()
        let words = ["server", "user", "add", "Cat@example.org", "--data", data]
        let answer = try await shell.run(words + ["--password-stdin"], input: "correct staple\n")
        #expect(answer.status == 0 && answer.output == "created the account cat@example.org\n", "\(answer)")
        #expect(try canSignIn("cat@example.org", "correct staple"))
        let made = try await json("user", "add", "dan@example.org", "--generate")
        #expect(try canSignIn("dan@example.org", made["password"]?.stringValue ?? ""))
        let again = try await server("user", "add", "dan@example.org", "--generate")
        #expect(again.status == 65 && again.errors.contains("there is an account with this e-mail address already"))
        let common = try await shell.run(
            ["server", "user", "add", "eve@example.org", "--data", data, "--password-stdin"], input: "password\n")
        #expect(common.status == 65 && common.errors.contains("tried first"))
        let silent = try await server("user", "add", "eve@example.org")
        #expect(silent.status == 64 && silent.errors.contains("--generate"))
        let bad = try await server("user", "add", "eve", "--generate")
        #expect(bad.status == 65 && bad.errors.contains("must be an e-mail address"))
    }

    @Test("a reset password is the only one that is good, and ends all sign-ins")
    func resetting() async throws {
        try makeData()
        let reset = try await json("user", "reset-password", "ann@example.org", "--generate")
        #expect(reset["sessions_ended"] == 1)
        #expect(try await json("user", "show", "ann@example.org")["devices"]?.array.isEmpty == true)
        #expect(try canSignIn("ann@example.org", reset["password"]?.stringValue ?? ""))
        #expect(try !canSignIn("ann@example.org", "correct horse"))
        #expect(try await json("user", "sign-out", "ann@example.org")["sessions_ended"] == 1)
        #expect(try await server("user", "sign-out", "eve@example.org").status == 65)
    }

    @Test("delete says what it deletes, asks, and leaves nothing of the account")
    func deleting() async throws {
        try makeData()
        let asked = try await server("user", "delete", "ann@example.org")
        #expect(asked.status == 64 && asked.errors.contains("ann@example.org with 3 records ("), "\(asked.errors)")
        #expect(asked.errors.contains("and 1 sign-in, for ever") && asked.errors.contains("--yes"))
        #expect(try await json("user", "list").array.count == 2)
        #expect(try await server("user", "delete", "ann@example.org", "--yes").status == 0)
        #expect(try await json("user", "list").array.compactMap { $0["email"]?.stringValue } == ["bob@example.org"])
        #expect(try await server("check").output == "checked 1 account and 0 records: no problems found\n")
        #expect(try !canSignIn("ann@example.org", "correct horse"))
    }

    @Test("what is exported is what 'import json' reads")
    func exporting() async throws {
        try makeData()
        let file = shell.home.path + "/ann.json"
        #expect(try await json("user", "export", "ann@example.org", file)["events"] == 2)
        let written = try WireCoding.decode(JSONValue.self, from: Data(contentsOf: URL(filePath: file)))
        #expect(written["events"]?.array.count == 2 && written["geofences"] == .array([]))
        let printed = try await server("user", "export", "ann@example.org")
        #expect(try printed.output == String(contentsOfFile: file, encoding: .utf8))
        let imported = try await shell.run("import", "json", file)
        #expect(imported.status == 0, "\(imported.errors)")
        let listed = try await shell.json("list").array.compactMap { $0["id"]?.stringValue }
        #expect(Set(listed) == [SequentialIdentifiers.id(2), SequentialIdentifiers.id(3)])
        let nobody = try await server("user", "export", "eve@example.org", file)
        #expect(nobody.status == 65)
        #expect(try await server("user", "export", "bob@example.org").output.contains(#""events":[]"#))
    }

    @Test("a backup replaces nothing unless forced, and comes back over other data only when forced")
    func backingUp() async throws {
        try makeData()
        let made = try await json("backup", copy)
        #expect(made["accounts"] == 2 && made["records"] == 3)
        let again = try await server("backup", copy)
        #expect(again.status == 73 && again.errors.contains("--force"), "\(again.errors)")
        #expect(try await server("backup", copy, "--force").status == 0)
        let before = try await json("user", "show", "ann@example.org")["epoch"]
        _ = try await server("user", "delete", "ann@example.org", "--yes")
        let kept = try await server("restore", copy)
        #expect(kept.status == 73 && kept.errors.contains("server.sqlite is there already"), "\(kept.errors)")
        let restored = try await json("restore", copy, "--force")
        #expect(restored["records"] == 3)
        let after = try await json("user", "show", "ann@example.org")
        #expect(after["head"] == 3 && after["epoch"] != before && after["epoch"] != .null)
        let previous = try #require(restored["previous"]?.stringValue)
        let back = try await shell.run(
            "server", "restore", previous, "--data", shell.home.path + "/other", "--json")
        #expect(try back.json()["accounts"] == 1 && back.json()["previous"] == nil)
    }

    @Test("what is no backup is refused, and what was there stays")
    func badBackups() async throws {
        try makeData()
        let text = try shell.home.write("hello", to: "notes.txt")
        for file in [text, "/nowhere.sqlite", shell.home.path] {
            let answer = try await server("restore", file, "--force")
            #expect(answer.status == 65 && answer.errors.contains("'trendy server backup'"), "\(answer.errors)")
        }
        #expect(try await json("user", "list").array.count == 2)
        #expect(try await server("backup", data + "/no/where").status == 73)
        #expect(try await server("backup", "-").status == 64)
        #expect(try await shell.run("server", "restore").status == 64)
    }

    @Test("epochs are renewed alone after another program has restored the data")
    func epochs() async throws {
        try makeData()
        let before = try await json("user", "show", "ann@example.org")["epoch"]
        #expect(try await json("restore", "--epochs-only")["accounts"] == 1)
        #expect(try await json("user", "show", "ann@example.org")["epoch"] != before)
    }

    @Test("while a server uses the data nothing is restored over it, and everything else works")
    func running() async throws {
        try makeData()
        _ = try await json("backup", copy)
        let server = try TrendyHTTPServer(
            ServerConfiguration(dataDirectory: URL(filePath: data), passwordCost: .minimal))
        let refused = try await self.server("restore", copy, "--force")
        #expect(refused.status == 75 && refused.errors.contains("stop that first"), "\(refused.errors)")
        #expect(try await self.server("check").status == 0)
        #expect(try await self.server("user", "delete", "ann@example.org", "--yes").status == 0)
        let credentials = PasswordCredentials(email: "ann@example.org", password: "correct horse")
        #expect(throws: ServerProblem.self) { try server.accounts.logIn(credentials) }
    }

    @Test("prune asks, and removes what was deleted before")
    func pruning() async throws {
        try makeData()
        do {
            let configuration = ServerConfiguration(dataDirectory: URL(filePath: data))
            let server = try TrendyHTTPServer(configuration, clock: shell.clock)
            let ann = try server.accounts.logIn(
                PasswordCredentials(email: "ann@example.org", password: "correct horse"))
            _ = try server.records.delete(.event, id: SequentialIdentifiers.id(3), WriteContext(userId: ann.user.id))
        }
        shell.clock.advance(bySeconds: 100 * 86_400)
        #expect(try await server("prune", "--older-than", "90d").errors.contains("before 2026-03-20 12:00"))
        #expect(try await json("prune", "--older-than", "101d", "--yes")["tombstones"] == 0)
        #expect(try await json("prune", "--older-than", "90d", "--yes")["tombstones"] == 1)
        #expect(try await json("user", "show", "ann@example.org")["horizon"] == 4)
        #expect(try await server("check").status == 0)
        for wrong in ["90", "soon", "-3d"] {
            #expect(try await server("prune", "--older-than=\(wrong)", "--yes").status == 64, "\(wrong)")
        }
    }

    @Test("an invitation is good at a closed server, for the address that it names and as long as it says")
    func inviting() async throws {
        try makeData()
        let invited = try await json("invite", "cat@example.org", "--expires", "3d")
        #expect(invited["email"] == "cat@example.org")
        #expect(invited["expires_at"] == .string(TestShell.noon.advanced(bySeconds: 3 * 86_400).description))
        let server = try TrendyHTTPServer(
            ServerConfiguration(dataDirectory: URL(filePath: data), passwordCost: .minimal, isClosed: true),
            clock: shell.clock)
        let cat = PasswordCredentials(email: "cat@example.org", password: "correct horse")
        #expect(throws: ServerProblem.self) { try server.accounts.signUp(cat) }
        #expect(try server.accounts.signUp(cat, invite: invited["code"]?.stringValue).user.email == cat.email)
        let text = try await self.server("invite").output
        #expect(text.contains("until 2026-03-17 12:00: trendy signup --server URL --invite "), "\(text)")
        for wrong in ["soon", "0d", "5"] {
            #expect(try await self.server("invite", "--expires", wrong).status == 64)
        }
        #expect(try await self.server("invite", "ann@example.org").status == 65)
    }

    @Test("a folder without a server's data is named, and nothing is made in it")
    func nowhere() async throws {
        let answer = try await server("user", "list")
        #expect(answer.status == 64 && answer.errors.contains("there is no server's data in \(data)"))
        #expect(!FileManager.default.fileExists(atPath: data))
        #expect(try await shell.run("server", "check").errors.contains(shell.home.path + "/server"))
        #expect(try await server("check", "--database", "postgresql://x/y").status == 64)
    }
}
