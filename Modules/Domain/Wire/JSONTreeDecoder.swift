import Foundation

/// Makes values of the JSON that a ``JSONValue`` holds, with the results and kinds of errors of `JSONDecoder`.
///
/// A number that does not fit its type is an error that names the field, which Foundation leaves out.
final class JSONTreeDecoder: Decoder {
    let value: JSONValue
    private let key: (any CodingKey)?
    private let parent: JSONPath

    /// Decodes a value that is normalized, and has this key in a larger one.
    init(_ value: JSONValue, key: (any CodingKey)? = nil, in parent: JSONPath = .root) {
        self.value = value
        self.key = key
        self.parent = parent
    }

    /// Made where it is needed only, because it costs more than most values.
    private var path: JSONPath { key.map { .key($0, of: parent) } ?? parent }

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else {
            throw mismatch([String: Any].self, orNull: "Cannot get keyed decoding container")
        }
        return KeyedDecodingContainer(JSONObjectReader<Key>(members: members, path: path))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else {
            throw mismatch([Any].self, orNull: "Cannot get unkeyed decoding container")
        }
        return JSONArrayReader(elements: elements, path: path)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

/// The way from the whole to a value in it, from its end.
indirect enum JSONPath {
    case root
    case key(any CodingKey, of: JSONPath)

    var keys: [any CodingKey] {
        switch self {
        case .root: []
        case .key(let key, let parent): parent.keys + [key]
        }
    }
}

/// A name in an object, or a place in an array.
enum JSONName: CodingKey {
    case name(String)
    case index(Int)

    init(stringValue: String) { self = .name(stringValue) }
    init(intValue: Int) { self = .index(intValue) }

    var stringValue: String {
        switch self {
        case .name(let name): name
        case .index(let index): "Index \(index)"
        }
    }

    var intValue: Int? { if case .index(let index) = self { index } else { nil } }
}

extension JSONTreeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: String.Type) throws -> String {
        guard case .string(let text) = value else { throw mismatch(type) }
        return text
    }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .boolean(let flag) = value else { throw mismatch(type) }
        return flag
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard let number = value.doubleValue else { throw mismatch(type) }
        return number
    }

    func decode(_ type: Float.Type) throws -> Float {
        let number = try Float(decode(Double.self))
        guard number.isFinite else { throw misfit(type) }
        return number
    }

    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

    private func integer<Number: FixedWidthInteger>() throws -> Number {
        switch value {
        case .integer(let whole):
            guard let number = Number(exactly: whole) else { throw misfit(Number.self) }
            return number
        case .number: throw misfit(Number.self)
        default: throw mismatch(Number.self)
        }
    }

    /// Three of Foundation's types decode themselves otherwise than JSON coders write them, and what is JSON already,
    /// or a time, is not taken apart.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Compared as types first: casts that fail take longer than all the rest.
        if Value.self == Timestamp.self {
            if case .string(let text) = value, let moment = Timestamp(text) as? Value { return moment }
        } else if Value.self == JSONValue.self {
            if let json = value as? Value { return json }
        } else if Value.self == [String: JSONValue].self {
            if let members = value.objectValue as? Value { return members }
        } else if Value.self == Data.self {
            if let data = try data() as? Value { return data }
        } else if Value.self == URL.self {
            if let url = try url() as? Value { return url }
        } else if Value.self == Decimal.self {
            if let number = try decimal() as? Value { return number }
        }
        return try Value(from: self)
    }

    private func data() throws -> Data {
        guard let data = Data(base64Encoded: try decode(String.self)) else {
            throw corrupted("Encountered Data is not valid Base64.")
        }
        return data
    }

    private func url() throws -> URL {
        guard let url = URL(string: try decode(String.self)) else { throw corrupted("Invalid URL string.") }
        return url
    }

    private func decimal() throws -> Decimal {
        switch value {
        case .integer(let whole): return Decimal(whole)
        case .number(let number):
            guard let decimal = Decimal(string: number.description, locale: Locale(identifier: "en_US_POSIX")) else {
                throw misfit(Decimal.self)
            }
            return decimal
        default: throw mismatch(Decimal.self)
        }
    }
}

extension JSONTreeDecoder {
    private func corrupted(_ reason: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
    }

    /// A number that the type does not have.
    private func misfit(_ type: any Any.Type) -> DecodingError {
        corrupted("\(value.doubleValue.map { "\($0)" } ?? "the value") does not fit in \(type)")
    }

    /// A value of another kind, or none.
    private func mismatch(_ type: any Any.Type, orNull reason: String? = nil) -> DecodingError {
        if value == .null {
            let reason = reason ?? "Cannot get value of type \(type)"
            return .valueNotFound(
                type, .init(codingPath: codingPath, debugDescription: "\(reason) -- found null value instead"))
        }
        return .typeMismatch(
            type,
            .init(
                codingPath: codingPath,
                debugDescription: "Expected to decode \(type) but found \(value.kindInWords) instead."))
    }
}

extension JSONValue {
    fileprivate var kindInWords: String {
        switch self {
        case .null: "null"
        case .boolean: "bool"
        case .integer, .number: "number"
        case .string: "a string"
        case .array: "an array"
        case .object: "a dictionary"
        }
    }
}
