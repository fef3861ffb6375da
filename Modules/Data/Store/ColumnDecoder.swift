import Foundation
import GRDB
import TrendyDomain

/// Makes a record from the columns of a row; the counterpart of ``ColumnEncoder``.
struct ColumnDecoder: Decoder {
    /// Reads the columns of the row that a statement stands on.
    final class Row {
        let table: RecordTable
        private let statement: SQLiteStatement
        private var next = 0

        init(table: RecordTable, statement: Statement) {
            self.table = table
            self.statement = statement.sqliteStatement
        }

        /// Goes back to the first column, for the next row.
        func rewind() { next = 0 }

        func value(at place: Int) -> DatabaseValue {
            let value = DatabaseValue(sqliteStatement: statement, index: CInt(place))
            return place < table.isId.count && table.isId[place] ? StoredId.plain(value) : value
        }

        /// The column of a field; nil where the kind does not name it.
        func place(of key: some CodingKey) -> Int? {
            let name = key.stringValue
            if next < table.fields.count, table.fields[next] == name {
                next += 1
                return next - 1
            }
            guard let place = table.places[name] else { return nil }
            next = place + 1
            return place
        }
    }

    let row: Row

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ColumnContainer<Key>(row: row))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.notKeyed }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Self.notKeyed }

    private static var notKeyed: DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "a record is read field by field"))
    }
}

private struct ColumnContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let row: ColumnDecoder.Row

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { row.table.fields.compactMap { Key(stringValue: $0) }.filter(contains) }

    func contains(_ key: Key) -> Bool {
        row.table.places[key.stringValue].map { !row.value(at: $0).isNull } ?? false
    }

    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(key).string() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key).bool() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(key).double() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { Float(try scalar(key).double()) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(key).integer() }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(key).integer() }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(key).integer() }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(key).integer() }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(key).integer() }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(key).integer() }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(key).integer() }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(key).integer() }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(key).integer() }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(key).integer() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try nested(scalar(key), type)
    }

    // Written out so that a field is looked up and read once; the default ones do it three times.
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try present(key)?.string() }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try present(key)?.bool() }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try present(key)?.double() }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try present(key)?.integer() }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key).map { try nested($0, type) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw refusal(key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw refusal(key) }
    func superDecoder() throws -> any Decoder { ColumnDecoder(row: row) }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw refusal(key) }

    private func nested<Value: Decodable>(_ column: ScalarDecoder, _ type: Value.Type) throws -> Value {
        if type == Timestamp.self, let moment = Timestamp(milliseconds: try column.integer()) as? Value {
            return moment
        }
        return try NestedValue.read(type, column.value, column.key)
    }

    private func scalar(_ key: Key) throws -> ScalarDecoder {
        guard let column = present(key) else {
            throw DecodingError.valueNotFound(
                String.self, .init(codingPath: [key], debugDescription: "the column is empty"))
        }
        return column
    }

    private func present(_ key: Key) -> ScalarDecoder? {
        guard let place = row.place(of: key) else { return nil }
        let value = row.value(at: place)
        return value.isNull ? nil : ScalarDecoder(value: value, key: key)
    }

    private func refusal(_ key: Key) -> DecodingError {
        .dataCorrupted(.init(codingPath: [key], debugDescription: "a record reads each field as one value"))
    }
}
