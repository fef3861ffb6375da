import Foundation

/// Writes JSON as `JSONEncoder` does with sorted keys and unescaped slashes, byte for byte.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    var data: Data { Data(bytes) }

    /// - Throws: `EncodingError` for a number that JSON cannot hold.
    mutating func write(_ value: JSONValue) throws {
        switch value {
        case .null: write("null")
        case .boolean(let flag): write(flag ? "true" : "false")
        case .integer(let number): write(number)
        case .number(let number): write(try Self.text(of: number))
        case .string(let text): writeQuoted(text)
        case .array(let elements): try writeArray(elements) { try $0.write($1) }
        case .object(let members): try writeObject(members.map { ($0, $1) }) { try $0.write($1) }
        }
    }

    /// Writes text that is JSON already.
    mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Writes bytes that are JSON already.
    mutating func write(_ json: ArraySlice<UInt8>) { bytes.append(contentsOf: json) }

    /// Writes a whole number.
    mutating func write(_ number: some FixedWidthInteger) { write(String(number)) }

    mutating func writeArray<Element>(
        _ elements: [Element], _ write: (inout JSONWriter, Element) throws -> Void
    ) rethrows {
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            try write(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes an object with its names in the order of their UTF-8; of a name that stands twice, the last value.
    mutating func writeObject<Value>(
        _ members: [(name: String, value: Value)], _ write: (inout JSONWriter, Value) throws -> Void
    ) rethrows {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        let members = members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        for (place, member) in members.enumerated() {
            if place + 1 < members.count, members[place + 1].name == member.name { continue }
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            writeQuoted(member.name)
            bytes.append(UInt8(ascii: ":"))
            try write(&self, member.value)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// A number as JSON has it: whole ones without a fraction.
    static func text(of number: some BinaryFloatingPoint & CustomStringConvertible) throws -> String {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, .init(codingPath: [], debugDescription: "\(number) is no number that JSON can hold"))
        }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    mutating func writeQuoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            if utf8.allSatisfy({ !Self.isEscaped($0) }) {
                bytes.append(contentsOf: utf8)
            } else {
                for byte in utf8 { writeInText(byte) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func writeInText(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): write(#"\""#)
        case UInt8(ascii: "\\"): write(#"\\"#)
        case 0x08: write(#"\b"#)
        case 0x0C: write(#"\f"#)
        case UInt8(ascii: "\n"): write(#"\n"#)
        case UInt8(ascii: "\r"): write(#"\r"#)
        case UInt8(ascii: "\t"): write(#"\t"#)
        case ..<0x20: write((byte < 0x10 ? #"\u000"# : #"\u00"#) + String(byte, radix: 16))
        default: bytes.append(byte)
        }
    }
}
