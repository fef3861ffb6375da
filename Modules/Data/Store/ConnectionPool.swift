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

/// Connections to one file: opened when needed, kept for reuse with their prepared statements.
///
/// The first connection makes the file where there is none. Later ones are to the same file or to none: a second file
/// at the path is another store, and half of the work would go there.
final class ConnectionPool: Sendable {
    /// More than this many at rest are closed: so many readers and writers at once are rare.
    private static let maximumIdle = 4
    /// How many bytes of a log may be left behind: as many as a score of changes write, and read in no time.
    private static let longestLog = 1 << 20

    let opener: StoreOpener
    private let state = Mutex(State())

    private struct State {
        var idle: [DatabaseQueue] = []
        /// The file that the connections are to; nil before the first.
        var file: FileIdentity?
    }

    init(opener: StoreOpener) {
        self.opener = opener
    }

    /// A connection that nobody else uses, until it is given back.
    ///
    /// - Throws: ``StoreError``; ``StoreError/replaced(path:)`` where a new one would be to another file than those
    ///   before.
    func take() throws(StoreError) -> DatabaseQueue {
        let (connection, file) = state.withLock { ($0.idle.popLast(), $0.file) }
        if let connection { return connection }
        let opened = try opener.open(expecting: file)
        let found = FileIdentity(opener.path)
        let known = state.withLock { state in
            if state.file == nil { state.file = found }
            return state.file
        }
        guard found == known else { throw .replaced(path: opener.path) }
        return opened
    }

    /// Keeps a connection for the next user. It must not be inside a transaction.
    func giveBack(_ connection: DatabaseQueue) {
        state.withLock { state in
            if state.idle.count < Self.maximumIdle { state.idle.append(connection) }
        }
    }

    /// Makes sure that the path still leads to the file of the connections.
    ///
    /// Others do not see what is written to a file that was removed or replaced.
    func requireSameFile() throws(StoreError) {
        if let file = state.withLock({ $0.file }) { try opener.require(file) }
    }

    /// Forgets the file, and closes the connections at rest: those to a file that is moved away would go on with it.
    func forgetFile() {
        let connections = state.withLock { state in
            defer { state = State() }
            return state.idle
        }
        for connection in connections { try? connection.close() }
    }

    /// Never closes the connections at rest, unless the log has become long: whoever opens the store next reads it.
    func leaveOpen() {
        var log = stat()
        guard stat(opener.path + "-wal", &log) == 0, log.st_size <= Self.longestLog else { return }
        state.withLock { state in
            for connection in state.idle { _ = Unmanaged.passRetained(connection) }
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
