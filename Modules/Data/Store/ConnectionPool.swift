import GRDB
import Synchronization
import TrendyDomain

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Connections to one store: opened when needed, kept for reuse with their prepared statements.
final class ConnectionPool: Sendable {
    /// More than this many at rest are closed: so many readers and writers at once are rare.
    private static let maximumIdle = 4
    /// How many bytes of a log may be left behind: as many as a score of changes write, and read in no time.
    private static let longestLog = 1 << 20

    let opener: StoreOpener
    private let idle = Mutex<[DatabaseQueue]>([])

    init(opener: StoreOpener) {
        self.opener = opener
    }

    /// A connection that nobody else uses, until it is given back.
    func take() throws(StoreError) -> DatabaseQueue {
        if let connection = idle.withLock({ $0.popLast() }) { return connection }
        return try opener.open()
    }

    /// Keeps a connection for the next user. It must not be inside a transaction.
    func giveBack(_ connection: DatabaseQueue) {
        idle.withLock { idle in
            if idle.count < Self.maximumIdle { idle.append(connection) }
        }
    }

    /// Closes the connections at rest: those to a file that is moved away would go on with it.
    func closeIdle() {
        let connections = idle.withLock { idle in
            defer { idle = [] }
            return idle
        }
        for connection in connections { try? connection.close() }
    }

    /// Never closes the connections at rest, unless the log has become long: whoever opens the store next reads it.
    func leaveOpen() {
        var log = stat()
        guard stat(opener.path + "-wal", &log) == 0, log.st_size <= Self.longestLog else { return }
        idle.withLock { idle in
            for connection in idle { _ = Unmanaged.passRetained(connection) }
        }
    }

    /// Reads with a connection of the pool.
    func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        let connection = try take()
        defer { giveBack(connection) }
        do {
            return try connection.inDatabase(body)
        } catch {
            throw StoreError(error, path: opener.path)
        }
    }

    /// Reads with a connection of the pool, several times from one and the same state of the store.
    func readSnapshot<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try read { database in
            var result: Result?
            try database.inTransaction(.deferred) {
                result = try body(database)
                return .commit
            }
            guard let result else { throw StoreError.failed("a read gave no result") }
            return result
        }
    }
}
