extension JSONReader {
    /// Reads a text, from its opening quote to behind its closing one.
    ///
    /// Half of a surrogate pair and bytes that are no UTF-8 are read as the character U+FFFD.
    package mutating func string() throws(JSONFault) -> String {
        let start = index + 1
        if let end = plainStringEnd() {
            index = end + 1
            return text(start..<end)
        }
        return try skipSpecialString() ? unescaped(start..<index - 1) : text(start..<index - 1)
    }

    /// Passes a text.
    @inline(__always)
    package mutating func skipString() throws(JSONFault) {
        if let end = plainStringEnd() {
            index = end + 1
        } else {
            _ = try skipSpecialString()
        }
    }

    /// Passes a text that is more than plain ASCII.
    ///
    /// - Returns: Whether it has escapes.
    @inline(never)
    private mutating func skipSpecialString() throws(JSONFault) -> Bool {
        var hasEscapes = false
        index += 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return hasEscapes
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try skipEscape()
            case ..<0x20:
                let reason = "a text has a line break or another control character, and not its escape"
                try note(.control, reason, at: index..<index + 1)
                index += 1
            case 0x80...: try skipWideCharacter()
            default: index += 1
            }
        }
        throw malformed("a text has no end")
    }

    /// Passes a character of more than one byte: well-formed UTF-8 as in the Unicode standard, table 3-7.
    private mutating func skipWideCharacter() throws(JSONFault) {
        let (count, second): (Int, ClosedRange<UInt8>)
        switch bytes[index] {
        case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: (count, second) = (0, 0x80...0xBF)
        }
        let start = index
        index += 1
        while index < start + count, (index == start + 1 ? second : 0x80...0xBF).contains(peek(index)) { index += 1 }
        if index != start + count { try note(.encoding, "a text is not UTF-8", at: start..<index) }
    }

    // MARK: Escapes

    private mutating func skipEscape() throws(JSONFault) {
        let start = index
        guard let escape = escape(at: start) else {
            guard start + 1 < bytes.count else { throw malformed("a text has no end", at: bytes.count) }
            try note(.escape, reason(of: bytes[start + 1]), at: start..<start + 1)
            index += 1
            return
        }
        index += escape.length
        guard let scalar = escape.scalar else {
            return try note(
                .half, "'\\u' has half of a surrogate pair, and the other half is missing", at: start..<index)
        }
        if scalar == "\0", noted.contains(.zero) { try note(.zero, "U+0000 is escaped", at: start..<index) }
    }

    private func reason(of byte: UInt8) -> String {
        if byte == UInt8(ascii: "u") { return "'\\u' needs four hexadecimal digits" }
        let character = byte < 0x80 ? String(Unicode.Scalar(byte)) : "…"
        return "'\\\(character)' is no escape of JSON, and a backslash itself is written '\\\\'"
    }

    /// What the escape at a place stands for: no character where it is half of a surrogate pair. Nil where it is none.
    private func escape(at place: Int) -> (scalar: Unicode.Scalar?, length: Int)? {
        switch peek(place + 1) {
        case UInt8(ascii: "\""): ("\"", 2)
        case UInt8(ascii: "\\"): ("\\", 2)
        case UInt8(ascii: "/"): ("/", 2)
        case UInt8(ascii: "b"): ("\u{08}", 2)
        case UInt8(ascii: "f"): ("\u{0C}", 2)
        case UInt8(ascii: "n"): ("\n", 2)
        case UInt8(ascii: "r"): ("\r", 2)
        case UInt8(ascii: "t"): ("\t", 2)
        default: codeUnit(at: place).map { scalar(from: $0, at: place) }
        }
    }

    /// The character of `\u00e4`, or of two of them that are a surrogate pair.
    private func scalar(from high: UInt32, at place: Int) -> (scalar: Unicode.Scalar?, length: Int) {
        if let scalar = Unicode.Scalar(high) { return (scalar, 6) }
        guard high < 0xDC00, let low = codeUnit(at: place + 6), (0xDC00..<0xE000).contains(low) else { return (nil, 6) }
        return (Unicode.Scalar(0x10000 + ((high - 0xD800) << 10 | (low - 0xDC00))), 12)
    }

    /// The number in an escape like `\u00e4`; nil where there is none.
    private func codeUnit(at place: Int) -> UInt32? {
        guard peek(place) == UInt8(ascii: "\\"), peek(place + 1) == UInt8(ascii: "u") else { return nil }
        var unit: UInt32 = 0
        for digit in place + 2..<place + 6 {
            let byte = peek(digit)
            let value: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt32(value)
        }
        return unit
    }

    private func unescaped(_ range: Range<Int>) -> String {
        var utf8: [UInt8] = []
        utf8.reserveCapacity(range.count)
        var place = range.lowerBound
        while place < range.upperBound {
            if bytes[place] == UInt8(ascii: "\\"), let escape = escape(at: place) {
                utf8.append(contentsOf: UTF8.encode(escape.scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
                place += escape.length
            } else {
                utf8.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: utf8, as: UTF8.self)
    }
}
