public import Foundation
public import TrendyDomain

/// Makes units of work on a store in a SQLite file, for any number of tasks and processes at once.
///
/// Nothing is opened before it is needed. Then a missing file and its folder are made, readable by their owner alone,
/// and a store of an earlier version is migrated. Where the file is missing or empty and the log beside it is not, the
/// store comes back from the log, or is refused as damaged where the log has only a part of it. A write that returned
/// from ``DataStoreProtocol/save()`` survives the death of the process and the loss of power.
public final class LocalStoreFactory: DataStoreFactory {
    /// The file of the store.
    public let path: String
    /// The kinds of record that the store has tables for.
    public let schema: EntitySchema

    let pool: ConnectionPool
    let tables: RecordTables

    /// Makes a factory for the store in a file.
    ///
    /// - Parameters:
    ///   - path: The file; it need not exist.
    ///   - schema: The kinds of record that it holds.
    ///   - migrations: The steps that make the tables of these kinds, oldest first; for kinds of your own beside
    ///     Trendy's four, `StoreMigration.trendy + [yours]`.
    ///   - busyTimeout: How long a unit waits for another that writes, before it throws ``StoreError/busy``.
    ///   - hasHeldRecords: Whether it is known otherwise that the store has held records. Then a file without a byte is
    ///     damaged, and no new store. Asked for such a file alone, where no log is beside it.
    public init(
        path: String, schema: EntitySchema = .trendy, migrations: [StoreMigration] = StoreMigration.trendy,
        busyTimeout: Duration = .seconds(30), hasHeldRecords: @escaping @Sendable () -> Bool = { false }
    ) {
        self.path = path
        self.schema = schema
        tables = RecordTables(schema)
        pool = ConnectionPool(
            opener: StoreOpener(
                path: path, migrations: StoreMigration.engine + migrations, busyTimeout: busyTimeout / .seconds(1),
                hasHeldRecords: hasHeldRecords))
    }

    /// Makes a factory for the store in a file.
    public convenience init(
        url: URL, schema: EntitySchema = .trendy, migrations: [StoreMigration] = StoreMigration.trendy,
        busyTimeout: Duration = .seconds(30)
    ) {
        self.init(path: url.path, schema: schema, migrations: migrations, busyTimeout: busyTimeout)
    }

    /// Opens a unit of work on the store's file.
    public func makeDataStore() throws -> any DataStoreProtocol {
        try LocalStore(pool: pool, tables: tables)
    }

    /// Opens the store now, so that what is wrong with the file is known before there is work for it.
    ///
    /// - Throws: ``StoreError`` where the file cannot be opened, is damaged, or belongs to a newer version.
    public func open() throws(StoreError) {
        pool.giveBack(try pool.take())
    }

    /// Whether there is a store: its file, or a log that was left of it.
    public var exists: Bool { FileManager.default.fileExists(atPath: path) || LeftLog(of: path) != nil }

    /// Makes sure that the file is still the one that was opened first.
    ///
    /// A program that keeps a store open for long should ask this: a change in a file that was removed is seen by
    /// nobody else.
    ///
    /// - Throws: ``StoreError/replaced(path:)``.
    public func requireSameFile() throws(StoreError) {
        try pool.requireSameFile()
    }

    /// Leaves the store open until the process ends, if that costs the next process little.
    ///
    /// Only for a process that ends now. The last one to close a store copies its log into the file and waits twice
    /// for the disk, which takes longer than to log an event. A log that is left is complete, and the next process
    /// reads it.
    public func leaveOpen() {
        pool.leaveOpen()
    }
}
