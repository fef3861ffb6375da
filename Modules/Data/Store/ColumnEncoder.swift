import Foundation
import GRDB
import TrendyDomain

/// Turns a record into the values of its columns.
///
/// Written by hand because every record passes here: strings, numbers, flags and times go straight into
/// their columns, types with raw values as those, and everything else as JSON.
struct ColumnEncoder: Encoder {
    /// Collects the values of one row.
    final class Row {
        let table: RecordTable
        var values: [DatabaseValue]
        /// Columns whose values are still being encoded into a container.
        var open: [(place: Int, encoder: JSONTreeEncoder)] = []
        private var next = 0

        init(table: RecordTable, capacity: Int) {
            self.table = table
            values = []
            values.reserveCapacity(capacity)
            for _ in table.fields { values.append(.null) }
        }

        /// The column of a field. Fields mostly come in the order of the columns, so the next one is tried first.
        func place(of key: some CodingKey) throws -> Int {
            let name = key.stringValue
            if next < table.fields.count, table.fields[next] == name {
                next += 1
                return next - 1
            }
            guard let place = table.places[name] else {
                throw EncodingError.invalidValue(
                    name, .init(codingPath: [key], debugDescription: "the kind does not name this field"))
            }
            next = place + 1
            return place
        }
    }

    let row: Row

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ColumnContainer<Key>(row: row))
    }

    // A record that is no object has no columns: what it encodes goes nowhere, and it is refused for
    // its missing id.
    func unkeyedContainer() -> any UnkeyedEncodingContainer { JSONTreeEncoder().unkeyedContainer() }
    func singleValueContainer() -> any SingleValueEncodingContainer { JSONTreeEncoder().singleValueContainer() }
}

private struct ColumnContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let row: ColumnEncoder.Row

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) throws { try put(.null, key) }
    mutating func encode(_ value: String, forKey key: Key) throws { try put(.text(value), key) }
    mutating func encode(_ value: Bool, forKey key: Key) throws { try put(value.databaseValue, key) }
    mutating func encode(_ value: Double, forKey key: Key) throws { try put(.number(value, key), key) }
    mutating func encode(_ value: Float, forKey key: Key) throws { try put(.number(Double(value), key), key) }
    mutating func encode(_ value: Int, forKey key: Key) throws { try put(value.databaseValue, key) }
    mutating func encode(_ value: Int8, forKey key: Key) throws { try put(value.databaseValue, key) }
    mutating func encode(_ value: Int16, forKey key: Key) throws { try put(value.databaseValue, key) }
    mutating func encode(_ value: Int32, forKey key: Key) throws { try put(value.databaseValue, key) }
    mutating func encode(_ value: Int64, forKey key: Key) throws { try put(value.databaseValue, key) }
    mutating func encode(_ value: UInt, forKey key: Key) throws { try put(.whole(value, key), key) }
    mutating func encode(_ value: UInt8, forKey key: Key) throws { try put(.whole(value, key), key) }
    mutating func encode(_ value: UInt16, forKey key: Key) throws { try put(.whole(value, key), key) }
    mutating func encode(_ value: UInt32, forKey key: Key) throws { try put(.whole(value, key), key) }
    mutating func encode(_ value: UInt64, forKey key: Key) throws { try put(.whole(value, key), key) }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        // Compared as types first: a cast that fails takes longer.
        if Value.self == Timestamp.self, let moment = value as? Timestamp {
            try put(moment.milliseconds.databaseValue, key)
        } else {
            try put(NestedValue.column(value, key), key)
        }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        opened(key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        opened(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { ColumnEncoder(row: row) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { opened(key) }

    private func opened(_ key: Key) -> JSONTreeEncoder {
        let encoder = JSONTreeEncoder()
        if let place = try? row.place(of: key) { row.open.append((place, encoder)) }
        return encoder
    }

    private func put(_ value: DatabaseValue, _ key: Key) throws {
        row.values[try row.place(of: key)] = value
    }
}

extension DatabaseValue {
    /// A text as it is stored. SQLite's text ends at a NUL, so one that has it is stored as its bytes.
    static func text(_ value: String) -> DatabaseValue {
        value.utf8.contains(0) ? Data(value.utf8).databaseValue : value.databaseValue
    }

    /// A number as it is stored. SQLite would store NaN as nothing at all.
    static func number(_ value: Double, _ key: any CodingKey) throws -> DatabaseValue {
        guard value.isFinite else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [key], debugDescription: "\(value) is no number that can be stored"))
        }
        return value.databaseValue
    }

    /// An unsigned number as it is stored: in SQLite's signed 64 bits.
    static func whole(_ value: some UnsignedInteger, _ key: any CodingKey) throws -> DatabaseValue {
        guard let exact = Int64(exactly: value) else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [key], debugDescription: "\(value) is too large to be stored"))
        }
        return exact.databaseValue
    }
}
