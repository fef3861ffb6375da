import GRDBSQLite

/// Puts the rows of one store into another through SQLite's C interface, with the other's indexes and triggers at work.
///
/// It opens the store as Trendy does, with a log that reaches the disk, and puts 4,000 rows into one transaction.
struct StoreRows {
    let source: String
    let target: String

    struct Failure: Error {
        let message: String
    }

    /// The tables of what an import makes, parents first.
    private static let tables = ["event", "sync_mutation", "sync_payload"]
    private static let rowsPerTransaction = 4000

    func copy() throws {
        let (from, into) = (try Self.open(source), try Self.open(target))
        defer {
            sqlite3_close(from)
            sqlite3_close(into)
        }
        try Self.run("PRAGMA synchronous = FULL; PRAGMA cache_size = -16000", into)
        let readers = try Self.tables.map { try Self.reader($0, from) }
        let writers = try zip(Self.tables, readers).map { try Self.writer($0, $1, into) }
        var isMore = true
        while isMore {
            isMore = false
            try Self.run("BEGIN IMMEDIATE", into)
            for (reader, writer) in zip(readers, writers) {
                var rows = 0
                while rows < Self.rowsPerTransaction, sqlite3_step(reader) == SQLITE_ROW {
                    for column in 0..<sqlite3_column_count(reader) {
                        sqlite3_bind_value(writer, column + 1, sqlite3_column_value(reader, column))
                    }
                    guard sqlite3_step(writer) == SQLITE_DONE else { throw Self.failure(into) }
                    sqlite3_reset(writer)
                    rows += 1
                }
                isMore = isMore || rows == Self.rowsPerTransaction
            }
            try Self.run("COMMIT", into)
        }
        for statement in readers + writers { sqlite3_finalize(statement) }
    }

    private static func open(_ file: String) throws -> OpaquePointer? {
        var database: OpaquePointer?
        guard sqlite3_open(file, &database) == SQLITE_OK else { throw failure(database) }
        return database
    }

    private static func run(_ sql: String, _ database: OpaquePointer?) throws {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure(database) }
    }

    private static func prepare(_ sql: String, _ database: OpaquePointer?) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { throw failure(database) }
        return statement
    }

    private static func reader(_ table: String, _ database: OpaquePointer?) throws -> OpaquePointer? {
        try prepare("SELECT * FROM \(table) ORDER BY rowid", database)
    }

    /// Rows that are there already, like the type of the events, stay as they are.
    private static func writer(
        _ table: String, _ reader: OpaquePointer?, _ database: OpaquePointer?
    ) throws -> OpaquePointer? {
        let marks = (0..<sqlite3_column_count(reader)).map { _ in "?" }.joined(separator: ", ")
        return try prepare("INSERT OR IGNORE INTO \(table) VALUES (\(marks))", database)
    }

    private static func failure(_ database: OpaquePointer?) -> Failure {
        Failure(message: sqlite3_errmsg(database).map { String(cString: $0) } ?? "SQLite fails")
    }
}
