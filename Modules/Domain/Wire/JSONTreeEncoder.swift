import Foundation

/// What an encoder has put together of a value.
package enum EncodedJSON {
    /// JSON that is whole.
    case value(JSONValue)
    /// A number that a ``JSONValue`` may hold less exactly than its text.
    case literal(String)
    case array(Elements)
    case object(Members)
    /// What is encoded later, for a superclass.
    case open(JSONTreeEncoder)

    package final class Elements {
        var list: [EncodedJSON] = []
    }

    /// The members of an object in the order in which they were encoded; of a name that stands twice, the last counts.
    package final class Members {
        var list: [(name: String, value: EncodedJSON)] = []
    }

    /// The JSON of a value.
    ///
    /// - Throws: `EncodingError` where it encodes nothing, or a number that JSON cannot hold.
    static func whole<Value: Encodable>(_ value: Value) throws -> EncodedJSON {
        guard let content = try of(value, key: nil, in: .root) else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "Top-level \(Value.self) did not encode any values."))
        }
        return content
    }

    /// The JSON of a value that has this key in a larger one; an empty object where it encodes nothing.
    static func part<Value: Encodable>(
        _ value: Value, key: some CodingKey, in parent: JSONPath
    ) throws -> EncodedJSON {
        try of(value, key: key, in: parent) ?? .object(Members())
    }

    /// Three of Foundation's types encode themselves otherwise than JSON coders write them, and what is JSON already,
    /// or a time, is not taken apart. Nil where nothing is encoded.
    static func of<Value: Encodable>(
        _ value: Value, key: (any CodingKey)?, in parent: JSONPath
    ) throws -> EncodedJSON? {
        // Compared as types first: casts that fail take longer than all the rest.
        if Value.self == Timestamp.self {
            if let moment = value as? Timestamp { return .value(.string(moment.description)) }
        } else if Value.self == JSONValue.self {
            if let json = value as? JSONValue, json.isFinite { return .value(json) }
        } else if Value.self == [String: JSONValue].self {
            if let members = value as? [String: JSONValue], case let json = JSONValue.object(members), json.isFinite {
                return .value(json)
            }
        } else if Value.self == Data.self {
            if let data = value as? Data { return .value(.string(data.base64EncodedString())) }
        } else if Value.self == URL.self {
            if let url = value as? URL { return .value(.string(url.absoluteString)) }
        } else if Value.self == Decimal.self {
            if let number = value as? Decimal { return .literal(number.description) }
        }
        let encoder = JSONTreeEncoder(key: key, in: parent)
        try value.encode(to: encoder)
        return encoder.content
    }

    /// The JSON of a floating-point number.
    static func number(
        _ number: some BinaryFloatingPoint & CustomStringConvertible, key: (any CodingKey)?, in parent: JSONPath
    ) throws -> EncodedJSON {
        guard number.isFinite else {
            let path = key.map { parent.keys + [$0] } ?? parent.keys
            throw EncodingError.invalidValue(
                number,
                .init(codingPath: path, debugDescription: "Unable to encode \(number) directly in JSON."))
        }
        if let double = number as? Double { return .value(.number(double)) }
        return .literal(try JSONWriter.text(of: number))
    }

    /// The JSON of a value that stands by itself or as a part of a larger one: an empty object where it encodes nothing.
    package init(part value: some Encodable) throws {
        self = try Self.of(value, key: nil, in: .root) ?? .object(Members())
    }

    /// The JSON as text, with the names of objects in order.
    ///
    /// - Throws: `EncodingError` for a number that JSON cannot hold.
    package func text() throws -> String {
        var writer = JSONWriter()
        try write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The JSON as it would be read back from its bytes.
    package var json: JSONValue {
        switch self {
        case .value(let value): value.normalized
        case .literal(let text): JSONReader.number(in: text) ?? .string(text)
        case .array(let elements): .array(elements.list.map(\.json))
        case .object(let members): .object(Dictionary(members.list.map { ($0.name, $0.value.json) }) { $1 })
        case .open(let encoder): encoder.content?.json ?? .object([:])
        }
    }

    func write(to writer: inout JSONWriter) throws {
        switch self {
        case .value(let value): try writer.write(value)
        case .literal(let text): writer.write(text)
        case .array(let elements): try writer.writeArray(elements.list) { try $1.write(to: &$0) }
        case .object(let members): try writer.writeObject(members.list) { try $1.write(to: &$0) }
        case .open(let encoder):
            if let content = encoder.content { try content.write(to: &writer) } else { writer.write("{}") }
        }
    }
}

/// Encodes any value into JSON, with the results and kinds of errors of `JSONEncoder`.
package final class JSONTreeEncoder: Encoder {
    private let key: (any CodingKey)?
    private let parent: JSONPath
    /// Nil as long as nothing was encoded.
    package var content: EncodedJSON?

    /// An encoder of a value that is no part of a larger one.
    package convenience init() { self.init(key: nil) }

    init(key: (any CodingKey)?, in parent: JSONPath = .root) {
        self.key = key
        self.parent = parent
    }

    var path: JSONPath { key.map { .key($0, of: parent) } ?? parent }

    package var codingPath: [any CodingKey] { path.keys }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let members: EncodedJSON.Members
        if case .object(let begun) = content {
            members = begun
        } else {
            members = EncodedJSON.Members()
            content = .object(members)
        }
        return KeyedEncodingContainer(JSONObjectBuilder<Key>(members: members, path: path))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        let elements: EncodedJSON.Elements
        if case .array(let begun) = content {
            elements = begun
        } else {
            elements = EncodedJSON.Elements()
            content = .array(elements)
        }
        return JSONArrayBuilder(elements: elements, path: path)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer { JSONSingleBuilder(encoder: self) }
}
