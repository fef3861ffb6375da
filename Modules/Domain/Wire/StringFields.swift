/// Finds the top-level fields of a value that encode as strings.
///
/// Ids of parents are such fields. Going through JSON to read them would cost many times as much.
public enum StringFields {
    /// The fields that are strings, or encode as one string, by their wire names. Times are left out.
    ///
    /// - Parameter names: The fields that are wanted; nil for all.
    public static func of(_ value: some Encodable, among names: [String]? = nil) throws -> [String: String] {
        let fields = Fields(names)
        try value.encode(to: FieldEncoder(fields: fields, field: nil))
        return fields.strings
    }

    private final class Fields {
        var strings: [String: String] = [:]
        private let names: [String]?

        init(_ names: [String]? = nil) { self.names = names }

        func isWanted(_ name: String) -> Bool { names.map { $0.contains(name) } ?? true }
    }

    /// An encoder for the whole value (`field` nil) or for the value of one top-level field; what lies
    /// deeper is encoded into a bin.
    private struct FieldEncoder: Encoder {
        let fields: Fields
        let field: String?

        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            KeyedEncodingContainer(Keyed<Key>(fields: field == nil ? fields : Fields()))
        }

        func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed() }

        func singleValueContainer() -> any SingleValueEncodingContainer { Single(fields: fields, field: field) }
    }

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let fields: Fields

        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil(forKey key: Key) {}

        mutating func encode(_ value: String, forKey key: Key) {
            let name = key.stringValue
            if fields.isWanted(name) { fields.strings[name] = value }
        }

        mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            let name = key.stringValue
            if Value.self == Timestamp.self || !fields.isWanted(name) { return }
            try value.encode(to: FieldEncoder(fields: fields, field: name))
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy keyType: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            KeyedEncodingContainer(Keyed<Nested>(fields: Fields()))
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { Unkeyed() }

        mutating func superEncoder() -> any Encoder { FieldEncoder(fields: Fields(), field: nil) }

        mutating func superEncoder(forKey key: Key) -> any Encoder {
            FieldEncoder(fields: fields, field: key.stringValue)
        }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        var codingPath: [any CodingKey] { [] }
        private(set) var count = 0

        mutating func encodeNil() { count += 1 }

        mutating func encode<Value: Encodable>(_ value: Value) { count += 1 }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy keyType: Nested.Type
        ) -> KeyedEncodingContainer<Nested> {
            count += 1
            return KeyedEncodingContainer(Keyed<Nested>(fields: Fields()))
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            count += 1
            return Unkeyed()
        }

        mutating func superEncoder() -> any Encoder {
            count += 1
            return FieldEncoder(fields: Fields(), field: nil)
        }
    }

    private struct Single: SingleValueEncodingContainer {
        let fields: Fields
        let field: String?

        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil() {}

        mutating func encode(_ value: String) {
            if let field { fields.strings[field] = value }
        }

        // A value of these types encodes as itself: the generic method would call itself for ever.
        mutating func encode(_ value: Bool) {}
        mutating func encode(_ value: Double) {}
        mutating func encode(_ value: Float) {}
        mutating func encode(_ value: Int) {}
        mutating func encode(_ value: Int8) {}
        mutating func encode(_ value: Int16) {}
        mutating func encode(_ value: Int32) {}
        mutating func encode(_ value: Int64) {}
        mutating func encode(_ value: UInt) {}
        mutating func encode(_ value: UInt8) {}
        mutating func encode(_ value: UInt16) {}
        mutating func encode(_ value: UInt32) {}
        mutating func encode(_ value: UInt64) {}

        mutating func encode<Value: Encodable>(_ value: Value) throws {
            if value is Timestamp { return }
            try value.encode(to: FieldEncoder(fields: fields, field: field))
        }
    }
}
