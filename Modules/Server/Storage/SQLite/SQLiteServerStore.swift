public import Foundation
import GRDB
public import TrendyDomain

/// A server's data in one SQLite file, readable while it is written (WAL).
///
/// A commit is on disk before a write returns (`synchronous=FULL`). Several processes may open one file.
public struct SQLiteServerStore: ServerStore {
    let database: any DatabaseWriter
    /// Held for as long as the store is open.
    private let lock: DataLock?
    private let readers: StoreConnections
    private let writer = StoreConnections("write", size: 1)

    /// Opens the file, makes it where there is none, and brings an older one up to date.
    ///
    /// - Throws: ``ServerStartError`` where the file is damaged, newer than this version, being restored or moved, or
    ///   not accessible.
    public init(file: URL) throws(ServerStartError) {
        try self.init(file: file, lock: DataLock(of: file, .shared))
    }

    /// - Parameter lock: What others are kept away by; nil for a file that nobody else knows of.
    init(file: URL, lock: DataLock?) throws(ServerStartError) {
        self.lock = lock
        do {
            let configuration = Self.configuration()
            database = try DatabasePool(path: file.path(percentEncoded: false), configuration: configuration)
            readers = StoreConnections("read", size: configuration.maximumReaderCount)
            try database.writeWithoutTransaction(Self.makeDurable)
            try Self.migrate(database)
        } catch let error as ServerStartError {
            throw error
        } catch {
            throw ServerStartError(opening: file, error)
        }
    }

    /// Opens a store that lives in memory and ends with this value: for tests and simulations.
    public init(inMemoryNamed name: String? = nil) throws(ServerStartError) {
        lock = nil
        do {
            database = try DatabaseQueue(named: name, configuration: Self.configuration())
            readers = StoreConnections("read", size: 1)
            try Self.migrate(database)
        } catch {
            throw .corruptStore(file: "memory", reason: "\(error)")
        }
    }

    /// Those that read, and the one that writes.
    public var connections: [StoreConnections] { [readers, writer] }

    /// Runs the body on one state of the data, beside other reads and writes.
    public func read<Value>(_ userId: String, _ body: (any RecordTransaction) throws -> Value) throws -> Value {
        try reading { try body(SQLiteRecords($0, userId: userId)) }
    }

    /// Carries out the jobs in one transaction with a savepoint each: they share one wait for the disk.
    public func write(_ jobs: [WriteJob]) {
        do {
            let ends = try writing { database in
                try jobs.map { try Self.attempt($0, database, isAlone: jobs.count == 1) }
            }
            for end in ends { end() }
        } catch {
            for job in jobs { job.fail(error) }
        }
    }

    /// Runs a job, and undoes it where it throws. Answers what to do after the commit.
    ///
    /// - Throws: What has ended the transaction, with everything that was done in it.
    private static func attempt(
        _ job: WriteJob, _ database: Database, isAlone: Bool
    ) throws -> @Sendable () -> Void {
        let run = { try job.run(SQLiteRecords(database, userId: job.userId)) }
        if isAlone { return try run() }
        do {
            return try naming { try database.savepoint(run) }
        } catch {
            guard database.isInsideTransaction else { throw error }
            return { job.fail(error) }
        }
    }

    /// Reads them from one state of the data.
    public func heads(of userIds: Set<String>) throws -> [String: ServerHead] {
        try reading { database in
            let query = try RawStatement("SELECT epoch, head FROM history WHERE user_id = ?", database)
            var heads: [String: ServerHead] = [:]
            for userId in userIds {
                query.bind(1, userId)
                try query.forEach { heads[userId] = ServerHead(epoch: query.text(0), head: query.number(1)) }
            }
            return heads
        }
    }

    /// Reads them from one state of the data.
    public func userIds(after userId: String?, limit: Int) throws -> [String] {
        try reading { database in
            try database.rows(
                "SELECT user_id FROM history WHERE user_id > ? ORDER BY user_id LIMIT ?",
                [userId ?? "", limit]
            ).map { $0[0] }
        }
    }

    /// Runs the body on one state of all accounts.
    public func readAccounts<Value>(_ body: (any AccountStorage) throws -> Value) throws -> Value {
        try reading { try body(SQLiteAccounts(database: $0)) }
    }

    /// Runs the body in a transaction; what it throws undoes everything.
    public func writeAccounts<Value>(_ body: (any AccountStorage) throws -> Value) throws -> Value {
        try writing { try body(SQLiteAccounts(database: $0)) }
    }

    func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.naming {
            try readers.count {
                try database.unsafeRead { database in try database.transaction(for: .reading) { try body(database) } }
            }
        }
    }

    private func writing<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.naming {
            try writer.count {
                try database.writeWithoutTransaction { database in
                    try database.transaction(for: .writing) { try body(database) }
                }
            }
        }
    }

    /// Seconds that a transaction waits for those of other processes.
    private static let busyTimeout = 10.0

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.label = "trendy.server"
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 1000")
        }
        return configuration
    }

    /// Has each commit wait for the disk, on the one connection that writes.
    ///
    /// Not in `prepareDatabase`: after that the pool switches to the log, and to `synchronous=NORMAL` with it, by
    /// which the disk is waited for at checkpoints alone.
    private static func makeDurable(_ database: Database) throws {
        try database.execute(sql: "PRAGMA synchronous = FULL")
        #if canImport(Darwin)
            // There fsync leaves the data in the drive's cache.
            try database.execute(sql: "PRAGMA fullfsync = 1")
        #endif
    }

    private static func migrate(_ database: any DatabaseWriter) throws {
        let migrator = ServerSchema.migrator
        if try database.read(ServerSchema.isOfDevelopment) { throw ServerStartError.developmentStore }
        if try database.read(migrator.hasBeenSuperseded) {
            throw ServerStartError.newerStore
        }
        try migrator.migrate(database)
    }

    /// Turns what passes by itself (a busy or full database) into an answer that says so.
    private static func naming<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_FULL].contains(error.resultCode) {
            throw ServerProblem(
                .unavailable, "the server's storage is busy or full; try again", retryAfter: 5, cause: "\(error)")
        }
    }
}
