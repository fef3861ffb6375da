import GRDB
import Synchronization
import TrendyDomain

/// A unit of work on a SQLite store; made by ``LocalStoreFactory``.
///
/// It has a connection of its own. The first write opens a transaction that ``save()`` commits; reads
/// before that each see what was committed last.
final class LocalStore: DataStoreProtocol {
    private let pool: ConnectionPool
    private let tables: RecordTables
    private let connection: DatabaseQueue
    private var isWriting = false
    /// Whether this unit has freed pages of the file.
    private var isFreeing = false
    /// Whether the connection's commits wait for the disk.
    private var isDurable = true
    /// Why a write failed. Nothing of the unit can be saved then.
    private var failure: StoreError?

    init(pool: ConnectionPool, tables: RecordTables) throws(StoreError) {
        self.pool = pool
        self.tables = tables
        connection = try pool.take()
    }

    deinit {
        guard isWriting || !isDurable else { return pool.giveBack(connection) }
        let isClean = connection.inDatabase { database in
            try? database.rollback()
            return !database.isInsideTransaction && (isDurable || (try? database.run(Self.durable)) != nil)
        }
        if isClean { pool.giveBack(connection) }
    }

    func begin() throws { try begin(isDurable: true) }

    func beginRepeatable() throws { try begin(isDurable: false) }

    private func begin(isDurable: Bool) throws {
        if let failure { throw failure }
        if isWriting { return }
        if isDurable != self.isDurable {
            // SQLite changes this outside of transactions only.
            try access { try $0.run(isDurable ? Self.durable : Self.repeatable) }
            self.isDurable = isDurable
        }
        try access { try $0.run("BEGIN IMMEDIATE") }
        isWriting = true
    }

    private static let durable = "PRAGMA synchronous = FULL"
    private static let repeatable = "PRAGMA synchronous = NORMAL"

    func save() throws {
        guard isWriting else { return }
        isWriting = false
        if let failure {
            self.failure = nil
            rollBack()
            throw failure
        }
        do {
            try access { database in
                try FileSpace.giveBack(database, inBulk: isFreeing)
                try database.run("COMMIT")
            }
            isFreeing = false
        } catch {
            rollBack()
            throw error
        }
    }

    /// Says that this unit frees pages, and that others like it most likely follow.
    func noteFreedPages() { isFreeing = true }

    /// Reads; sees what this unit has written.
    func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try access(body)
    }

    /// Writes under the write lock. Where it throws, the unit can no longer be saved.
    func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try begin()
        do {
            return try access(body)
        } catch {
            failure = error
            throw error
        }
    }

    /// The table of a kind.
    func table(of type: any SyncEntity.Type) throws(StoreError) -> RecordTable {
        try tables.table(of: type.entityType)
    }

    /// The same for the name of a kind.
    func table(of entityType: EntityType) throws(StoreError) -> RecordTable {
        try tables.table(of: entityType)
    }

    /// The tables of all kinds.
    func allTables() throws(StoreError) -> [RecordTable] {
        var all: [RecordTable] = []
        for type in tables.schema.types { all.append(try table(of: type)) }
        return all
    }

    private func rollBack() {
        // If SQLite has rolled back by itself, there is nothing to do.
        try? connection.inDatabase { try $0.rollback() }
    }

    private func access<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        do {
            return try connection.inDatabase(body)
        } catch {
            throw StoreError(error, path: pool.opener.path)
        }
    }
}

/// The tables of all kinds that a store knows.
final class RecordTables: Sendable {
    let schema: EntitySchema
    /// Made when first asked for: a short-lived process uses one or two of them.
    private let tables = Mutex<[EntityType: RecordTable]>([:])

    init(_ schema: EntitySchema) {
        self.schema = schema
    }

    func table(of entityType: EntityType) throws(StoreError) -> RecordTable {
        if let table = tables.withLock({ $0[entityType] }) { return table }
        guard let type = schema.type(for: entityType) else { throw .unknownEntityType(entityType) }
        let table = RecordTable(type)
        tables.withLock { $0[entityType] = table }
        return table
    }
}

extension Database {
    /// A prepared statement with its arguments, kept for the next time.
    ///
    /// `BEGIN` and `COMMIT` go this way too: to compile a statement, GRDB sets its authorizer anew, on which SQLite
    /// lets all prepared statements expire.
    func prepared(_ sql: String, _ arguments: [DatabaseValue] = []) throws -> Statement {
        let statement = try cachedStatement(sql: sql)
        // Unchecked: every statement here is written beside its arguments, and checking takes longer than binding.
        statement.setUncheckedArguments(arguments.bindable)
        return statement
    }

    /// Runs a prepared statement.
    func run(_ sql: String, _ arguments: [DatabaseValue] = []) throws {
        try prepared(sql, arguments).execute()
    }
}

extension [DatabaseValue] {
    /// The values as GRDB takes them.
    ///
    /// Optional existentials on purpose: for values of one type GRDB walks a generic key path, which takes longer than
    /// the query by an index that follows.
    fileprivate var bindable: StatementArguments {
        var values: [(any DatabaseValueConvertible)?] = []
        values.reserveCapacity(count)
        for value in self { values.append(value) }
        return StatementArguments(values)
    }
}

extension Statement {
    /// Reads the first row while the statement stands on it; nil where there is none.
    func first<Result>(_ read: () throws -> Result) throws -> Result? {
        let rows = try StandingRow.fetchCursor(self)
        // The cursor resets the statement when it goes.
        return try withExtendedLifetime(rows) { try rows.next() == nil ? nil : try read() }
    }

    /// Reads each row while the statement stands on it.
    func forEach(_ read: () throws -> Void) throws {
        let rows = try StandingRow.fetchCursor(self)
        while try rows.next() != nil { try read() }
    }
}

/// Says only that a statement stands on a row: a `Row` of GRDB looks the names of all columns up first.
private struct StandingRow: DatabaseValueConvertible, StatementColumnConvertible {
    init() {}

    init?(sqliteStatement: SQLiteStatement, index: CInt) {}

    var databaseValue: DatabaseValue { .null }

    static func fromDatabaseValue(_ value: DatabaseValue) -> StandingRow? { StandingRow() }

    static func fromStatement(_ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt) -> StandingRow? {
        StandingRow()
    }
}
