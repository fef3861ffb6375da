extension JSONReader {
    /// Passes a value, and makes sure that it can be read.
    mutating func skipValue() throws {
        switch peek(index) {
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "{"):
            try enter()
            if !closes(UInt8(ascii: "}")) {
                repeat {
                    try skipName()
                    try skipValue()
                } while try goesOn(before: UInt8(ascii: "}"), "a comma or '}' is expected")
            }
            leave()
        case UInt8(ascii: "["):
            try enter()
            if !closes(UInt8(ascii: "]")) {
                repeat {
                    skipSpace()
                    try skipValue()
                } while try goesOn(before: UInt8(ascii: "]"), "a comma or ']' is expected")
            }
            leave()
        default: _ = try value()
        }
    }

    /// Passes a member's name and its colon, up to its value.
    mutating func skipName() throws {
        skipSpace()
        guard peek(index) == UInt8(ascii: "\"") else { throw malformed("a name is expected") }
        try skipString()
        skipSpace()
        guard peek(index) == UInt8(ascii: ":") else { throw malformed("a colon is expected") }
        index += 1
        skipSpace()
    }

    private mutating func skipString() throws {
        if let end = plainStringEnd() {
            index = end + 1
        } else {
            _ = try string()
        }
    }

    /// The place of the closing quote of a text without escapes in ASCII; nil for any other.
    func plainStringEnd() -> Int? {
        var place = index + 1
        // Eight bytes at a time, as long as none of them is special.
        while place + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            if Self.hasSpecial(word) { break }
            place += 8
        }
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\"") { return place }
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { return nil }
            place += 1
        }
        return nil
    }

    /// Whether one of eight bytes is a quote, a backslash, a control character, or not ASCII.
    private static func hasSpecial(_ word: UInt64) -> Bool {
        let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        // A byte that is 0 after this borrows into its top bit.
        let quote = word ^ ones &* UInt64(UInt8(ascii: "\""))
        let backslash = word ^ ones &* UInt64(UInt8(ascii: "\\"))
        let isSpecial = (quote &- ones) | (backslash &- ones) | (word &- ones &* 0x20) | word
        return isSpecial & tops != 0
    }
}
