extension JSONReader {
    /// Reads a text, from its opening quote to behind its closing one.
    mutating func string() throws -> String {
        if let end = plainStringEnd() {
            defer { index = end + 1 }
            return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[index + 1..<end]), as: UTF8.self)
        }
        index += 1
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                let whole = try text(UnsafeRawBufferPointer(rebasing: bytes[start..<index]), start)
                index += 1
                return whole
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            guard byte >= 0x20 else { throw malformed("a control character is not escaped") }
            index += 1
        }
        throw malformed("the end of a text is expected")
    }

    private func text(_ utf8: UnsafeRawBufferPointer, _ start: Int) throws -> String {
        guard let text = String(validating: utf8, as: UTF8.self) else {
            throw malformed("a text that is not UTF-8 begins", at: start)
        }
        return text
    }

    /// Goes on with a text at its first backslash.
    private mutating func escapedString(from start: Int) throws -> String {
        var utf8 = [UInt8](bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                let whole = try utf8.withUnsafeBytes { try text($0, start) }
                index += 1
                return whole
            case UInt8(ascii: "\\"): try readEscape(into: &utf8)
            case ..<0x20: throw malformed("a control character is not escaped")
            default:
                utf8.append(byte)
                index += 1
            }
        }
        throw malformed("the end of a text is expected")
    }

    private mutating func readEscape(into utf8: inout [UInt8]) throws {
        switch peek(index + 1) {
        case UInt8(ascii: "\""): utf8.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): utf8.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): utf8.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): utf8.append(0x08)
        case UInt8(ascii: "f"): utf8.append(0x0C)
        case UInt8(ascii: "n"): utf8.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "r"): utf8.append(UInt8(ascii: "\r"))
        case UInt8(ascii: "t"): utf8.append(UInt8(ascii: "\t"))
        case UInt8(ascii: "u"):
            let scalar = try escapedScalar()
            utf8.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            return
        default: throw malformed("an escape is expected")
        }
        index += 2
    }

    /// Reads `\u00e4`, or two of them that are a surrogate pair.
    private mutating func escapedScalar() throws -> Unicode.Scalar {
        let high = try codeUnit(at: index)
        if let scalar = Unicode.Scalar(high) {
            index += 6
            return scalar
        }
        guard high < 0xDC00, peek(index + 6) == UInt8(ascii: "\\"), peek(index + 7) == UInt8(ascii: "u"),
            case let low = try codeUnit(at: index + 6), (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(high - 0xD800) << 10 | UInt32(low - 0xDC00)))
        else { throw malformed("half of a surrogate pair is escaped") }
        index += 12
        return scalar
    }

    private func codeUnit(at place: Int) throws -> UInt16 {
        var unit: UInt16 = 0
        for digit in place + 2..<place + 6 {
            let byte = peek(digit)
            let value: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = byte - UInt8(ascii: "A") + 10
            default: throw malformed("a hexadecimal digit is expected", at: digit)
            }
            unit = unit << 4 | UInt16(value)
        }
        return unit
    }
}
