public import Foundation

/// Encoding and decoding of everything that goes over the wire or into a payload.
///
/// Keys are sorted, so that the same value always gives the same bytes: servers compare bodies under
/// one idempotency key, and tests compare whole histories.
///
/// Both use a reader and a writer of our own, because Foundation's take too long for an exchange
/// (`Docs/decisions/0025`). What our reader refuses, Foundation's reads again.
public enum WireCoding {
    /// The JSON of a value.
    ///
    /// - Throws: `EncodingError` for a number that JSON cannot hold.
    public static func encode(_ value: some Encodable) throws -> Data {
        var writer = JSONWriter()
        try EncodedJSON.whole(value).write(to: &writer)
        return writer.data
    }

    /// The value of some JSON.
    ///
    /// - Throws: `DecodingError` where the JSON is malformed or of another shape.
    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        do {
            return try JSONTreeDecoder(JSONValue(parsing: data)).decode(type)
        } catch {
            // It takes what is malformed where nothing looks, as other clients may write it, and numbers of any length.
            return try JSONDecoder().decode(type, from: data)
        }
    }

    /// The members that a value has as a JSON object.
    public static func fields(of value: some Encodable) throws -> [String: JSONValue] {
        try JSONTreeDecoder(EncodedJSON.whole(value).json).decode([String: JSONValue].self)
    }

    /// The value that has these members as a JSON object.
    public static func value<Value: Decodable>(_ type: Value.Type, from fields: [String: JSONValue]) throws -> Value {
        try JSONTreeDecoder(JSONValue.object(fields).normalized).decode(type)
    }
}
