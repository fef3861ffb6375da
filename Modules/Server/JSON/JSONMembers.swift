import Foundation

/// Finds the members of objects in JSON that was found to be well-formed, and copies nothing.
struct JSONMembers {
    let bytes: UnsafeBufferPointer<UInt8>

    /// Tells the name of each member of an object, and the place of its value.
    func forEach(in object: Range<Int>, _ body: (_ name: String, _ value: Range<Int>) throws -> Void) rethrows {
        var position = object.lowerBound + 1
        while true {
            while position < object.upperBound, bytes[position] != UInt8(ascii: "\"") { position += 1 }
            guard position < object.upperBound else { return }
            let name = position
            position = endOfString(at: position)
            let end = position
            while Self.isSpace(bytes[position]) || bytes[position] == UInt8(ascii: ":") { position += 1 }
            let value = position
            position = endOfValue(at: position)
            try body(text(name..<end) ?? "", value..<position)
        }
    }

    /// A string; nil where the value is something else, or no text that can be held.
    func text(_ value: Range<Int>) -> String? {
        guard bytes[value.lowerBound] == UInt8(ascii: "\"") else { return nil }
        let inner = UnsafeBufferPointer(rebasing: bytes[value.lowerBound + 1..<value.upperBound - 1])
        guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
        return try? JSONDecoder().decode(String.self, from: Data(bytes[value]))
    }

    func isNull(_ value: Range<Int>) -> Bool { bytes[value.lowerBound] == UInt8(ascii: "n") }

    /// A whole number, however it is written; 0 for null, and nil where the value is something else.
    func wholeNumber(_ value: Range<Int>) -> Int64? {
        if isNull(value) { return 0 }
        let text = String(decoding: bytes[value], as: UTF8.self)
        return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
    }

    private func endOfString(at start: Int) -> Int {
        var position = start + 1
        while bytes[position] != UInt8(ascii: "\"") { position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1 }
        return position + 1
    }

    private func endOfValue(at start: Int) -> Int {
        var (position, depth) = (start, 0)
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position = endOfString(at: position)
                if depth == 0 { return position }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth < 0 { return position }
                if depth == 0 { return position + 1 }
            case let byte where depth == 0 && (byte == UInt8(ascii: ",") || Self.isSpace(byte)): return position
            default: break
            }
            position += 1
        }
        return position
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
