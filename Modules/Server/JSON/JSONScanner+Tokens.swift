import Foundation

extension JSONScanner {
    mutating func literal() throws(JSONSyntaxError) {
        for word in ["true", "false", "null"] where bytes[position...].starts(with: word.utf8) {
            position += word.utf8.count
            return
        }
        throw fail("a value")
    }

    mutating func number() throws(JSONSyntaxError) {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        let hasExponent = next == UInt8(ascii: "e") || next == UInt8(ascii: "E")
        if hasExponent {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        // 300 digits always fit a floating-point number.
        if hasExponent || position - start > 300 { checkRange(start..<position) }
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = position
        while let byte = next, isDigit(byte) { position += 1 }
        guard position > start else { throw fail("a digit") }
    }

    func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private mutating func checkRange(_ range: Range<Int>) {
        let text = plainText(range)
        let mantissa = text.prefix { $0 != "e" && $0 != "E" }
        let isZero = !mantissa.contains { $0 >= "1" && $0 <= "9" }
        guard let number = Double(text), number.isFinite, isZero || number != 0 else {
            note("is a number beyond the range of 64-bit floating point")
            return
        }
    }
}

extension JSONScanner {
    mutating func string() throws(JSONSyntaxError) {
        position += 1
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw fail("no control character in a string")
            case 0x20..<0x80: position += 1
            default: try multibyte()
            }
        }
        throw fail("a closing quote")
    }

    private mutating func escape() throws(JSONSyntaxError) {
        position += 1
        switch next {
        case UInt8(ascii: "u"):
            position += 1
            try surrogates(try codeUnit())
        case .some(let byte) where "\"\\/bfnrt".utf8.contains(byte):
            position += 1
        default:
            throw fail("an escape sequence")
        }
    }

    /// Looks at an escaped code unit, and reads the second half of a pair where it is the first.
    private mutating func surrogates(_ unit: UInt16) throws(JSONSyntaxError) {
        // PostgreSQL cannot hold it in a text, and what is written in C takes it for the end of one.
        if unit == 0 { note("has the character U+0000, which cannot be kept") }
        guard unit >= 0xD800, unit < 0xE000 else { return }
        let before = position
        if unit < 0xDC00, bytes[position...].starts(with: "\\u".utf8) {
            position += 2
            if try codeUnit() >> 10 == 0xDC00 >> 10 { return }
            position = before
        }
        note("has half of a surrogate pair, which is no character")
    }

    private mutating func codeUnit() throws(JSONSyntaxError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
                throw fail("four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    /// A character of more than one byte: well-formed UTF-8 as in the Unicode standard, table 3-7.
    private mutating func multibyte() throws(JSONSyntaxError) {
        let (count, second): (Int, ClosedRange<UInt8>)
        switch bytes[position] {
        case 0xC2...0xDF: (count, second) = (1, 0x80...0xBF)
        case 0xE0: (count, second) = (2, 0xA0...0xBF)
        case 0xED: (count, second) = (2, 0x80...0x9F)
        case 0xE1...0xEF: (count, second) = (2, 0x80...0xBF)
        case 0xF0: (count, second) = (3, 0x90...0xBF)
        case 0xF1...0xF3: (count, second) = (3, 0x80...0xBF)
        case 0xF4: (count, second) = (3, 0x80...0x8F)
        default: throw fail("UTF-8")
        }
        position += 1
        for index in 0..<count {
            guard let byte = next, (index == 0 ? second : 0x80...0xBF).contains(byte) else { throw fail("UTF-8") }
            position += 1
        }
    }
}

extension JSONScanner {
    func plainText(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The text of a string with its quotes.
    func text(_ range: Range<Int>) -> String {
        guard range.count >= 2 else { return "" }
        let inner = plainText(range.lowerBound + 1..<range.upperBound - 1)
        guard inner.utf8.contains(UInt8(ascii: "\\")) else { return inner }
        return (try? JSONDecoder().decode(String.self, from: Data(bytes[range]))) ?? inner
    }
}
