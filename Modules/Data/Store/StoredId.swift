import Foundation
import GRDB
import TrendyDomain

/// How ids are stored: UUIDs in lower case as 16 bytes, all others as text.
///
/// The columns of ids and of references to parents have this form. What is read is always the same text again. SQLite
/// sorts texts before bytes, which makes the order of the columns that of ``IdOrder``.
enum StoredId {
    /// An id as it is stored.
    static func value(_ id: String) -> DatabaseValue {
        uuid(id) ?? stored(.text(id))
    }

    /// The bytes of a UUID in lower case; nil for any other id.
    private static func uuid(_ id: String) -> DatabaseValue? {
        guard let (high, low) = UUIDText.parse(id) else { return nil }
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }.databaseValue
    }

    /// An id as it is stored, of the value that a text column would have.
    static func stored(_ column: DatabaseValue) -> DatabaseValue {
        switch column.storage {
        case .string(let text) where text.utf8.count == 36: uuid(text) ?? column
        // Texts with a NUL are bytes in every column. 16 of them would be taken for a UUID, and no UTF-8 begins with
        // FF.
        case .blob(let bytes) where bytes.count == 16: (Data([0xFF]) + bytes).databaseValue
        default: column
        }
    }

    /// The value that a text column would have, of an id as it is stored.
    static func plain(_ stored: DatabaseValue) -> DatabaseValue {
        guard case .blob(let bytes) = stored.storage else { return stored }
        guard bytes.count == 16 else { return bytes.first == 0xFF ? bytes.dropFirst().databaseValue : stored }
        let (high, low) = bytes.withUnsafeBytes { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        return UUIDText.text(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low)).databaseValue
    }

    /// The id that a column holds; nil where it holds none.
    static func text(_ stored: DatabaseValue) -> String? { plain(stored).text }

    /// The function `trendy_id` of SQL, which makes of a text the id as it is stored: no SQLite before 3.41 makes
    /// bytes of hexadecimal digits.
    static let function = DatabaseFunction("trendy_id", argumentCount: 1, pure: true) { values in
        stored(values[0])
    }

    /// The SQL of the ids in a JSON array, which is the argument with this mark.
    static func list(_ mark: String = "?") -> String { "(SELECT trendy_id(value) FROM json_each(\(mark)))" }
}

extension Statement {
    /// The ids in the first column of all rows.
    func fetchIds() throws -> [String] {
        var ids: [String] = []
        try forEach {
            if let id = StoredId.text(DatabaseValue(sqliteStatement: sqliteStatement, index: 0)) { ids.append(id) }
        }
        return ids
    }
}
