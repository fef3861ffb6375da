public import Foundation

/// Encoding and decoding of everything that goes over the wire or into a payload.
///
/// Keys are sorted, so that the same value always gives the same bytes: servers compare bodies under
/// one idempotency key, and tests compare whole histories.
public enum WireCoding {
    /// The JSON of a value.
    public static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// The value of some JSON.
    ///
    /// - Throws: `DecodingError` where the JSON is malformed or of another shape.
    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }

    /// The members that a value has as a JSON object.
    public static func fields(of value: some Encodable) throws -> [String: JSONValue] {
        try decode([String: JSONValue].self, from: encode(value))
    }

    /// The value that has these members as a JSON object.
    public static func value<Value: Decodable>(_ type: Value.Type, from fields: [String: JSONValue]) throws -> Value {
        try decode(type, from: encode(fields))
    }
}
