import Foundation
import GRDB
import TrendyDomain

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension LocalStoreFactory {
    /// Puts what a backup holds in the place of what the store holds, in one transaction.
    ///
    /// Every open change of the backup counts as sent, because it may have been sent since.
    ///
    /// Other processes that have the store open see the old contents or the new ones, and go on with the new. A crash
    /// at any moment leaves one of the two. What the store held is kept in a file of its own; nothing that was
    /// written before the contents changed is missing from it. Where the store is damaged, or is none, its files are
    /// moved aside as they are: other processes that have them open go on with them, and see the new store only once
    /// they are started anew.
    ///
    /// - Parameters:
    ///   - path: The backup; it is not changed.
    ///   - inspected: What ``inspectBackup(at:progress:)`` found in it; it is not looked through for damage again,
    ///     and refused where it was changed since.
    ///   - previous: Where to keep what the store held; there must be no such file.
    ///   - forgetting: Names of metadata that mean nothing in the restored store, such as the engine's lease.
    ///   - permit: Reads the store's metadata while nobody can write, and throws if the store must not be replaced
    ///     now.
    ///   - progress: Told how far it is, from another thread.
    /// - Returns: What the store holds then.
    /// - Throws: ``StoreError``, or what `permit` throws, or `CancellationError` where the task was cancelled in time;
    ///   the store is as it was.
    @concurrent
    @discardableResult
    public func restore(
        from path: String, inspected: StoreSummary? = nil, keepingPreviousAt previous: String,
        forgetting: [String] = [],
        permit: @Sendable (_ metadata: (_ key: String) throws -> String?) throws -> Void = { _ in },
        progress: @escaping @Sendable (StoreCopyProgress) -> Void = { _ in }
    ) async throws -> StoreSummary {
        let temporary = "\(self.path).\(getpid()).restore"
        defer { Self.removeFiles(of: temporary) }
        return try await CopyWatch.during(progress) { watch in
            var summary = try load(path, into: temporary, watch, inspected: inspected)
            try prepare(temporary, forgetting)
            summary.isPreviousDamaged = try put(temporary, keepingPreviousAt: previous, watch, permit)
            return summary
        }
    }

    /// Puts a copy in the place of the store.
    ///
    /// - Returns: Whether what was there is damaged, and was moved aside as it was.
    private func put(
        _ temporary: String, keepingPreviousAt previous: String, _ watch: CopyWatch,
        _ permit: (_ metadata: (_ key: String) throws -> String?) throws -> Void
    ) throws -> Bool {
        try watch.proceed(.replacing)
        // A log that was left would be read into the backup.
        guard FileManager.default.fileExists(atPath: self.path) || LeftLog(of: self.path) != nil else {
            try moveIntoPlace(temporary)
            return false
        }
        do {
            try open()
            try replaceContents(from: temporary, keepingPreviousAt: previous, watch, permit)
            return false
        } catch StoreError.corrupt {
            // A store opens where one page of many is damaged. What cannot be copied is kept byte for byte.
            try moveAside(to: previous)
            try moveIntoPlace(temporary)
            return true
        }
    }

    /// Prepares a copy of a store from the past.
    private func prepare(_ path: String, _ keys: [String]) throws {
        let opener = StoreOpener(path: path, migrations: pool.opener.migrations, busyTimeout: 30)
        let store = try opener.open()
        do {
            try store.inDatabase { database in
                for key in keys {
                    try database.execute(sql: "DELETE FROM sync_metadata WHERE key = ?", arguments: [key])
                }
                // The open changes of the backup may have been sent since. So no later edit joins them, and each goes
                // again under its key, as after a crash in the middle of a request.
                try database.execute(sql: "UPDATE sync_mutation SET state = 'sending' WHERE state = 'queued'")
                // One file alone is moved and attached from here on.
                try database.execute(sql: "PRAGMA journal_mode = DELETE")
            }
            try store.close()
            try Disk.sync(path)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    // MARK: A store that is whole

    private func replaceContents(
        from temporary: String, keepingPreviousAt previous: String, _ watch: CopyWatch,
        _ permit: (_ metadata: (_ key: String) throws -> String?) throws -> Void
    ) throws {
        let writer = try pool.opener.open()
        let calls = BodyCalls()
        do {
            try writer.inDatabase { database in
                try database.execute(sql: "ATTACH DATABASE ? AS restored", arguments: [temporary])
                try watch.working(on: writer) {
                    try swap(database, keepingPreviousAt: previous, watch, permit, calls)
                }
                // From here on it is done, whatever happens to a connection that nobody else has.
                try? database.execute(sql: "DETACH DATABASE restored")
            }
            try? writer.close()
        } catch {
            if let refusal = calls.failure { throw refusal }
            throw StoreError(error, path: path)
        }
    }

    private func swap(
        _ database: Database, keepingPreviousAt previous: String, _ watch: CopyWatch,
        _ permit: (_ metadata: (_ key: String) throws -> String?) throws -> Void, _ calls: BodyCalls
    ) throws {
        var isKept = false
        do {
            try database.inTransaction(.immediate) {
                try calls.make {
                    try permit { try metadata($0, in: database) }
                }
                // Nobody writes until the transaction ends, and it has not changed anything yet.
                try keep(at: previous, watch)
                isKept = true
                try ContentSwap(database: database, source: "restored").run { try watch.proceed(.replacing) }
                try watch.proceed(.replacing)
                return .commit
            }
        } catch {
            // The store has what was kept.
            if isKept, watch.isCancelled { Self.removeFiles(of: previous) }
            throw error
        }
    }

    /// - Throws: ``StoreError``, also through who asks: damage is told from a refusal.
    private func metadata(_ key: String, in database: Database) throws -> String? {
        do {
            return try String.fetchOne(
                database, sql: "SELECT value FROM main.sync_metadata WHERE key = ?", arguments: [key])
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private func keep(at previous: String, _ watch: CopyWatch) throws {
        guard !FileManager.default.fileExists(atPath: previous) else {
            throw StoreError.inaccessible("\(previous) exists already; move it away")
        }
        let temporary = "\(previous).\(getpid()).part"
        defer { Self.removeFiles(of: temporary) }
        let reader = try pool.take()
        defer { pool.giveBack(reader) }
        _ = try StoreCopy(schema: schema, tables: tables, watch: watch).make(
            of: reader, at: temporary, for: previous)
        try StoreCopy.rename(temporary, to: previous)
    }

    // MARK: A store that is damaged, or none

    private func moveAside(to previous: String) throws {
        guard !FileManager.default.fileExists(atPath: previous) else {
            throw StoreError.inaccessible("\(previous) exists already; move it away")
        }
        pool.forgetFile()
        for suffix in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: path + suffix) {
            try StoreCopy.rename(path + suffix, to: previous + suffix)
        }
    }

    private func moveIntoPlace(_ temporary: String) throws {
        pool.forgetFile()
        try StoreCopy.rename(temporary, to: path)
    }
}

/// Puts the tables of an attached database in the place of the tables of the main one, within a transaction.
struct ContentSwap {
    let database: Database
    /// The name under which the other is attached.
    let source: String

    private struct Item {
        let name: String
        let sql: String
    }

    /// Tables are made anew, filled, and indexed only then, which takes a fraction of the time.
    ///
    /// - Parameter step: Called before each table and each index; what it throws ends the work.
    func run(_ step: () throws -> Void) throws {
        for table in try items("table", in: "main") {
            try database.execute(sql: "DROP TABLE main.\(table.name.quotedForSQL)")
        }
        for table in try items("table", in: source) {
            try step()
            try database.execute(sql: table.sql)
            let name = table.name.quotedForSQL
            try database.execute(sql: "INSERT INTO main.\(name) SELECT * FROM \(source).\(name)")
        }
        for index in try items("index", in: source) {
            try step()
            try database.execute(sql: index.sql)
        }
        // Only now: the numbers that they keep were copied with the tables.
        for trigger in try items("trigger", in: source) { try database.execute(sql: trigger.sql) }
        try copySequence()
    }

    private func items(_ kind: String, in schema: String) throws -> [Item] {
        let sql = "SELECT name, sql FROM \(schema).sqlite_master WHERE type = ? AND sql IS NOT NULL"
        return try Row.fetchAll(database, sql: sql, arguments: [kind])
            .map { Item(name: $0[0], sql: $0[1]) }
            .filter { !$0.name.hasPrefix("sqlite_") }
    }

    /// The numbers that were given already, so that none is given twice.
    private func copySequence() throws {
        try database.execute(
            sql: """
                DELETE FROM main.sqlite_sequence;
                INSERT INTO main.sqlite_sequence SELECT * FROM \(source).sqlite_sequence;
                """)
    }
}
