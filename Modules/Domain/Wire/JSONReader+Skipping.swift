extension JSONReader {
    /// Passes a value, and makes sure that it can be read.
    package mutating func skipValue() throws(JSONFault) {
        switch peek(index) {
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "{"):
            if isAtDepthLimit { return try skipNested() }
            try enter()
            if !closes(UInt8(ascii: "}")) {
                repeat {
                    try skipName()
                    try skipValue()
                } while try goesOn(before: UInt8(ascii: "}"))
            }
            leave()
        case UInt8(ascii: "["):
            if isAtDepthLimit { return try skipNested() }
            try enter()
            if !closes(UInt8(ascii: "]")) {
                repeat { try skipValue() } while try goesOn(before: UInt8(ascii: "]"))
            }
            leave()
        default: _ = try scalar()
        }
    }

    /// Passes a member's name and its colon, up to its value.
    mutating func skipName() throws(JSONFault) {
        try requireName()
        try skipString()
        try skipColon()
    }

    /// Passes what lies too deep to be read, where that is noted.
    @inline(never)
    private mutating func skipNested() throws(JSONFault) {
        let start = index
        guard noted.contains(.depth) else { throw tooDeep(start..<start + 1) }
        var nesting = JSONNesting()
        repeat {
            guard index < bytes.count else { throw malformed("',' or '\(closing(start))' is missing") }
            nesting.pass(bytes[index])
            index += 1
        } while !nesting.isClosed
        faults.append(tooDeep(start..<index))
    }

    private func closing(_ start: Int) -> String { peek(start) == UInt8(ascii: "{") ? "}" : "]" }

    /// The place of the closing quote of a text without escapes in ASCII; nil for any other.
    @inline(__always)
    func plainStringEnd() -> Int? { Self.plainStringEnd(bytes, from: index + 1) }

    // It is given the bytes alone, because a reader goes through memory.
    private static func plainStringEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var place = start
        // Eight bytes at a time, as long as none of them is special.
        while place + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            if hasSpecial(word) { break }
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
