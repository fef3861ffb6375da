import Foundation
import GRDB
import TrendyDomain

/// Ids and keys as the database has them: a UUID in lower case takes 16 bytes, anything else is text.
enum StoredId {
    static func value(_ text: String) -> DatabaseValue {
        guard let (high, low) = UUIDText.parse(text) else { return text.databaseValue }
        var data = Data(capacity: 16)
        for word in [high, low] { withUnsafeBytes(of: word.bigEndian) { data.append(contentsOf: $0) } }
        return data.databaseValue
    }

    static func text(_ value: DatabaseValue) -> String {
        guard case .blob(let data) = value.storage, data.count == 16 else {
            return String.fromDatabaseValue(value) ?? ""
        }
        func word(_ bytes: Data) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return UUIDText.text(high: word(data.prefix(8)), low: word(data.suffix(8)))
    }
}
