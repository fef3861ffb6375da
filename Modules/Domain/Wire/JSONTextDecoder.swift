import Foundation

/// The members of the objects in some JSON, as places in its bytes.
///
/// A decoder of it has the results of a ``JSONTreeDecoder``, or marks the index as unfit: then somebody has to decode
/// the tree, for the result and for the error alike.
final class JSONIndex {
    struct Member {
        let name: Range<Int>
        /// The place of the value's first byte.
        let value: Int
    }

    let bytes: JSONBytes
    private(set) var list: [Member] = []
    private(set) var isUnfit = false
    /// The object that was looked at last, because a record and its server's fields are one.
    private var last: (start: Int, members: Range<Int>)?

    init(_ bytes: JSONBytes) {
        self.bytes = bytes
        list.reserveCapacity(32)
    }

    struct Misfit: Error {}

    /// What is thrown where the tree has to be decoded. It counts even if the decoding value catches it.
    func misfit() -> Misfit {
        isUnfit = true
        return Misfit()
    }

    /// Names are compared as bytes, and one after the other; a tree does better with other names, and with many.
    private static let memberLimit = 64

    /// The members of the object that begins at a place, as places in ``list``.
    func members(at start: Int) throws -> Range<Int> {
        if let last, last.start == start { return last.members }
        let first = list.count
        try bytes.read { reader in
            reader.index = start
            guard reader.peek(start) == UInt8(ascii: "{") else { throw misfit() }
            do { try reader.enter() } catch { throw misfit() }
            if reader.closes(UInt8(ascii: "}")) { return }
            repeat {
                guard list.count - first < Self.memberLimit, let end = reader.plainStringEnd() else { throw misfit() }
                let name = reader.index + 1..<end
                try reader.skipName()
                list.append(Member(name: name, value: reader.index))
                try reader.skipValue()
            } while try reader.goesOn(before: UInt8(ascii: "}"))
        }
        last = (start, first..<list.count)
        return first..<list.count
    }

    /// The place of the value that a name has among some members.
    func find(_ name: String, _ members: Range<Int>) -> Int? {
        var name = name
        return name.withUTF8 { name in
            bytes.content.withUnsafeBufferPointer { content in
                for member in list[members] where member.name.count == name.count {
                    if content[member.name].elementsEqual(name) { return member.value }
                }
                return nil
            }
        }
    }

    // MARK: Values

    private func byte(_ place: Int) -> UInt8 { bytes.content[place] }

    func isNull(_ place: Int) -> Bool { byte(place) == UInt8(ascii: "n") }

    func string(_ place: Int) throws -> String {
        guard byte(place) == UInt8(ascii: "\""),
            let text = try? bytes.read({ reader in
                reader.index = place
                return try reader.string()
            })
        else { throw misfit() }
        return text
    }

    func flag(_ place: Int) throws -> Bool {
        switch byte(place) {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: throw misfit()
        }
    }

    func double(_ place: Int) throws -> Double {
        guard let number = number(place)?.doubleValue else { throw misfit() }
        return number
    }

    func integer<Number: FixedWidthInteger>(_ place: Int) throws -> Number {
        guard case .integer(let whole)? = number(place), let number = Number(exactly: whole) else { throw misfit() }
        return number
    }

    private func number(_ place: Int) -> JSONValue? {
        guard byte(place) <= UInt8(ascii: "9"), byte(place) != UInt8(ascii: "\"") else { return nil }
        return bytes.read { reader in
            reader.index = place
            return try? reader.number()
        }
    }

    private func moment(_ place: Int) throws -> Timestamp {
        let moment = bytes.read { reader in
            reader.index = place
            return try? reader.moment()
        }
        guard let moment else { throw misfit() }
        return moment
    }

    /// What a server says of the record with some members.
    func serverFields(_ members: Range<Int>) throws -> ServerFields {
        func present<Value>(_ key: ServerFields.CodingKeys, _ read: (Int) throws -> Value) throws -> Value? {
            guard let place = find(key.rawValue, members), !isNull(place) else { return nil }
            return try read(place)
        }
        return ServerFields(
            userId: try present(.userId, string), createdAt: try present(.createdAt, moment),
            updatedAt: try present(.updatedAt, moment))
    }

    private func properties(_ place: Int) throws -> [String: PropertyValue] {
        let members = try members(at: place)
        var properties = [String: PropertyValue](minimumCapacity: members.count)
        for member in list[members] {
            let parts = try self.members(at: member.value)
            guard let type = find("type", parts) else { throw misfit() }
            let name = String(decoding: bytes.content[member.name], as: UTF8.self)
            guard properties[name] == nil else { continue }
            let value = find("value", parts).map { bytes.tree($0..<bytes.content.count) } ?? .null
            properties[name] = PropertyValue(type: PropertyType(rawValue: try string(type)), value: value)
        }
        return properties
    }

    /// Types that a tree's decoder does not take apart are left to it, and so are lists.
    func decode<Value: Decodable>(_ type: Value.Type, _ place: Int) throws -> Value {
        if Value.self == Timestamp.self {
            if let moment = try moment(place) as? Value { return moment }
        } else if Value.self == [String: PropertyValue].self {
            if let properties = try properties(place) as? Value { return properties }
        }
        let isForTree =
            Value.self == JSONValue.self || Value.self == [String: JSONValue].self || Value.self == Data.self
            || Value.self == URL.self || Value.self == Decimal.self || byte(place) == UInt8(ascii: "[")
        if isForTree {
            do { return try JSONTreeDecoder(bytes.tree(place..<bytes.content.count)).decode(type) } catch {
                throw misfit()
            }
        }
        return try Value(from: JSONTextDecoder(index: self, start: place))
    }
}

/// Decodes the value that begins at a place of some JSON.
struct JSONTextDecoder: Decoder {
    let index: JSONIndex
    let start: Int

    // No value has a path here, so whoever asks for it gets another decoder.
    var codingPath: [any CodingKey] {
        _ = index.misfit()
        return []
    }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(JSONTextObject<Key>(index: index, members: try index.members(at: start)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw index.misfit() }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension JSONTextDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { index.isNull(start) }
    func decode(_ type: String.Type) throws -> String { try index.string(start) }
    func decode(_ type: Bool.Type) throws -> Bool { try index.flag(start) }
    func decode(_ type: Double.Type) throws -> Double { try index.double(start) }
    func decode(_ type: Float.Type) throws -> Float { throw index.misfit() }
    func decode(_ type: Int.Type) throws -> Int { try index.integer(start) }
    func decode(_ type: Int8.Type) throws -> Int8 { try index.integer(start) }
    func decode(_ type: Int16.Type) throws -> Int16 { try index.integer(start) }
    func decode(_ type: Int32.Type) throws -> Int32 { try index.integer(start) }
    func decode(_ type: Int64.Type) throws -> Int64 { try index.integer(start) }
    func decode(_ type: UInt.Type) throws -> UInt { try index.integer(start) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try index.integer(start) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try index.integer(start) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try index.integer(start) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try index.integer(start) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try index.decode(type, start) }
}

/// The members of an object.
private struct JSONTextObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let index: JSONIndex
    let members: Range<Int>

    var codingPath: [any CodingKey] {
        _ = index.misfit()
        return []
    }

    var allKeys: [Key] {
        index.list[members].compactMap { member in
            Key(stringValue: String(decoding: index.bytes.content[member.name], as: UTF8.self))
        }
    }

    func contains(_ key: Key) -> Bool { index.find(key.stringValue, members) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { index.isNull(try place(key)) }

    private func place(_ key: Key) throws -> Int {
        guard let place = index.find(key.stringValue, members) else { throw index.misfit() }
        return place
    }

    /// The place of a value that is there and not null.
    private func present(_ key: Key) -> Int? {
        guard let place = index.find(key.stringValue, members), !index.isNull(place) else { return nil }
        return place
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String { try index.string(place(key)) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try index.flag(place(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try index.double(place(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { throw index.misfit() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try index.integer(place(key)) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try index.integer(place(key)) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try index.integer(place(key)) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try index.integer(place(key)) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try index.integer(place(key)) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try index.integer(place(key)) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try index.integer(place(key)) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try index.integer(place(key)) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try index.integer(place(key)) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try index.integer(place(key)) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try index.decode(type, place(key))
    }

    // Written out so that a name is looked up once; the default ones do it three times.
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key).map(index.string)
    }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try present(key).map(index.flag) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try present(key).map(index.double)
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try present(key).map(index.integer) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try present(key).map(index.integer)
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key).map { try index.decode(type, $0) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try JSONTextDecoder(index: index, start: place(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw index.misfit() }
    func superDecoder() throws -> any Decoder { throw index.misfit() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw index.misfit() }
}
