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
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\"") { return place }
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { return nil }
            place += 1
        }
        return nil
    }
}
