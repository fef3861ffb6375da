import GRDB
import GRDBSQLite

/// A statement that is run for many rows, bound and stepped by SQLite's own functions.
///
/// GRDB's lists of arguments would make a row as expensive as SQLite does.
struct RowStatement {
    private let statement: SQLiteStatement

    init(_ sql: String, _ database: Database) throws {
        statement = try database.cachedStatement(sql: sql).sqliteStatement
        // GRDB leaves a statement that it has run as it is until it runs it again. SQLite binds only to one at rest.
        sqlite3_reset(statement)
    }

    /// Runs it with all its arguments.
    func run(_ values: [DatabaseValue]) throws {
        let code = step(values)
        if code != SQLITE_DONE { throw failure(code) }
    }

    /// Inserts a row with all its arguments.
    ///
    /// - Returns: False where a row with the same primary key is there.
    func insert(_ values: [DatabaseValue]) throws -> Bool {
        switch step(values) {
        case SQLITE_DONE: return true
        case SQLITE_CONSTRAINT where sqlite3_extended_errcode(connection) == Self.isThere: return false
        case let code: throw failure(code)
        }
    }

    /// SQLITE_CONSTRAINT_PRIMARYKEY, a macro that Swift does not see.
    private static let isThere = SQLITE_CONSTRAINT | (6 << 8)

    private var connection: OpaquePointer? { sqlite3_db_handle(statement) }

    /// - Returns: The primary result code; the statement is ready for the next row.
    private func step(_ values: [DatabaseValue]) -> CInt {
        var place: CInt = 0
        for value in values {
            place += 1
            let code = value.bind(to: statement, at: place)
            if code != SQLITE_OK { return code }
        }
        var code = sqlite3_step(statement)
        while code == SQLITE_ROW { code = sqlite3_step(statement) }
        sqlite3_reset(statement)
        return code & 0xFF
    }

    private func failure(_ code: CInt) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: sqlite3_errmsg(connection).map { String(cString: $0) })
    }
}
