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
@Suite("What the background sync does", .serialized)
struct BackgroundSyncTests {
    private func lock(of shell: TestShell) throws -> AutosyncLock {
        let lock = try #require(AutosyncLock(path: shell.home.path + "/autosync.lock"))
        #expect(lock.take())
        return lock
    }

    private func start(_ shell: TestShell, _ lock: AutosyncLock) -> Task<TestShell.Answer, any Error> {
        Task { try await shell.run("sync", "--background", "\(lock.descriptor)") }
    }

    @Test("a burst of changes becomes one sync, and what comes during it may wait for another")
    func burst() async throws {
        try await withServer { server in try await burst(server) }
    }

    private func burst(_ server: ServerAddress) async throws {
        let shell = try TestShell()
        shell.environment["TRENDY_SERVER"] = server.description
        let signup = ["signup", "--email", "ann@example.org", "--password-stdin"]
        #expect(try await shell.run(signup, input: "long enough\n").status == 0)
        _ = try await shell.json("type", "add", "run")
        let lock = try lock(of: shell)
        let rival = try #require(AutosyncLock(path: shell.home.path + "/autosync.lock"))
        let background = start(shell, lock)
        for number in 0..<3 {
            await shell.ticks.waitForSleepers()
            #expect(try await shell.json("history") == [])
            #expect(!rival.take())
            _ = try await shell.json("log", "run", "--note", "\(number)")
            rival.touch()
            shell.ticks.advanceToNextWake()
        }
        await shell.ticks.waitForSleepers()
        shell.ticks.advanceToNextWake()
        let answer = try await background.value
        #expect(answer.status == 0 && answer.output.isEmpty && answer.errors.isEmpty, "\(answer)")
        #expect(rival.take())
        let past = try await shell.json("history").array
        #expect(past.count == 1 && past.first?["pushed"] == 4)
        #expect(try await shell.json("status")["pending"] == 0)
        rival.release()
        // With nothing to send nothing is asked.
        let again = start(shell, rival)
        await shell.ticks.waitForSleepers()
        shell.ticks.advanceToNextWake()
        #expect(try await again.value.status == 0)
        #expect(try await shell.json("history").array.count == 1)
    }

    /// A device with a change that waits, signed in to a server that cannot be reached.
    private func shellWithChange() async throws -> TestShell {
        let shell = try TestShell()
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        _ = try await shell.run("type", "add", "run")
        try shell.claim(for: StoreOwner(userId: "u1", server: "http://127.0.0.1:1"))
        return shell
    }

    /// Lets it look so often whether it may try again.
    private func look(_ shell: TestShell, times: Int) async {
        for _ in 0..<times {
            await shell.ticks.waitForSleepers()
            shell.ticks.advanceToNextWake()
        }
    }

    @Test("changes without end do not put it off for ever")
    func patience() async throws {
        let shell = try TestShell()
        let lock = try lock(of: shell)
        let background = start(shell, lock)
        for _ in 0..<BackgroundSync.patience {
            await shell.ticks.waitForSleepers()
            lock.touch()
            shell.ticks.advanceToNextWake()
        }
        #expect(try await background.value.status == 0)
    }

    @Test("one that waits sends nothing where syncs that start by themselves are turned off meanwhile")
    func turnedOff() async throws {
        let shell = try await shellWithChange()
        let background = start(shell, try lock(of: shell))
        await shell.ticks.waitForSleepers()
        #expect(try await shell.run("config", "set", "autosync", "false").status == 0)
        shell.ticks.advanceToNextWake()
        #expect(try await background.value.status == 0)
        #expect(try await shell.json("history") == [])
    }

    @Test("what keeps it from beginning is kept for status to show")
    func failure() async throws {
        let shell = try await shellWithChange()
        let background = start(shell, try lock(of: shell))
        await shell.ticks.waitForSleepers()
        shell.ticks.advanceToNextWake()
        await look(shell, times: (BackgroundSync.tries - 1) * BackgroundSync.usualLooks)
        #expect(try await background.value.status == 69)
        #expect(try await shell.json("history").array.count == BackgroundSync.tries)
        let problem = try await shell.json("status")["problem"]?.stringValue
        #expect(problem?.contains("nothing is lost") == true, "\(problem ?? "none")")
    }

    @Test("it holds the lock while it waits for the next try, and gives it back when it is not needed any more")
    func waitsForNextTry() async throws {
        let shell = try await shellWithChange()
        let path = shell.home.path + "/autosync.lock"
        let background = start(shell, try lock(of: shell))
        await shell.ticks.waitForSleepers()
        shell.ticks.advanceToNextWake()
        await shell.ticks.waitForSleepers()
        #expect(try await shell.json("history").array.count == 1)
        #expect(AutosyncLock.isHeld(at: path))
        try await shell.engine.clearPendingMutations()
        await shell.sync(with: MockNetworkClient(exchange: ExchangeServer()))
        await look(shell, times: BackgroundSync.usualLooks)
        #expect(try await background.value.status == 0)
        #expect(try await shell.json("history").array.count == 2)
        #expect(!AutosyncLock.isHeld(at: path))
    }

    @Test("a pause that is longer than its patience ends it")
    func longPause() async throws {
        let shell = try await shellWithChange()
        let background = start(shell, try lock(of: shell))
        await shell.ticks.waitForSleepers()
        shell.ticks.advanceToNextWake()
        await shell.ticks.waitForSleepers()
        let end = shell.clock.now().advanced(bySeconds: 3_600)
        let silence = "{\"refusals\":1,\"trips\":0,\"silentUntil\":\"\(end)\"}"
        try shell.change { try $0.setMetadata(MetadataKey.breaker, silence) }
        shell.ticks.advanceToNextWake()
        #expect(try await background.value.status == 69)
        #expect(!AutosyncLock.isHeld(at: shell.home.path + "/autosync.lock"))
    }

    @Test("a folder that was removed meanwhile is not made anew")
    func removedFolder() async throws {
        let shell = try TestShell()
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        let folder = shell.home.path + "/data"
        shell.environment["TRENDY_HOME"] = folder
        _ = try await shell.run("type", "add", "run")
        let lock = try #require(AutosyncLock(path: folder + "/autosync.lock"))
        let background = start(shell, lock)
        await shell.ticks.waitForSleepers()
        try FileManager.default.removeItem(atPath: folder)
        shell.ticks.advanceToNextWake()
        #expect(try await background.value.status == 0)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
