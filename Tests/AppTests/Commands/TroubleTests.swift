import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

/// What commands say where files or the server give trouble.
@MainActor
@Suite("Trouble with files and the server, as commands show it")
struct TroubleTests {
    private let shell: TestShell
    private let network: MockNetworkClient

    init() throws {
        shell = try TestShell()
        network = MockNetworkClient(clock: shell.clock)
        shell.overrides = { [network] in $0.register((any NetworkClientProtocol).self) { network } }
    }

    private func findings(_ arguments: String...) async throws -> [JSONValue] {
        try await shell.run(["doctor", "--json"] + arguments).json()["checks"]?.array ?? []
    }

    // MARK: Files

    @Test("a file that its owner cannot write is a problem with the remedy, also where others could")
    func modes() {
        func finding(_ mode: Int, isFolder: Bool = false, isUsable: Bool = true) -> HealthFinding? {
            StoredFileHealth.finding(about: "/d/f", FileFacts(isFolder: isFolder, mode: mode, isUsable: isUsable))
        }
        #expect(finding(0o600) == nil && finding(0o700) == nil)
        #expect(finding(0o644)?.level == .warning)
        for mode in [0o400, 0o444, 0o200, 0] {
            #expect(finding(mode)?.level == .problem && finding(mode)?.status == .cannotCreate)
            #expect(finding(mode)?.remedy == "chmod 600 '/d/f'")
        }
        #expect(finding(0o600, isUsable: false)?.level == .problem)
        #expect(finding(0o755, isFolder: true)?.remedy == "move it away: mv '/d/f' '/d/f.old'")
    }

    @Test("doctor does not say that all is well where the store cannot be written")
    func readOnlyStore() async throws {
        _ = try await shell.json("type", "add", "run")
        let path = shell.home.path + "/trendy.sqlite"
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        let files = try #require(try await findings().first { $0["check"] == "files" })
        #expect(files["level"] == "problem" && files["remedy"] == .string("chmod 600 '\(path)'"))
        #expect(try await shell.run("doctor").status == 73)
    }

    @Test("where the sign-in cannot be read doctor says so once, with the remedy", arguments: ["{not json", nil])
    func brokenSignIn(content: String?) async throws {
        let path = try breakSignIn(content)
        let problems = try await findings().filter { $0["level"] == "problem" && $0["check"] != "files" }
        #expect(problems.map { $0["check"] } == ["sign-in"])
        #expect(problems[0]["message"]?.stringValue?.contains(path) == true)
        #expect(problems[0]["remedy"]?.stringValue?.contains("sign in again") == true)
    }

    @Test("and status shows what is here all the same", arguments: ["{not json", nil])
    func statusWithoutSignIn(content: String?) async throws {
        _ = try await shell.json("log", "run", "--create-type")
        let path = try breakSignIn(content)
        let status = try await shell.json("status")
        #expect(status["counts"]?["event"] == 1 && status["pending"] == 2 && status["signed_in"] == false)
        #expect(status["problems"]?.array.map { $0["kind"] } == ["sign_in"])
        let text = try await shell.run("status")
        #expect(text.status == 0 && text.output.contains("sign-in") && text.output.contains(path))
        #expect(text.output.contains("sign in again") && text.output.contains("2 changes"))
    }

    private func breakSignIn(_ content: String?) throws -> String {
        if let content { return try shell.home.write(content, to: "credentials.json") }
        let path = shell.home.path + "/credentials.json"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    @Test(
        "a folder in the place of a file is told as one, and no mode is blamed",
        arguments: ["trendy.sqlite", "config.json"])
    func folders(name: String) async throws {
        let path = shell.home.path + "/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let answer = try await shell.run("doctor")
        #expect(answer.output.contains("\(path) is a folder") && answer.output.contains("move it away"))
        #expect(
            !answer.output.contains("chmod") && !answer.output.contains("check its permissions"), "\(answer.output)")
    }

    // MARK: The server

    private func signIn() {
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
    }

    @Test("whoami asks nothing while the server wants a pause, and says when it can")
    func silentWhoami() async throws {
        let listener = try SilentListener()
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:\(listener.port)"
        shell.environment["TRENDY_TOKEN"] = "token"
        let end = shell.clock.now().advanced(bySeconds: 90).description
        try shell.change {
            try $0.setMetadata(MetadataKey.breaker, #"{"refusals":3,"trips":1,"silentUntil":"\#(end)"}"#)
        }
        let answer = try await shell.run("whoami")
        #expect(answer.status == 75 && answer.errors.contains("1m 30s"), "\(answer.errors)")
        #expect(!listener.hadVisitor)
    }

    @Test("that a server says whose a token is ends no row of refusals")
    func ownerProvesNothing() async throws {
        let breaker = #"{"refusals":2,"trips":0}"#
        try await withServer { server in
            let shell = try await TestShell()
            try await Self.askForOwner(shell, server, breaker)
        }
    }

    private static func askForOwner(_ shell: TestShell, _ server: ServerAddress, _ breaker: String) async throws {
        shell.environment["TRENDY_SERVER"] = server.description
        let signup = ["signup", "--email", "ann@example.org", "--password-stdin"]
        #expect(try await shell.run(signup, input: "long enough\n").status == 0)
        let file = FileCredentialStore(file: shell.home.url.appending(path: "credentials.json"))
        shell.environment["TRENDY_TOKEN"] = try #require(try file.load()).accessToken.value
        let key = MetadataKey.breaker(of: server.description)
        try shell.change { try $0.setMetadata(key, breaker) }
        #expect(try await shell.run("whoami").output.contains("ann@example.org"))
        #expect(try shell.stores.makeReader().metadata(key) == breaker)
        // One more refusal is the third in a row.
        let engine = SyncEngine(
            networkClient: MockNetworkClient(), dataStoreFactory: shell.stores, wallClock: shell.clock)
        await #expect(throws: APIError.rateLimited(retryAfter: nil)) {
            try await engine.underBreaker(of: server.description) { throw APIError.rateLimited(retryAfter: nil) }
        }
        #expect(try await shell.run("whoami").status == 75)
    }

    @Test("the next try after lost connections is not shown when the server has said something since")
    func nextTry() async throws {
        signIn()
        _ = try await shell.json("type", "add", "run")
        await network.always(.fail(APIError.connection("gone")))
        #expect(try await shell.run("sync").status == 69)
        #expect(try await shell.run("status").output.contains("next try"))
        await network.always(.fail(APIError.unauthorized("the token has expired")))
        #expect(try await shell.run("sync").status == 77)
        let status = try await shell.run("status").output
        #expect(status.contains("not signed in") && !status.contains("next try"), "\(status)")
        #expect(try await shell.json("status")["next_attempt"] == .null)
    }

    // MARK: Syncs

    @Test("a first sync that is cut off says how many records are kept for the next")
    func cutOff() {
        let text = SyncReportText(report: SyncReport(failure: .cancelled), fetched: 12_000)
        let message = text.failure?.message ?? ""
        #expect(message.contains("12,000 records were fetched, and the next sync continues there"), "\(message)")
        #expect(SyncReportText(report: SyncReport(failure: .cancelled)).failure?.message.contains("fetched") == false)
    }

    @Test("each record that is received is counted once, though the feed shows it once more")
    func counted() async throws {
        for number in 0..<30 { try await network.put(makeEventType(name: "type \(number)")) }
        let engine = SyncEngine(networkClient: network, dataStoreFactory: shell.stores, wallClock: shell.clock)
        let report = await engine.performSync()
        #expect(report.failure == nil && report.placed == 30)
        #expect(engine.receivedCount == 30)
        try await network.put(makeEventType(name: "one more"))
        #expect(await engine.performSync().pulled == 1)
        #expect(engine.receivedCount == 1)
    }

    @Test("what waits in a store that never had a server is on none")
    func neverSignedIn() async throws {
        _ = try await shell.json("log", "run", "--create-type")
        let file = shell.home.path + "/copy.sqlite"
        _ = try await shell.json("backup", file)
        _ = try await shell.json("restore", file, "--yes")
        let status = try await shell.run("status").output
        #expect(status.contains("2 changes") && !status.contains("may have reached the server"), "\(status)")
        signIn()
        #expect(try await shell.run("status").output.contains("may have reached the server"))
    }
}
