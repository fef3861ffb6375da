import Foundation
import GRDB
import TrendyDomain

/// The SQL that finds records by the end of their id, in either case.
enum IdentifierSQL {
    /// As many digits of a UUID as the index of the events' tails has; of another id it has half as many characters.
    private static let tail = 6

    static func ids(
        in table: RecordTable, endingWith suffix: String, limit: Int
    ) -> (sql: String, arguments: [DatabaseValue]) {
        let digits = uuidDigits(suffix.lowercased())
        var arguments = [suffix.lowercased().databaseValue, suffix.unicodeScalars.count.databaseValue]
        let isText = "(typeof(id) = 'text' AND lower(substr(id, -?2)) = ?1)"
        var condition = isText
        if let digits {
            arguments += [digits.databaseValue, digits.count.databaseValue]
            condition = "(\(isText) OR (typeof(id) = 'blob' AND substr(hex(id), -?4) = ?3))"
        }
        if suffix.unicodeScalars.count >= tail {
            let tails = tails(of: suffix, digits)
            let marks = tails.indices.map { "?\(arguments.count + $0 + 1)" }
            arguments += tails
            condition += " AND substr(id, -\(tail / 2)) IN (\(marks.joined(separator: ", ")))"
        }
        arguments.append(limit.databaseValue)
        return ("\(table.findIds) WHERE \(condition) ORDER BY id LIMIT ?\(arguments.count)", arguments)
    }

    /// The digits of a UUID that ends with the text, as SQLite writes them; nil where none ends so.
    private static func uuidDigits(_ suffix: String) -> String? {
        let bytes = Array(suffix.utf8)
        guard bytes.count <= 36 else { return nil }
        let start = 36 - bytes.count
        let fits = bytes.indices.allSatisfy { index in
            let isHyphen = bytes[index] == UInt8(ascii: "-")
            let isDigit = "0123456789abcdef".utf8.contains(bytes[index])
            return UUIDText.isHyphen(start + index) ? isHyphen : isDigit
        }
        return fits ? suffix.filter { $0 != "-" }.uppercased() : nil
    }

    /// What the index may hold for an id that ends so.
    private static func tails(of suffix: String, _ digits: String?) -> [DatabaseValue] {
        // Texts are in lower case but on servers with habits of their own.
        let end = suffix.suffix(tail / 2)
        var tails = [String(end).databaseValue, end.lowercased().databaseValue, end.uppercased().databaseValue]
        if let digits, let number = UInt32(digits.suffix(tail), radix: 16) {
            tails.append(withUnsafeBytes(of: number.bigEndian) { Data($0.suffix(tail / 2)) }.databaseValue)
        }
        return tails
    }
}
