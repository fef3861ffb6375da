import TrendyNotation

/// Finds where a text is no JSON (RFC 8259), for whoever wrote it by hand.
///
/// The decoder says that a text is none, and not where; it reads what it refuses once more.
struct JSONSyntax {
    private let bytes: [UInt8]
    private var index = 0

    /// What is wrong with a text that should be one value of JSON, in a clause; nil where nothing is.
    static func problem(in bytes: [UInt8]) -> String? {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            return "it is no JSON: it is not UTF-8; \(RowProblem.conversion)"
        }
        var syntax = JSONSyntax(bytes: bytes)
        do {
            try syntax.document()
            return nil
        } catch {
            let fault = error.isSyntax ? "it is no JSON" : "it cannot be read"
            return "\(fault): \(error.clause)\(syntax.place)"
        }
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private struct Problem: Error {
        let clause: String
        /// False for what is JSON, and more than can be read.
        var isSyntax = true
    }

    /// How deep values may lie in each other.
    private static let depthLimit = 500

    /// The text before the place where it goes wrong.
    private var place: String {
        let end = min(index, bytes.count)
        let before = String(decoding: bytes[max(0, end - 24)..<end], as: UTF8.self)
        // What is left of a character that the cut has split is no text.
        let text = Names.trimmed(before.filter { $0 != "\u{FFFD}" && !$0.isNewline })
        return text.isEmpty ? ", at its beginning" : " after \(end > 24 ? "…" : "")\(text)"
    }

    // MARK: Values

    private mutating func document() throws(Problem) {
        try value(depth: 0)
        skipBlanks()
        if index < bytes.count { throw Problem(clause: "there is text after the end of the value") }
    }

    private mutating func value(depth: Int) throws(Problem) {
        skipBlanks()
        guard depth < Self.depthLimit else { throw Problem(clause: "values lie too deep in each other") }
        switch peek {
        case nil: throw Problem(clause: "a value is missing")
        case UInt8(ascii: "{"): try object(depth: depth)
        case UInt8(ascii: "["): try array(depth: depth)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "-"), .some(0x30...0x39): try number()
        case UInt8(ascii: "'"): throw Problem(clause: "a text stands in single quotation marks, and not in double ones")
        default: try word()
        }
    }

    private mutating func object(depth: Int) throws(Problem) {
        index += 1
        if passes("}") { return }
        repeat {
            skipBlanks()
            guard peek == UInt8(ascii: "\"") else {
                let isEnd = peek == UInt8(ascii: "}")
                throw Problem(
                    clause: isEnd ? "there is a comma too many" : "a name in double quotation marks is missing")
            }
            try string()
            guard passes(":") else { throw Problem(clause: "':' is missing") }
            try value(depth: depth + 1)
        } while passes(",")
        guard passes("}") else { throw Problem(clause: "',' or '}' is missing") }
    }

    private mutating func array(depth: Int) throws(Problem) {
        index += 1
        if passes("]") { return }
        repeat {
            skipBlanks()
            if peek == UInt8(ascii: "]") { throw Problem(clause: "there is a comma too many") }
            try value(depth: depth + 1)
        } while passes(",")
        guard passes("]") else { throw Problem(clause: "',' or ']' is missing") }
    }

    private mutating func word() throws(Problem) {
        for known in ["true", "false", "null"] where bytes[index...].starts(with: known.utf8) {
            index += known.utf8.count
            return
        }
        throw Problem(clause: "a value is missing; texts stand in double quotation marks")
    }

    private mutating func number() throws(Problem) {
        let start = index
        if peek == UInt8(ascii: "-") { index += 1 }
        let beginsWithZero = peek == UInt8(ascii: "0")
        let whole = digits()
        var isNumber = whole > 0 && !(beginsWithZero && whole > 1)
        if peek == UInt8(ascii: ".") {
            index += 1
            isNumber = digits() > 0 && isNumber
        }
        if let byte = peek, "eE".utf8.contains(byte) {
            index += 1
            if let sign = peek, "+-".utf8.contains(sign) { index += 1 }
            isNumber = digits() > 0 && isNumber
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard isNumber else { throw Problem(clause: "'\(text)' is no number of JSON,") }
        // It is JSON, but the decoder, which is asked first, says of it what makes no sense.
        if Double(text)?.isFinite != true {
            throw Problem(clause: "the number \(text) is too large,", isSyntax: false)
        }
    }

    /// Passes digits, and answers how many.
    private mutating func digits() -> Int {
        let start = index
        while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
        return index - start
    }

    // MARK: Texts

    private mutating func string() throws(Problem) {
        index += 1
        while let byte = peek {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): try escape()
            case ..<0x20:
                throw Problem(clause: "a text has a line break or another control character, and not its escape")
            default: break
            }
        }
        throw Problem(clause: "a text has no end")
    }

    private mutating func escape() throws(Problem) {
        guard let byte = peek else { throw Problem(clause: "a text has no end") }
        index += 1
        if byte == UInt8(ascii: "u") { return try unicode() }
        guard "\"\\/bfnrt".utf8.contains(byte) else {
            let character = byte < 0x80 ? String(UnicodeScalar(byte)) : "…"
            throw Problem(clause: "'\\\(character)' is no escape of JSON, and a backslash itself is written '\\\\',")
        }
    }

    /// Four digits, and the other half of a character that takes two of them.
    private mutating func unicode() throws(Problem) {
        let first = try hex()
        if (0xDC00...0xDFFF).contains(first) { throw Problem(clause: "'\\u' names the second half of a character") }
        guard (0xD800...0xDBFF).contains(first) else { return }
        guard bytes[index...].starts(with: [0x5C, 0x75]) else {
            throw Problem(clause: "'\\u' names half a character")
        }
        index += 2
        guard (0xDC00...0xDFFF).contains(try hex()) else { throw Problem(clause: "'\\u' names half a character") }
    }

    private mutating func hex() throws(Problem) -> UInt32 {
        let digits = String(decoding: bytes[index...].prefix(4), as: UTF8.self)
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16) else {
            throw Problem(clause: "'\\u' needs four hexadecimal digits")
        }
        index += 4
        return number
    }

    // MARK: Bytes

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    /// Passes a sign, and blanks before it, where it is there.
    private mutating func passes(_ sign: Character) -> Bool {
        skipBlanks()
        guard let byte = peek, byte == sign.asciiValue else { return false }
        index += 1
        return true
    }
}
