import Foundation
import GRDB
import TrendyDomain

/// Values that are no plain column: types with raw values are stored as those, all else as JSON.
enum NestedValue {
    static func column<Value: Encodable>(_ value: Value, _ key: any CodingKey) throws -> DatabaseValue {
        do {
            let json = try EncodedJSON(part: value)
            if Value.self is any RawRepresentable.Type, let scalar = json.json.scalar { return scalar }
            return try json.text().databaseValue
        } catch EncodingError.invalidValue(let wrong, let context) {
            throw EncodingError.invalidValue(
                wrong,
                .init(codingPath: [key] + context.codingPath, debugDescription: context.debugDescription))
        }
    }

    /// The value that a column holds.
    static func read<Value: Decodable>(_ type: Value.Type, _ column: DatabaseValue, _ key: any CodingKey) throws
        -> Value
    {
        guard case .string(let text) = column.storage, !(type is any RawRepresentable.Type) else {
            return try Value(from: ScalarDecoder(value: column, key: key))
        }
        // Most events have no properties, and a JSON decoder costs more than all their other fields.
        if text == "{}" || text == "[]", let empty = (type as? any EmptyCollection.Type)?.init() as? Value {
            return empty
        }
        do {
            return try WireCoding.decode(type, from: Data(text.utf8))
        } catch let error as DecodingError {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: [key], debugDescription: "the JSON in the column does not fit: \(codingReason(error))"))
        }
    }
}

extension JSONValue {
    /// The value as SQLite's own kinds of value know it; nil for arrays, objects and null.
    fileprivate var scalar: DatabaseValue? {
        switch self {
        case .boolean(let flag): flag.databaseValue
        case .integer(let number): number.databaseValue
        case .number(let number): number.databaseValue
        case .string(let text): .text(text)
        case .null, .array, .object: nil
        }
    }
}

/// A collection that can be made empty.
private protocol EmptyCollection {
    init()
}

extension Array: EmptyCollection {}
extension Dictionary: EmptyCollection {}
