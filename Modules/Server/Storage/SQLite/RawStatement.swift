import Foundation
import GRDB
import GRDBSQLite
import TrendyDomain

/// A statement that is prepared once a connection, and bound and stepped by SQLite's own functions.
///
/// A request writes and asks for thousands of rows, each of which GRDB's lists of values would make as expensive as SQLite
/// does. All parameters are bound each time, from the first. Ids and keys that are UUIDs in lower case take 16 bytes.
struct RawStatement {
    /// Has SQLite copy what is bound.
    private static let copied = unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)

    private let statement: OpaquePointer

    init(_ sql: String, _ database: Database) throws {
        statement = try database.cachedStatement(sql: sql).sqliteStatement
    }

    func bind(_ place: Int32, _ number: Int64?) {
        if let number { sqlite3_bind_int64(statement, place, number) } else { sqlite3_bind_null(statement, place) }
    }

    func bind(_ place: Int32, _ text: String?) {
        guard var text else {
            sqlite3_bind_null(statement, place)
            return
        }
        text.withUTF8 { utf8 in bind(place, text: UnsafeRawBufferPointer(utf8)) }
    }

    /// Binds JSON, which is kept as TEXT, so that the database can be looked at with any tool.
    func bind(_ place: Int32, json: Data?) {
        guard let json else {
            sqlite3_bind_null(statement, place)
            return
        }
        json.withUnsafeBytes { bind(place, text: $0) }
    }

    private func bind(_ place: Int32, text: UnsafeRawBufferPointer) {
        guard let start = text.baseAddress, !text.isEmpty else {
            sqlite3_bind_text(statement, place, "", 0, Self.copied)
            return
        }
        let characters = start.assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text(statement, place, characters, Int32(text.count), Self.copied)
    }

    func bind(_ place: Int32, id: String) {
        guard let (high, low) = UUIDText.parse(id) else {
            bind(place, id)
            return
        }
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
            _ = sqlite3_bind_blob(statement, place, bytes.baseAddress, 16, Self.copied)
        }
    }

    func bind(_ place: Int32, _ key: RecordKey) {
        bind(place, id: key.id)
        bind(place + 1, key.entityType.rawValue)
    }

    /// Tells each row, and makes ready for the next run.
    func forEach(_ body: () throws -> Void) throws {
        try whileTrue {
            try body()
            return true
        }
    }

    /// Tells each row until the body says no, and makes ready for the next run.
    func whileTrue(_ body: () throws -> Bool) throws {
        defer { sqlite3_reset(statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: if try !body() { return }
            case SQLITE_DONE: return
            case let code:
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: code),
                    message: sqlite3_errmsg(sqlite3_db_handle(statement)).map { String(cString: $0) })
            }
        }
    }

    func run() throws { try forEach {} }

    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func optionalNumber(_ column: Int32) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : number(column)
    }

    func text(_ column: Int32) -> String { sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "" }

    func json(_ column: Int32) -> Data? {
        guard let bytes = sqlite3_column_blob(statement, column) else { return nil }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column)))
    }

    func id(_ column: Int32) -> String {
        guard sqlite3_column_type(statement, column) == SQLITE_BLOB, sqlite3_column_bytes(statement, column) == 16,
            let bytes = sqlite3_column_blob(statement, column)
        else { return text(column) }
        return UUIDText.text(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}
