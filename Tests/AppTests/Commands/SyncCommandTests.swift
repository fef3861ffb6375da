import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyReport
import TrendySync
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Status, queue and sync without a server")
struct SyncCommandTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    @Test("sync tells a signed-out person what to do, and with --json gives every key")
    func signedOut() async throws {
        _ = try await shell.json("type", "add", "run")
        let answer = try await shell.run("sync", "--json")
        #expect(answer.status == 77)
        #expect(answer.errors.contains("trendy login"))
        let keys = [
            "state", "pushed", "pulled", "pending", "early", "failing", "parked", "lost", "conflicts", "quarantined",
            "cursor", "bootstrapped",
            "has_more", "retry_after", "next_attempt", "failure", "error",
        ]
        #expect(Set(try answer.json().objectValue?.keys.map { $0 } ?? []) == Set(keys))
        #expect(try answer.json()["pending"] == 1)
        #expect(try await shell.run("whoami").status == 77)
        #expect(try await shell.run("logout").status == 0)
    }

    @Test("sync --json tells how many records, values, moves and deletions the server lost")
    func lost() throws {
        var report = SyncReport(parked: 4, conflicts: 2, lost: 4)
        (report.lostMoves, report.lostDeletions, report.lostValues) = (1, 1, 2)
        let json = try WireCoding.decode(JSONValue.self, from: WireCoding.encode(SyncReportJSON(report: report)))
        #expect(json["lost"] == ["records": 2, "values": 2, "moves": 1, "deletions": 1])
        #expect(json["parked"] == 4 && json["conflicts"] == 2)
    }

    @Test("sync --json says what is wrong in its object, whatever stops it before it begins")
    func earlyFailures() async throws {
        _ = try await shell.json("type", "add", "run")
        shell.environment["TRENDY_TOKEN"] = "token"
        let noServer = try await shell.run("sync", "--json")
        #expect(noServer.status == 64)
        #expect(try noServer.json()["pending"] == 1 && noServer.json()["state"] == "error")
        #expect(try noServer.json()["error"]?.stringValue?.contains("TRENDY_SERVER") == true)
        let badServer = try await shell.run("sync", "--json", "--server", "nonsense")
        #expect(badServer.status == 64)
        #expect(try badServer.json()["error"]?.stringValue?.isEmpty == false)
    }

    @Test("the server of the last sign-in is remembered after signing out")
    func rememberedServer() async throws {
        try shell.claim(for: StoreOwner(userId: "u1", server: "http://127.0.0.1:1"))
        let answer = try await shell.run(["login", "--email", "a@b.c", "--password-stdin"], input: "secret")
        #expect(answer.status == 69, "\(answer.errors)")
    }

    @Test("another address is that of the owner's server once a sync has come through there")
    func movedServer() async throws {
        try await withServer { server in try await Self.moving(server) }
    }

    @MainActor
    private static func moving(_ server: ServerAddress) async throws {
        let shell = try TestShell()
        let signup = ["signup", "--server", server.description, "--email", "ann@example.org", "--password-stdin"]
        #expect(try await shell.run(signup, input: "long enough\n").status == 0)
        _ = try await shell.json("type", "add", "run")
        let ownership = StoreOwnership(dataStoreFactory: shell.stores, schema: .trendy)
        #expect(try await shell.run("sync", "--server", "http://127.0.0.1:1").status == 69)
        #expect(try ownership.owner()?.server == server.description)
        let other = server.description.replacingOccurrences(of: "127.0.0.1", with: "localhost")
        #expect(try await shell.run("sync", "--server", other).status == 0)
        #expect(try ownership.owner()?.server == other)
    }

    @Test("the owner of an account that is gone is told how his records come into a new one")
    func goneAccount() async throws {
        try await withServer { server in try await Self.losing(server) }
    }

    @MainActor
    private static func losing(_ server: ServerAddress) async throws {
        let shell = try TestShell()
        try shell.claim(for: StoreOwner(userId: "u1", email: "ann@example.org", server: server.description))
        _ = try await shell.json("log", "run", "--create-type")
        for (command, email, status) in [
            ("login", "Ann@example.org", 77), ("signup", "ann@example.org", 65), ("login", "bob@example.org", 77),
        ] {
            let answer = try await shell.run([command, "--email", email, "--password-stdin"], input: "long enough\n")
            #expect(answer.status == Int32(status), "\(answer)")
            #expect(answer.errors.contains("trendy import json FILE") == !email.hasPrefix("bob"), "\(answer)")
        }
        let file = shell.home.path + "/all.json"
        _ = try await shell.json("export", "json", "--output", file)
        let new = try TestShell()
        let signup = ["signup", "--server", server.description, "--email", "ann@example.org", "--password-stdin"]
        #expect(try await new.run(signup, input: "long enough\n").status == 0)
        #expect(try await new.json("import", "json", file)["imported"] == 1)
        #expect(try await new.json("sync")["pushed"] == 2)
    }

    @Test("a missing sign-in is told in one sentence, a network's message without its jargon")
    func sentences() {
        let failure = CommandFailure(APIError.unauthorized("the token is not valid; sign in again"))
        #expect(failure.message == "not signed in: the token is not valid; sign in with 'trendy login'")
        let curl = "Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server"
        #expect(CommandFailure.readable(curl) == "Couldn't connect to server")
    }

    @Test("status has its keys from the first moment")
    func status() async throws {
        let status = try await shell.json("status")
        #expect(status["signed_in"] == false)
        #expect(status["server"] == .null && status["last_sync"] == .null)
        #expect(status["state"] == "idle")
        #expect(status["counts"] == ["event": 0, "event_type": 0, "geofence": 0, "property_definition": 0])
        shell.environment["TRENDY_SERVER"] = "https://Trendy.example.org/"
        #expect(try await shell.json("status")["server"] == "https://trendy.example.org")
    }

    @Test("queue shows what waits, with its payload")
    func queue() async throws {
        _ = try await shell.json("type", "add", "run", "--color", "red")
        let mutation = try #require(try await shell.json("queue").array.first)
        #expect(mutation["operation"] == "create" && mutation["entity_type"] == "event_type")
        #expect(mutation["state"] == "queued" && mutation["attempts"] == 0)
        #expect(mutation["payload"]?["color"] == "#EF4444")
    }

    @Test("a server that cannot be reached keeps what waits")
    func unreachable() async throws {
        _ = try await shell.json("type", "add", "run")
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        let answer = try await shell.run("sync", "--json")
        #expect(answer.status == 69)
        #expect(try answer.json()["pending"] == 1)
        #expect(try answer.json()["error"]?.stringValue?.isEmpty == false)
    }

    @Test("a store that is none, or from the future, is left as it is")
    func badStore() async throws {
        let file = try shell.home.write("this is not a database, whatever its name says", to: "trendy.sqlite")
        for command in [["list"], ["log", "run", "--create-type"], ["status"], ["sync"]] {
            let answer = try await shell.run(command)
            #expect(answer.status == 65)
            #expect(answer.errors.split(separator: "\n").count == 1)
        }
        #expect(try await shell.run("sync", "--json").json()["error"]?.stringValue?.contains("trendy.sqlite") == true)
        let export = try await shell.run("export", "json")
        #expect(export.status == 65 && export.output.isEmpty)
        #expect(export.errors.components(separatedBy: "trendy restore FILE").count == 2)
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("this is not a database"))
    }

    @Test("the command line is checked before anything is touched")
    func usage() async throws {
        for arguments in [
            ["log"], ["type", "add"], ["place", "add", "x", "--lat", "north", "--lon", "1"],
            ["log", "run", "--nope"], ["serve", "--port", "99999"],
        ] {
            let answer = try await shell.run(arguments)
            #expect(answer.status == 64, "\(arguments)")
            #expect(answer.errors.hasPrefix("trendy: ") && answer.errors.split(separator: "\n").count == 1)
        }
        #expect(!FileManager.default.fileExists(atPath: shell.home.path + "/trendy.sqlite"))
        #expect(try await shell.run("bogus").status == 64)
        #expect(try await shell.run("lgo", "run").errors.contains("'trendy log'"))
        #expect(try await shell.run("type", "lst").errors.contains("'trendy type list'"))
        for arguments in [["help", "log"], ["type"], ["log", "--help"]] {
            let answer = try await shell.run(arguments)
            #expect(answer.status == 0 && answer.output.contains("Usage: "))
        }
    }

    @Test("passwords are taken from standard input only where that is asked for")
    func passwords() async throws {
        let answer = try await shell.run("login", "--server", "http://127.0.0.1:1", "--email", "a@b.c")
        #expect(answer.status == 64)
        #expect(answer.errors.contains("--password-stdin"))
        let noServer = try await shell.run(["login", "--email", "a@b.c", "--password-stdin"], input: "secret")
        #expect(noServer.status == 64 && noServer.errors.contains("--server"))
    }
}
