import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTestSupport

@testable import TrendyApp
@testable import TrendyTerminal

@MainActor
@Suite("trendy doctor")
struct DoctorCommandTests {
    private let shell: TestShell
    private let network: MockNetworkClient

    init() throws {
        shell = try TestShell()
        network = MockNetworkClient(clock: shell.clock, exchange: ExchangeServer())
        shell.overrides = { [network] in $0.register((any NetworkClientProtocol).self) { network } }
    }

    private func signIn() {
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
    }

    /// What the checks found, by their names; the last of those with several lines.
    private func examine(expecting status: Int32 = 0) async throws -> [String: JSONValue] {
        let answer = try await shell.run("doctor", "--json")
        #expect(answer.status == status, "\(answer.errors)")
        let lines = try #require(try answer.json()["checks"]).array
        return Dictionary(lines.map { ($0["check"]?.stringValue ?? "", $0) }, uniquingKeysWith: { $1 })
    }

    @Test("on a new device all is well, with a warning that nobody is signed in; nothing is made")
    func new() async throws {
        let found = try await examine()
        let names: Set = [
            "graph", "folders", "files", "disk", "store", "sign-in", "server", "queue", "conflicts", "quarantine",
            "lease",
        ]
        #expect(Set(found.keys) == names)
        #expect(found["sign-in"]?["level"] == "warning")
        #expect(found["sign-in"]?["remedy"] == "trendy login --server URL --email ADDRESS")
        #expect(found.filter { $0.value["level"] == "ok" }.count == 10)
        #expect(found["graph"]?["remedy"] == .null)
        #expect(!shell.stores.exists)
        #expect(await network.calls.isEmpty)
    }

    @Test("people read a line for each finding: level, check, what was found and the remedy")
    func lines() async throws {
        _ = try await shell.json("type", "add", "run")
        let lines = try await shell.run("doctor").output.split(separator: "\n")
        #expect(lines.count == 14)
        #expect(
            lines.contains {
                $0.hasPrefix("ok       store       ")
                    && $0.hasSuffix("trendy.sqlite is intact (schema trendy-records-1)")
            })
        #expect(lines.contains { $0.hasPrefix("warning  sign-in     ") && $0.contains("; trendy login --server") })
        #expect(lines.last == "12 ok, 1 warning, 0 problems")
    }

    @Test("what was found fits the terminal, in a column of its own", arguments: [100, 60, 30])
    func narrow(columns: Int) async throws {
        shell.terminal = TerminalSize(columns: columns, rows: 40)
        let lines = try await shell.run("doctor").output.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
        let place = try #require(lines.firstIndex(where: { $0.hasPrefix("warning  sign-in") }))
        #expect(lines[place + 1].hasPrefix(columns < 50 ? "  nobody is" : "                   "))
        let letters = lines.joined(separator: "").filter { $0 != " " }
        #expect(letters.contains("nothingissynced;trendylogin--serverURL--emailADDRESS"), "\(letters)")
    }

    @Test("signed in and synced, everything is well, and the server is asked for no more than it takes")
    func healthy() async throws {
        signIn()
        _ = try await shell.run("sync")
        await network.reset()
        let found = try await examine()
        #expect(found.values.allSatisfy { $0["level"] == "ok" }, "\(found)")
        #expect(found["server"]?["message"] == "http://127.0.0.1:1 answers")
        #expect(found["feed"]?["message"] == "all changes were received")
        #expect(await network.calls.map(\.operation) == [.checkHealth, .serverTime, .exchange])
        #expect(try await shell.run("doctor").output.hasSuffix("\n\nno problems found\n"))
    }

    @Test(
        "a server that does not answer, or is none, is a problem with a remedy and the code that sync would end with",
        arguments: [
            (APIError.connection("refused"), Int32(69)), (.timeout, 69), (.notAServer("a hotel"), 69),
            (.http(status: 503, problem: ProblemDetails(title: "down")), 69),
        ])
    func unreachable(_ error: APIError, _ status: Int32) async throws {
        signIn()
        await network.always(.fail(error), for: .checkHealth)
        let found = try await examine(expecting: status)
        #expect(found["server"]?["level"] == "problem")
        #expect(found["clock"] == nil && found["access"] == nil && found["feed"] == nil)
        #expect(found.values.filter { $0["level"] == "problem" }.count == 1)
        let text = try await shell.run("doctor")
        #expect(text.status == status && text.errors.contains("1 problem found"))
    }

    @Test("while the server wants a pause it is not asked, and that is a warning")
    func pause() async throws {
        signIn()
        let end = shell.clock.now().advanced(bySeconds: 90).description
        try shell.change {
            try $0.setMetadata(MetadataKey.breaker, #"{"refusals":3,"trips":1,"silentUntil":"\#(end)"}"#)
        }
        let found = try await examine()
        #expect(found["server"]?["level"] == "warning")
        #expect(found["server"]?["message"]?.stringValue?.contains("90 s") == true)
        #expect(await network.calls.isEmpty)
    }

    @Test("a damaged store is a problem of the data, and the server is not asked without it")
    func damaged() async throws {
        signIn()
        _ = try shell.home.write("this is not a database, whatever its name says", to: "trendy.sqlite")
        let found = try await examine(expecting: 65)
        #expect(found["store"]?["level"] == "problem")
        #expect(found["store"]?["remedy"]?.stringValue?.contains("trendy restore") == true)
        #expect(found["server"]?["level"] == "warning")
        #expect(await network.calls.isEmpty)
    }

    @Test("damage inside a store that opens is found")
    func damagedInside() async throws {
        for number in 0..<300 { try shell.change { try $0.upsert(LocalRecord(makeEvent(notes: "note \(number)"))) } }
        let file = URL(fileURLWithPath: shell.stores.path)
        var bytes = try Data(contentsOf: file)
        // The first page has the schema, without which it would not open.
        let pages = bytes.count / 4096
        try #require(pages > 20)
        for page in 10..<pages { bytes.replaceSubrange(page * 4096 + 8..<page * 4096 + 200, with: Data(count: 192)) }
        try bytes.write(to: file)
        let found = try await examine(expecting: 65)
        #expect(found["store"]?["level"] == "problem")
        #expect(found["store"]?["message"]?.stringValue?.contains("damaged") == true)
        #expect(found["store"]?["remedy"]?.stringValue?.contains("trendy sync") == true)
    }

    @Test("a page that SQLite cannot read in a store that opens names the way back, as the other commands do")
    func damagedPage() async throws {
        for number in 0..<300 { try shell.change { try $0.upsert(LocalRecord(makeEvent(notes: "note \(number)"))) } }
        let backup = shell.home.path + "/good.sqlite"
        _ = try await shell.json("backup", backup)
        let file = URL(fileURLWithPath: shell.stores.path)
        var bytes = try Data(contentsOf: file)
        for page in 1..<bytes.count / 4096 {
            bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(repeating: 0x55, count: 4096))
        }
        try bytes.write(to: file)
        let store = try #require(try await examine(expecting: 65)["store"])
        let said = (store["message"]?.stringValue ?? "") + (store["remedy"]?.stringValue ?? "")
        #expect(said.contains("trendy restore") && said.contains(backup), "\(said)")
    }

    @Test("every fault of the graph is a line of its own, and comes before what follows from it")
    func graph() async throws {
        let overrides = shell.overrides
        shell.overrides = { graph in
            overrides(&graph)
            graph.register(ServerSession.self, from: Int.self, Bool.self) { _, _ in throw CancellationError() }
        }
        let answer = try await shell.run("doctor")
        #expect(answer.status == 70)
        let lines = answer.output.split(separator: "\n").filter { $0.hasPrefix("problem  graph") }
        #expect(lines.count == 2)
        #expect(lines.contains { $0.contains("Int is not registered and needed by ServerSession") })
        #expect(lines.contains { $0.contains("Bool is not registered and needed by ServerSession") })
        #expect(answer.output.contains("is intact") || answer.output.contains("no store yet"))
    }

    @Test("a file in the place of the folder is a problem")
    func fileForFolder() async throws {
        let file = try shell.home.write("", to: "file")
        shell.environment["TRENDY_HOME"] = file
        #expect(try await examine(expecting: 73)["folders"]?["level"] == "problem")
        shell.environment["TRENDY_HOME"] = file + "/below"
        let found = try await examine(expecting: 73)
        #expect(found["folders"]?["message"]?.stringValue?.contains("cannot be created in \(file)") == true)
    }

    @Test("what others on the machine can read is a warning")
    func modes() async throws {
        _ = try await shell.json("type", "add", "run")
        #expect(try await examine()["files"]?["level"] == "ok")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: shell.stores.path)
        let found = try await examine()
        #expect(found["files"]?["level"] == "warning")
        #expect(found["files"]?["remedy"]?.stringValue == "chmod 600 '\(shell.stores.path)'")
    }

    @Test("a folder is judged by what may be done in it, one that is not there yet by its nearest parent")
    func folders() {
        let usable = FileFacts(isFolder: true, mode: 0o700, isUsable: true)
        let closed = FileFacts(isFolder: true, mode: 0o500, isUsable: false)
        let open = FileFacts(isFolder: true, mode: 0o777, isUsable: true)
        func level(_ facts: [String: FileFacts]) -> HealthFinding.Level {
            FolderHealth.finding(about: "/a/b/c") { facts[$0] }.level
        }
        #expect(level(["/a/b/c": usable]) == .ok)
        #expect(level(["/a/b/c": closed]) == .problem)
        #expect(level(["/a/b/c": open]) == .warning)
        #expect(level(["/a": usable, "/": closed]) == .ok)
        #expect(level(["/a": closed, "/": usable]) == .problem)
        #expect(level(["/": usable]) == .ok)
    }
}
