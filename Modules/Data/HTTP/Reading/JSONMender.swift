import Foundation

/// Mends JSON that a parser refuses as a whole, though only one text, number or value of it is bad.
///
/// Otherwise one record that another client wrote badly would keep all others from coming. Half a surrogate pair and
/// bytes that are no UTF-8 become U+FFFD. A backslash that begins no escape, and a control character, stand for
/// themselves. A number that no 64-bit floating-point number can hold (`1e400`, `NaN`) becomes its own text, so that
/// only its record is malformed. Values that lie too deep to be read become `null`: no known field has so many
/// levels. Any other JSON stays as it is, byte for byte. Other text that is no JSON stays so.
struct JSONMender {
    /// How many values may lie within each other. Foundation reads 512; the rest is for what is put around a record
    /// where it is kept.
    static let depthLimit = 500

    private let source: [UInt8]
    private var result: [UInt8] = []
    /// So much of the source is in the result.
    private var copied = 0
    private var hasWideCharacters = false

    /// The text as it can be read; nil where there was nothing to mend.
    static func mended(_ text: Data) -> Data? {
        var mender = JSONMender(source: [UInt8](text))
        mender.scan()
        return mender.outcome()
    }

    private init(source: [UInt8]) { self.source = source }

    private mutating func outcome() -> Data? {
        let isMended = copied > 0
        if isMended { result.append(contentsOf: source[copied...]) }
        let bytes = isMended ? result : source
        guard hasWideCharacters else { return isMended ? Data(bytes) : nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return isMended || !text.utf8.elementsEqual(bytes) ? Data(text.utf8) : nil
    }

    /// Puts something else in the place of a part of the source, which lies behind all parts that were replaced before.
    private mutating func replace(_ range: Range<Int>, with bytes: some Sequence<UInt8>) {
        result.append(contentsOf: source[copied..<range.lowerBound])
        result.append(contentsOf: bytes)
        copied = range.upperBound
    }

    private mutating func scan() {
        var index = 0
        var depth = 0
        while index < source.count {
            switch source[index] {
            case Self.quote: index = passString(from: index + 1)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                if depth == Self.depthLimit {
                    index = dropValue(from: index)
                } else {
                    depth += 1
                    index += 1
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                index += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"), Self.minus, UInt8(ascii: "N"), UInt8(ascii: "I"):
                index = passNumber(from: index)
            default: index += 1
            }
        }
    }

    // MARK: Depth

    /// Puts `null` in the place of a list or object, and goes on to behind its end.
    private mutating func dropValue(from start: Int) -> Int {
        var index = start
        var depth = 0
        while index < source.count {
            switch source[index] {
            case Self.quote: index = endOfString(from: index + 1)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                index += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                index += 1
                guard depth == 0 else { continue }
                replace(start..<index, with: "null".utf8)
                return index
            default: index += 1
            }
        }
        return index
    }

    /// The place behind the end of a text in which nothing is mended.
    private func endOfString(from start: Int) -> Int {
        var index = start
        while index < source.count {
            switch source[index] {
            case Self.quote: return index + 1
            case Self.backslash: index += 2
            default: index += 1
            }
        }
        return source.count
    }

    // MARK: Texts

    /// Goes on to behind the end of a text.
    private mutating func passString(from start: Int) -> Int {
        var index = start
        while index < source.count {
            switch source[index] {
            case Self.quote: return index + 1
            case Self.backslash: index = passEscape(at: index)
            case ..<0x20:
                let digits = String(source[index], radix: 16)
                replace(index..<index + 1, with: (digits.count == 1 ? "\\u000" + digits : "\\u00" + digits).utf8)
                index += 1
            case 0x80...:
                hasWideCharacters = true
                index += 1
            default: index += 1
            }
        }
        return index
    }

    private mutating func passEscape(at index: Int) -> Int {
        guard index + 1 < source.count else { return source.count }
        if Self.simpleEscapes.contains(source[index + 1]) { return index + 2 }
        guard let unit = codeUnit(at: index) else {
            replace(index..<index + 1, with: [Self.backslash, Self.backslash])
            return index + 1
        }
        guard (0xD800..<0xE000).contains(unit) else { return index + 6 }
        if unit < 0xDC00, let low = codeUnit(at: index + 6), (0xDC00..<0xE000).contains(low) { return index + 12 }
        replace(index..<index + 6, with: "\\ufffd".utf8)
        return index + 6
    }

    /// The number in an escape like `\u00e4`; nil where there is none.
    private func codeUnit(at index: Int) -> UInt32? {
        guard index + 5 < source.count, source[index] == Self.backslash, source[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var unit: UInt32 = 0
        for place in index + 2...index + 5 {
            guard let digit = Self.hexDigit(source[place]) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    // MARK: Numbers

    /// Goes on to behind the end of a number, or of a word in the place of one.
    private mutating func passNumber(from start: Int) -> Int {
        var end = start + 1
        var isLong = false
        var isWord = source[start] == UInt8(ascii: "N") || source[start] == UInt8(ascii: "I")
        scan: while end < source.count {
            switch source[end] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), Self.minus: break
            case UInt8(ascii: "e"), UInt8(ascii: "E"): isLong = true
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): isWord = true
            default: break scan
            }
            end += 1
        }
        // Without an exponent only a number of more than 308 digits can be too large.
        guard isWord || isLong || end - start > 308 else { return end }
        let text = String(decoding: source[start..<end], as: UTF8.self)
        let isUnreadable =
            isWord ? ["NaN", "Infinity", "-Infinity"].contains(text) : Double(text)?.isInfinite == true
        if isUnreadable { replace(start..<end, with: "\"\(text)\"".utf8) }
        return end
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    private static let minus = UInt8(ascii: "-")
    /// What stands behind the backslash of an escape, but for `u`.
    private static let simpleEscapes = [UInt8]("\"\\/bfnrt".utf8)
}
