import Foundation
import Synchronization
import Testing
import TrendyDomain
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("A background sync after a change")
struct AutosyncTests {
    private let shell: TestShell
    private let starts = StartLog()

    init() throws {
        shell = try TestShell()
        shell.launcher = starts.launcher
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
    }

    private func expectStart(_ count: Int, after arguments: String..., location: SourceLocation = #_sourceLocation)
        async throws
    {
        starts.reset()
        _ = try await shell.run(arguments)
        #expect(starts.arguments.count == count, "\(arguments)", sourceLocation: location)
    }

    @Test("what changes something starts one, what only looks does not")
    func commands() async throws {
        try await expectStart(1, after: "type", "add", "run")
        #expect(starts.arguments == [["sync", "--background", "3"]])
        try await expectStart(1, after: "log", "run")
        for look in [["list"], ["status"], ["queue"], ["stats"], ["doctor"]] {
            starts.reset()
            _ = try await shell.run(look)
            #expect(starts.arguments.isEmpty, "\(look)")
        }
        // A timer is of this device alone until it is stopped.
        try await expectStart(0, after: "start", "run")
        try await expectStart(1, after: "stop", "run")
        try await expectStart(1, after: "undo")
        try await expectStart(1, after: "redo")
        try await expectStart(0, after: "log", "nothing-of-that-name")
        try await shell.engine.clearPendingMutations()
        try await expectStart(1, after: "queue", "retry", "--all")
    }

    @Test("who looks at records gets one for news where the last one is older than a minute")
    func news() async throws {
        try await expectStart(1, after: "type", "add", "run")
        let file = shell.home.path + "/autosync.lock"
        for look in [["list"], ["today"], ["stats"], ["show", "last"], ["week", "--json"]] {
            try await expectStarts([], after: look)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -90)], ofItemAtPath: file)
            try await expectStarts([["sync", "--background", "3", "--news"]], after: look)
        }
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -90)], ofItemAtPath: file)
        try await expectStarts([], after: ["status"])
        shell.environment["TRENDY_TOKEN"] = nil
        try await expectStarts([], after: ["list"])
    }

    private func expectStarts(_ expected: [[String]], after arguments: [String]) async throws {
        starts.reset()
        _ = try await shell.run(arguments)
        #expect(starts.arguments == expected, "\(arguments)")
    }

    @Test("nobody who is not signed in gets one, and nobody who wants none")
    func off() async throws {
        _ = try await shell.run("type", "add", "run")
        shell.environment["TRENDY_TOKEN"] = nil
        try await expectStart(0, after: "log", "run")
        shell.environment["TRENDY_TOKEN"] = "token"
        for word in ["false", "no", "OFF", "0"] {
            shell.environment["TRENDY_AUTOSYNC"] = word
            try await expectStart(0, after: "log", "run")
        }
        _ = try shell.home.write("{\"autosync\": false}", to: "config.json")
        shell.environment["TRENDY_AUTOSYNC"] = "true"
        try await expectStart(1, after: "log", "run")
        shell.environment["TRENDY_AUTOSYNC"] = nil
        try await expectStart(0, after: "log", "run")
        #expect(try await shell.json("status")["autosync"] == false)
        shell.environment["TRENDY_AUTOSYNC"] = "perhaps"
        try await expectStart(0, after: "log", "run")
        let answer = try await shell.run("log", "run")
        #expect(answer.status == 0 && answer.errors.contains("'perhaps' (from TRENDY_AUTOSYNC)"))
    }

    @Test("while one waits no other is started, and it is told to wait a little longer")
    func oneAtATime() async throws {
        starts.keepsLock = true
        try await expectStart(1, after: "type", "add", "run")
        let lock = AutosyncLock(path: shell.home.path + "/autosync.lock", descriptor: -1)
        let before = try #require(lock.trace)
        try await expectStart(0, after: "log", "run")
        try await expectStart(0, after: "log", "run")
        #expect(try #require(lock.trace) != before)
        starts.letGo()
        try await expectStart(1, after: "log", "run")
        starts.letGo()
        // What cannot be started keeps no later one away.
        starts.fails = true
        try await expectStart(1, after: "log", "run")
        starts.fails = false
        try await expectStart(1, after: "log", "run")
    }

    @Test("while the server's pause lasts, or the wait after lost connections, none is started")
    func polite() async throws {
        _ = try await shell.run("type", "add", "run")
        #expect(try await shell.run("sync").status == 69)
        try await expectStart(0, after: "log", "run")
        shell.clock.advance(bySeconds: 3)
        try await expectStart(1, after: "log", "run")
        let silence = "{\"refusals\":1,\"trips\":0,\"silentUntil\":\"\(shell.clock.now().advanced(bySeconds: 60))\"}"
        try shell.change { try $0.setMetadata(MetadataKey.breaker, silence) }
        try await expectStart(0, after: "log", "run")
        shell.clock.advance(bySeconds: 61)
        try await expectStart(1, after: "log", "run")
    }
}

/// Notes the programs that would have been started.
final class StartLog: Sendable {
    private struct State {
        var arguments: [[String]] = []
        var kept: [Int32] = []
        var keepsLock = false
        var fails = false
    }

    private let state = Mutex(State())

    var launcher: ProgramLauncher {
        ProgramLauncher { arguments, descriptor in
            self.state.withLock { state in
                state.arguments.append(arguments)
                if state.keepsLock { state.kept.append(dup(descriptor)) }
                return !state.fails
            }
        }
    }

    var arguments: [[String]] { state.withLock { $0.arguments } }

    /// Whether the program that is started holds on to the lock that it is handed.
    var keepsLock: Bool {
        get { state.withLock { $0.keepsLock } }
        set { state.withLock { $0.keepsLock = newValue } }
    }

    /// Whether nothing can be started.
    var fails: Bool {
        get { state.withLock { $0.fails } }
        set { state.withLock { $0.fails = newValue } }
    }

    func reset() { state.withLock { $0.arguments = [] } }

    /// Ends the programs that hold on to the lock.
    func letGo() {
        state.withLock { state in
            for descriptor in state.kept { close(descriptor) }
            state.kept = []
            state.keepsLock = false
        }
    }

    deinit { letGo() }
}
