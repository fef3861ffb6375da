import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import Logging
import Synchronization
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

/// A store whose probes end as a test says.
private final class ProbedStore: ServerStore {
    let base: SQLiteServerStore
    let outcome = Mutex<DatabaseError?>(nil)
    let probes = Mutex(0)

    init() throws { base = try SQLiteServerStore() }

    func probe() throws {
        probes.withLock { $0 += 1 }
        if let error = outcome.withLock({ $0 }) { throw StoreFault(error) }
    }

    func read<Value>(_ userId: String, _ body: (any RecordTransaction) throws -> Value) throws -> Value {
        try base.read(userId, body)
    }
    func write(_ jobs: [WriteJob]) { base.write(jobs) }
    func readAccounts<Value>(_ body: (any AccountStorage) throws -> Value) throws -> Value {
        try base.readAccounts(body)
    }
    func writeAccounts<Value>(_ body: (any AccountStorage) throws -> Value) throws -> Value {
        try base.writeAccounts(body)
    }
    func userIds(after userId: String?, limit: Int) throws -> [String] {
        try base.userIds(after: userId, limit: limit)
    }
    func flaws() throws -> StoreFlaws { try base.flaws() }
}

@Suite("Health")
struct HealthTests {
    private func readiness(_ store: any ServerStore, clock: ManualClock = ManualClock()) -> Readiness {
        Readiness(
            store: store, blocking: BlockingWork(store: store), logger: RecordingLog().logger, clock: clock)
    }

    @Test("is answered without a token: the process lives, and the server is ready")
    func healthy() async throws {
        try await TestServer().test { api in
            let live = try await api.send(.get, "/health/live")
            #expect(live.status == 200 && live["status"] == .string("alive"))
            let ready = try await api.send(.get, "/health/ready")
            #expect(ready.status == 200 && ready["status"] == .string("ready"))
            #expect(try await api.send(.head, "/health/ready").status == 200)
        }
    }

    @Test("says in a problem why the server is not ready; it lives all the same, and is ready again by itself")
    func notReady() async throws {
        let store = try ProbedStore()
        store.outcome.withLock { $0 = DatabaseError(resultCode: .SQLITE_FULL) }
        let log = RecordingLog()
        try await TestServer(store: store, logger: log.logger).test { api in
            let ready = try await api.send(.get, "/health/ready")
            #expect(ready.status == 503)
            #expect(ready.header("Retry-After") == "5")
            #expect(ready.problem().detail == "the disk is full")
            #expect(try await api.send(.get, "/health/live").status == 200)
            #expect(try await api.send(.get, "/health").status == 200)
        }
        #expect(log.messages(.error).contains("the server is not ready"))
        let clock = ManualClock()
        let readiness = readiness(store, clock: clock)
        #expect(await readiness.fault() == StoreFault(DatabaseError(resultCode: .SQLITE_FULL)))
        store.outcome.withLock { $0 = nil }
        clock.advance(by: .seconds(4))
        #expect(await readiness.fault() == nil)
    }

    @Test("tries to write at most every few seconds")
    func seldom() async throws {
        let (store, clock) = (try ProbedStore(), ManualClock())
        let readiness = readiness(store, clock: clock)
        for _ in 0..<5 { #expect(await readiness.fault() == nil) }
        #expect(store.probes.withLock { $0 } == 1)
        clock.advance(by: .seconds(2))
        _ = await readiness.fault()
        #expect(store.probes.withLock { $0 } == 1)
        clock.advance(by: .seconds(2))
        _ = await readiness.fault()
        #expect(store.probes.withLock { $0 } == 2)
    }

    @Test("is not given while the server stops, and is given again when it runs again")
    func stopping() async throws {
        let readiness = readiness(try ProbedStore())
        readiness.setStopping(true)
        #expect(await readiness.fault()?.reason == "the server is shutting down")
        readiness.setStopping(false)
        #expect(await readiness.fault() == nil)
    }

    @Test("tries a commit on SQLite that waits for the disk, and changes nothing")
    func realProbe() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "server.sqlite")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let store = try SQLiteServerStore(file: file)
            let log = URL(filePath: file.path(percentEncoded: false) + "-wal")
            let before = try Data(contentsOf: log).count
            try store.probe()
            #expect(try Data(contentsOf: log).count > before)
            try await store.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 1") }
            #expect(throws: StoreFault.self) { try store.probe() }
            #expect(await readiness(store).fault()?.reason == "the database cannot be written")
        }
    }

    @Test("is not given where the database is damaged")
    func damaged() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "server.sqlite")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let page: Int = try await {
                let store = try SQLiteServerStore(file: file)
                let world = try ServerWorld(store: store)
                for number: UInt64 in 1...50 { _ = try world.create(EventType.sample(number, name: "\(number)")) }
                try await store.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
                try store.checkIntegrity()
                return try await store.database.read {
                    try #require(try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'record'"))
                }
            }()
            var bytes = try Data(contentsOf: file)
            // The pages by which the file is opened stay as they are.
            for index in (page - 1) * 4_096..<page * 4_096 { bytes[index] = 0xA5 }
            try bytes.write(to: file)
            let store = try SQLiteServerStore(file: file)
            let readiness = readiness(store)
            _ = await readiness.fault()
            await readiness.waitForCheck()
            #expect(await readiness.fault()?.reason == "the database is damaged")
        }
    }
}
