import Foundation
import TrendyDomain

/// Finds the members of a JSON object in its text, so that one can be changed without touching the rest.
///
/// Comments as in C++, and a comma after the last member, are allowed beyond JSON.
struct ConfigurationScanner {
    /// A member of the object, by its places in the text.
    struct Member {
        let key: String
        let keyStart: Int
        let value: Range<Int>
        /// Where the comma after it is.
        var comma: Int?
    }

    /// The text with blanks in place of comments, so that every place is the same.
    let plain: [UInt8]
    private(set) var members: [Member] = []
    /// Where the closing brace is.
    private(set) var close = 0
    private(set) var open = 0
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) throws(ConfigurationSyntaxError) {
        self.bytes = bytes
        plain = try Self.withoutComments(bytes)
        try scan()
    }

    private static func withoutComments(_ bytes: [UInt8]) throws(ConfigurationSyntaxError) -> [UInt8] {
        var plain = bytes
        // Some editors put a byte order mark before the text.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { plain.replaceSubrange(0..<3, with: [0x20, 0x20, 0x20]) }
        var place = 0
        while place < bytes.count {
            let pair = bytes[place..<min(place + 2, bytes.count)]
            var end = place + 1
            if bytes[place] == UInt8(ascii: "\"") {
                place = Self.endOfString(bytes, from: place)
                continue
            } else if pair.elementsEqual("//".utf8) {
                end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            } else if pair.elementsEqual("/*".utf8) {
                end = place + 2
                while end < bytes.count, !bytes[(end - 1)...end].elementsEqual("*/".utf8) || end < place + 3 {
                    end += 1
                }
                guard end < bytes.count else {
                    throw ConfigurationSyntaxError("a comment has no end", at: place, in: bytes)
                }
                end += 1
            } else {
                place = end
                continue
            }
            for index in place..<end { plain[index] = 0x20 }
            place = end
        }
        return plain
    }

    /// The place after the string that begins at a place; the end of the text where it has no end.
    private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
        var place = start + 1
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "\"") { return place + 1 }
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return bytes.count
    }

    private mutating func scan() throws(ConfigurationSyntaxError) {
        open = try expect("{")
        while true {
            skipBlanks()
            if byte == UInt8(ascii: "}") { break }
            if let last = members.indices.last, members[last].comma == nil {
                throw wrong("a comma is missing before it")
            }
            members.append(try member())
            skipBlanks()
            if byte == UInt8(ascii: ",") {
                members[members.count - 1].comma = place
                place += 1
            }
        }
        close = try expect("}")
        skipBlanks()
        guard place == plain.count else { throw wrong("there is more after the closing brace") }
    }

    private mutating func member() throws(ConfigurationSyntaxError) -> Member {
        guard byte == UInt8(ascii: "\"") else { throw wrong("a key in quotes is expected") }
        let keyStart = place
        place = Self.endOfString(plain, from: place)
        guard let key = try? WireCoding.decode(String.self, from: Data(plain[keyStart..<place])) else {
            place = keyStart
            throw wrong("a key in quotes is expected")
        }
        _ = try expect(":")
        skipBlanks()
        let start = place
        skipValue()
        let value = start..<place
        guard (try? WireCoding.decode(JSONValue.self, from: Data(plain[value]))) != nil else {
            place = start
            throw wrong("the value of '\(key)' is no JSON")
        }
        return Member(key: key, keyStart: keyStart, value: value)
    }

    private mutating func skipValue() {
        var depth = 0
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                place = Self.endOfString(plain, from: place)
                if depth == 0 { return }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
                if depth == 0 {
                    place += 1
                    return
                }
            case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
                if depth == 0 { return }
            default: break
            }
            place += 1
        }
    }

    private var byte: UInt8? { place < plain.count ? plain[place] : nil }

    private mutating func skipBlanks() {
        while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
    }

    private mutating func expect(_ sign: Unicode.Scalar) throws(ConfigurationSyntaxError) -> Int {
        skipBlanks()
        guard byte == UInt8(ascii: sign) else { throw wrong("'\(sign)' is expected") }
        place += 1
        return place - 1
    }

    private func wrong(_ reason: String) -> ConfigurationSyntaxError {
        ConfigurationSyntaxError(reason, at: place, in: bytes)
    }
}
