import Foundation
import GRDB
import TrendyDomain

/// Brings a store into its newest shape, also when several processes try to at once.
///
/// A table lists the names of the migrations that a store has been through. GRDB's own migrator does
/// the same, but it costs every start of a short-lived process more than its whole work.
struct StoreMigrator {
    let migrations: [StoreMigration]
    let path: String

    private static let table = "sync_migration"
    /// The SQL that names the last step that a store has been through.
    static let newestStep = "SELECT name FROM \(table) ORDER BY rowid DESC LIMIT 1"

    /// True where the store has been through exactly the migrations that this version knows.
    ///
    /// This is all that an ordinary opening does.
    func isComplete(_ database: Database) throws -> Bool {
        // The table is missing in a new store.
        guard let applied = try? appliedNames(database) else { return false }
        guard Set(applied) == Set(migrations.map(\.name)) else { return false }
        return try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal"
    }

    /// The steps of the versions before the first release, whose stores are not opened.
    private static let developmentSteps: Set = [
        "sync-1", "sync-2", "sync-3", "trendy-1", "trendy-2", "trendy-3", "exchange-1",
    ]

    /// Applies the migrations that are missing, in one transaction each, in write-ahead mode.
    ///
    /// - Throws: ``StoreError/newerVersion(found:supported:)`` or ``StoreError/developmentVersion(path:)``, with the
    ///   store as it was, where it has been through migrations that are not known here.
    func migrate(_ database: Database, waitingUpTo timeout: TimeInterval) throws {
        let deadline = Date(timeIntervalSinceNow: timeout)
        while true {
            do {
                try refuseForeign(database)
                // It has to come before the first table, and does nothing to a store that has one.
                try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
                try switchToWriteAheadLog(database)
                try applyMissing(database)
                return
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && Date() < deadline {
                // SQLite does not wait by itself where two connections switch the mode at once.
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    /// Throws, without a change, where a database is no store that this version can read.
    func refuse(_ database: Database) throws {
        guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0 > 0 else {
            throw StoreError.corrupt("\(path) is empty, and no store of records; name another file")
        }
        try refuseForeign(database)
    }

    private func switchToWriteAheadLog(_ database: Database) throws {
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw StoreError.inaccessible("\(path): the file system does not allow SQLite's write-ahead log")
        }
    }

    private func applyMissing(_ database: Database) throws {
        try database.inTransaction(.immediate) {
            try refuseForeign(database)
            try database.execute(sql: "CREATE TABLE IF NOT EXISTS \(Self.table) (name TEXT PRIMARY KEY NOT NULL)")
            let applied = Set(try appliedNames(database))
            for migration in migrations where !applied.contains(migration.name) {
                try migration.apply(SchemaEditor(database: database))
                try database.execute(sql: "INSERT INTO \(Self.table) VALUES (?)", arguments: [migration.name])
            }
            return .commit
        }
    }

    /// Throws where the database belongs to another version or is no store at all.
    private func refuseForeign(_ database: Database) throws {
        // One statement: between two, another process may make the tables of a new store.
        let sql = "SELECT count(*), count(*) FILTER (WHERE name = '\(Self.table)') FROM sqlite_master"
        let counts = try Row.fetchOne(database, sql: sql)
        if counts?[0] == 0 { return }
        if counts?[1] == 0 {
            throw StoreError.corrupt("\(path) is a database, but no store of records; name another folder")
        }
        let known = Set(migrations.map(\.name))
        let unknown = try appliedNames(database).filter { !known.contains($0) }
        if unknown.isEmpty { return }
        if unknown.contains(where: Self.developmentSteps.contains) { throw StoreError.developmentVersion(path: path) }
        throw StoreError.newerVersion(
            found: unknown.joined(separator: ", "), supported: migrations.last?.name ?? "none")
    }

    /// The migrations that the store has been through, in that order.
    private func appliedNames(_ database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "SELECT name FROM \(Self.table) ORDER BY rowid")
    }
}
