import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTestSupport

@testable import TrendyApp
@testable import TrendyTerminal

@MainActor
@Suite("trendy sync --watch", .serialized, .timeLimit(.minutes(2)))
struct SyncWatchTests {
    @Test("syncs at once and soon after each change beside other commands, and ends in order")
    func watch() async throws {
        try await withServer { server in try await Self.watching(server) }
    }

    @MainActor
    private static func watching(_ server: ServerAddress) async throws {
        let shell = try TestShell()
        shell.environment["TRENDY_SERVER"] = server.description
        // A machine that runs all tests at once is slow. What is lost then is made good, but not counted as sent.
        shell.environment["TRENDY_TIMEOUT"] = "300"
        let signup = ["signup", "--email", "ann@example.org", "--password-stdin"]
        #expect(try await shell.run(signup, input: "long enough\n").status == 0)
        _ = try await shell.json("type", "add", "run")
        let watch = Task { try await shell.run("sync", "--watch", "--json") }
        try await shell.until { try await shell.json("status")["pending"] == 0 }
        // Nothing new: it looks, and sends nothing.
        await shell.look()
        #expect(try await shell.json("history").array.count == 1)
        for number in 0..<3 { _ = try await shell.json("log", "run", "--note", "\(number)") }
        #expect(try await shell.json("status")["pending"] == 3)
        await shell.look()
        try await shell.until { try await shell.json("status")["pending"] == 0 }
        #expect(try await shell.json("sync")["pushed"] == 0)
        await shell.look()
        #expect(try await shell.json("history").array.count == 3)
        shell.clock.advance(bySeconds: 60)
        await shell.look()
        try await shell.until { try await shell.json("history").array.count == 4 }
        watch.cancel()
        let answer = try await watch.value
        #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer.errors)")
        let reports = try answer.output.split(separator: "\n").map {
            try WireCoding.decode(JSONValue.self, from: Data($0.utf8))
        }
        #expect(reports.map { $0["pushed"] } == [1, 3])
    }

    @Test("waits out lost connections, tries again by itself, and tells each trouble once")
    func lostConnections() async throws {
        let shell = try TestShell()
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        _ = try await shell.json("type", "add", "run")
        let watch = Task { try await shell.run("sync", "--watch") }
        try await shell.until { try await shell.json("history").array.count == 1 }
        await shell.look()
        #expect(try await shell.json("history").array.count == 1)
        shell.clock.advance(bySeconds: 2)
        await shell.look()
        try await shell.until { try await shell.json("history").array.count == 2 }
        await shell.look()
        #expect(try await shell.json("history").array.count == 2)
        watch.cancel()
        let answer = try await watch.value
        #expect(answer.status == 0, "\(answer)")
        #expect(answer.output == "watched for 2s: nothing was sent or received, 1 change still to send\n")
        #expect(answer.errors.split(separator: "\n").count == 1, "\(answer.errors)")
        #expect(answer.errors.contains("; nothing is lost; the next try is at 12:00:0"), "\(answer.errors)")
    }

    @Test("with --full it asks for everything once, and goes on where that was cut off")
    func fullOnce() async throws {
        let shell = try TestShell()
        let server = ExchangeServer()
        let network = MockNetworkClient(clock: shell.clock, exchange: server)
        shell.overrides = { $0.register((any NetworkClientProtocol).self) { network } }
        shell.environment.merge(["TRENDY_SERVER": "http://127.0.0.1:1", "TRENDY_TOKEN": "token"]) { $1 }
        for number in 0..<6 { try server.create(makeEventType(name: "type \(number)")) }
        await shell.sync(with: network)
        server.limitPages(to: 2)
        let before = server.requests.count
        // The first asks whether the history is the same.
        await network.enqueue(.serve, times: 2, for: .exchange)
        await network.enqueue(.fail(APIError.connection("reset")), times: 2, for: .exchange)
        let watch = Task { try await shell.run("sync", "--watch", "--full") }
        try await shell.until { try await shell.json("history").array.count == 2 }
        shell.clock.advance(bySeconds: 5)
        await shell.look()
        try await shell.until { try await shell.json("history").array.count == 3 }
        watch.cancel()
        #expect(try await watch.value.status == 0)
        #expect(server.requests.dropFirst(before).count { $0.cursor == nil } == 1)
    }

    @Test("tells once what the server's clock holds back, with the reason")
    func early() async throws {
        let shell = try TestShell()
        let server = ExchangeServer()
        let network = MockNetworkClient(clock: shell.clock, exchange: server)
        network.clockReading = ClockReading(lead: 0, doubt: 0.5)
        shell.overrides = { $0.register((any NetworkClientProtocol).self) { network } }
        shell.environment.merge(["TRENDY_SERVER": "http://127.0.0.1:1", "TRENDY_TOKEN": "token"]) { $1 }
        let type = try #require(try await shell.json("type", "add", "run")["id"]?.stringValue)
        server.reject([type], errors: [FieldError(field: "id", message: "is ahead", code: "future_timestamp")])
        let watch = Task { try await shell.run("sync", "--watch") }
        try await shell.until { try await shell.json("history").array.count == 1 }
        await shell.ticks.waitForSleepers(2)
        shell.clock.advance(bySeconds: 60)
        await shell.look()
        try await shell.until { try await shell.json("history").array.count == 2 }
        await shell.ticks.waitForSleepers(2)
        watch.cancel()
        let answer = try await watch.value
        let lines = answer.output.split(separator: "\n")
        #expect(lines.count { $0.hasSuffix("  1 change waiting for the server's clock") } == 1, "\(answer)")
        #expect(lines.count { $0.contains("as ahead of its clock: 1 change waits") } == 1, "\(answer)")
        #expect(answer.errors.isEmpty && !answer.output.contains("in sync"))
    }

    @Test("on a terminal a status line stands below the lines of what was changed, and is gone at the end")
    func statusLine() async throws {
        try await withServer { server in try await Self.watchingOnTerminal(server) }
    }

    @MainActor
    private static func watchingOnTerminal(_ server: ServerAddress) async throws {
        let shell = try TestShell()
        shell.environment["TRENDY_SERVER"] = server.description
        // A machine that runs all tests at once is slow. What is lost then is made good, but not counted as sent.
        shell.environment["TRENDY_TIMEOUT"] = "300"
        let signup = ["signup", "--email", "ann@example.org", "--password-stdin"]
        #expect(try await shell.run(signup, input: "long enough\n").status == 0)
        _ = try await shell.json("type", "add", "run")
        shell.terminal = TerminalSize(columns: 72, rows: 24)
        shell.environment.merge(["TERM": "xterm", "NO_COLOR": "1"]) { $1 }
        let watch = Task { try await shell.run("sync", "--watch") }
        try await shell.until { try await shell.json("status")["pending"] == 0 }
        await shell.ticks.waitForSleepers(2)
        watch.cancel()
        let answer = try await watch.value
        #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer)")
        let drawn = answer.output.split(whereSeparator: { ["\r", "\n"].contains($0) }).map {
            $0.replacing("\u{1B}[K", with: "")
        }
        #expect(drawn.prefix(2) == ["syncing · Ctrl-C ends it", "2026-03-10 12:00:00  sent 1 change"], "\(drawn)")
        #expect(drawn.last == "watched for 0s: sent 1 change", "\(drawn)")
        // The live line may be heard before the first sync has ended, or after it.
        let states = drawn.dropFirst(2).dropLast()
        let known = [
            "synced 12:00:00, asks every minute · sent 1 change · Ctrl-C ends it",
            "in sync · synced 12:00:00 · sent 1 change · Ctrl-C ends it",
        ]
        #expect(!states.isEmpty && states.allSatisfy { known.contains(String($0)) }, "\(drawn)")
        #expect(answer.output.hasSuffix("\r\u{1B}[Kwatched for 0s: sent 1 change\n"), "\(answer.output)")
    }

    @Test(
        "on a terminal it says that the server does not answer as soon as a heartbeat is late, or a sync stands still")
    func silence() async throws {
        let shell = try TestShell()
        let server = ExchangeServer()
        let network = MockNetworkClient(clock: shell.clock, exchange: server)
        shell.overrides = { $0.register((any NetworkClientProtocol).self) { network } }
        shell.environment.merge(
            ["TRENDY_SERVER": "http://127.0.0.1:1", "TRENDY_TOKEN": "token", "TERM": "xterm", "NO_COLOR": "1"]
        ) { $1 }
        network.heads.serve(.head(ServerHead(epoch: server.epoch, head: server.head)))
        shell.terminal = TerminalSize(columns: 100, rows: 24)
        let watch = Task { try await shell.run("sync", "--watch") }
        try await shell.until { try await shell.json("history").array.count == 1 }
        await network.heads.waitForStream()
        let before = await network.calls.count
        let (stream, gate) = AsyncStream<Void>.makeStream()
        await network.beforeEachCall { _ in for await _ in stream { return } }
        // The heartbeat is late, so that it syncs; that stands still until the gate opens.
        while await network.calls.count == before {
            await shell.ticks.waitForSleepers(2)
            shell.ticks.advanceToNextWake()
            for _ in 0..<100 { await Task.yield() }
        }
        // Only while the server is heard all is in sync.
        network.heads.tell(.heartbeat)
        gate.yield()
        gate.finish()
        try await shell.until { try await shell.json("history").array.count >= 2 }
        watch.cancel()
        let drawn = try await watch.value.output.split(whereSeparator: { ["\r", "\n"].contains($0) }).map {
            $0.replacing("\u{1B}[K", with: "")
        }
        let states = drawn.map { $0.prefix { $0 != "1" } }
        #expect(
            states.contains("not in sync · the server does not answer · synced "), "\(drawn)")
        let last = try #require(states.lastIndex { $0.hasPrefix("not in sync") })
        // The next heartbeat may come after the end of the watch.
        #expect(states[(last + 1)...].contains { ["in sync · synced ", "synced "].contains($0) }, "\(drawn)")
    }

    /// What a server lacks whose watcher hears nothing.
    enum Lack: CaseIterable {
        case exchange
        case liveRoute
        /// Something on the way holds the stream back.
        case head
    }

    @Test(
        "on a terminal it does not say that all is in sync with a server that is not heard, but how often it asks",
        arguments: Lack.allCases)
    func unheard(lack: Lack) async throws {
        let shell = try TestShell()
        let network = MockNetworkClient(clock: shell.clock, exchange: lack == .exchange ? nil : ExchangeServer())
        if lack == .head { network.heads.serve() }
        shell.overrides = { $0.register((any NetworkClientProtocol).self) { network } }
        shell.environment.merge(
            ["TRENDY_SERVER": "http://127.0.0.1:1", "TRENDY_TOKEN": "token", "TERM": "xterm", "NO_COLOR": "1"]
        ) { $1 }
        shell.terminal = TerminalSize(columns: 100, rows: 24)
        let watch = Task { try await shell.run("sync", "--watch", "--interval", "300") }
        try await shell.until { try await shell.json("history").array.count == 1 }
        await shell.ticks.waitForSleepers(2)
        watch.cancel()
        let drawn = try await watch.value.output.split(whereSeparator: { ["\r", "\n"].contains($0) }).map {
            $0.replacing("\u{1B}[K", with: "")
        }
        #expect(drawn.contains("synced 12:00:00, asks every 5 minutes · Ctrl-C ends it"), "\(drawn)")
        #expect(!drawn.contains { $0.hasPrefix("in sync") }, "\(drawn)")
    }

    @Test("a store that is removed or replaced ends it, and is not made anew", arguments: [false, true])
    func replacedStore(isReplaced: Bool) async throws {
        let shell = try TestShell()
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        _ = try await shell.json("type", "add", "run")
        let watch = Task { try await shell.run("sync", "--watch") }
        try await shell.until { try await shell.json("history").array.count == 1 }
        let store = shell.home.path + "/trendy.sqlite"
        // Kept under another name, so that a new file cannot have its number.
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: store + suffix) {
            try FileManager.default.moveItem(atPath: store + suffix, toPath: store + ".old" + suffix)
        }
        if isReplaced { _ = try await shell.json("type", "add", "walk") }
        // What listens to the server sleeps on the same clock, and may be the next to wake.
        let waking = Task {
            while !Task.isCancelled {
                shell.ticks.advanceToNextWake()
                await Task.yield()
            }
        }
        let answer = try await watch.value
        waking.cancel()
        #expect(answer.status == 74, "\(answer)")
        #expect(answer.errors.contains("trendy.sqlite was removed or replaced meanwhile"), "\(answer)")
        #expect(FileManager.default.fileExists(atPath: store) == isReplaced)
    }

    @Test("who is not signed in is told so, and it does not stay")
    func signedOut() async throws {
        let shell = try TestShell()
        let answer = try await shell.run("sync", "--watch")
        #expect(answer.status == 77 && answer.errors.contains("trendy login"))
        #expect(try await shell.run("sync", "--interval", "5").status == 64)
        #expect(try await shell.run("sync", "--watch", "--interval", "0").status == 64)
    }
}

extension TestShell {
    /// Lets the watch look once: it waits for its next look, and what listens to the server for its stream.
    fileprivate func look() async {
        await ticks.waitForSleepers(2)
        ticks.advanceToNextWake()
        await ticks.waitForSleepers(2)
    }

    /// Waits until it is so; the suite's time limit ends it where it never is.
    fileprivate func until(_ condition: () async throws -> Bool) async throws {
        while try await !condition() { await Task.yield() }
    }
}
