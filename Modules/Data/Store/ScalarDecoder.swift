import Foundation
import GRDB

/// Reads a value from one column.
struct ScalarDecoder: Decoder, SingleValueDecodingContainer {
    let value: DatabaseValue
    let key: any CodingKey

    var codingPath: [any CodingKey] { [key] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw mismatch("an object")
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw mismatch("a list") }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { value.isNull }
    func decode(_ type: String.Type) throws -> String { try string() }
    func decode(_ type: Bool.Type) throws -> Bool { try bool() }
    func decode(_ type: Double.Type) throws -> Double { try double() }
    func decode(_ type: Float.Type) throws -> Float { Float(try double()) }
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
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }

    func string() throws -> String {
        switch value.storage {
        case .string(let text): return text
        case .blob(let bytes):
            guard let text = String(bytes: bytes, encoding: .utf8) else { throw mismatch("UTF-8 text") }
            return text
        default: throw mismatch("text")
        }
    }

    func bool() throws -> Bool {
        switch value.storage {
        case .int64(0): false
        case .int64(1): true
        default: throw mismatch("a flag")
        }
    }

    func double() throws -> Double {
        switch value.storage {
        case .double(let number): number
        case .int64(let whole): Double(whole)
        default: throw mismatch("a number")
        }
    }

    func integer<Number: FixedWidthInteger>() throws -> Number {
        guard case .int64(let whole) = value.storage, let number = Number(exactly: whole) else {
            throw mismatch("a whole number within range")
        }
        return number
    }

    private func mismatch(_ expected: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: "\(value) is not \(expected)"))
    }
}
