/// What the beginning of a CSV file tells of the rest.
struct CSVBeginning {
    /// How many bytes are looked at, at most.
    static let length = 1 << 16

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// Whether more bytes would tell the same.
    var isCertain: Bool { lineEnd == Self.lineFeed && hasLineEnd }

    /// Whether the end of a line was seen.
    private let hasLineEnd: Bool
    /// The byte that ends a line: a carriage return only where there are no line feeds, as on an old Macintosh.
    let lineEnd: UInt8
    /// What the line `sep=;` names, and where the line after it begins; nil where the first line is none of this kind.
    let separator: (delimiter: UInt8, end: Int)?

    /// Looks at bytes.
    ///
    /// - Parameter isWhole: Whether nothing follows them.
    init(_ bytes: ArraySlice<UInt8>, isWhole: Bool) {
        let found = Self.lineEnd(bytes.prefix(Self.length), isWhole: isWhole)
        hasLineEnd = found != nil
        lineEnd = found ?? Self.lineFeed
        separator = Self.separator(bytes, lineEnd)
    }

    /// Line ends within quotes are those of a field.
    private static func lineEnd(_ bytes: ArraySlice<UInt8>, isWhole: Bool) -> UInt8? {
        var isQuoted = false
        var hasReturn = false
        for index in bytes.indices {
            switch bytes[index] {
            case quote: isQuoted.toggle()
            case lineFeed where !isQuoted: return lineFeed
            case carriageReturn where !isQuoted: hasReturn = hasReturn || isWhole || index + 1 < bytes.endIndex
            default: break
            }
        }
        return hasReturn ? carriageReturn : nil
    }

    /// Reads `sep=;`, in quotes or without, as the first line.
    private static func separator(_ bytes: ArraySlice<UInt8>, _ lineEnd: UInt8) -> (delimiter: UInt8, end: Int)? {
        let line = bytes.prefix(8).prefix { $0 != lineEnd }
        guard line.endIndex == bytes.endIndex || bytes[line.endIndex] == lineEnd else { return nil }
        var word = line.last == carriageReturn ? line.dropLast() : line
        if word.count > 2, word.first == quote, word.last == quote { word = word.dropFirst().dropLast() }
        guard word.count == 5, let delimiter = word.last, word.dropLast().elementsEqual("sep=".utf8, by: isSameLetter),
            delimiter < 0x80, delimiter != quote, !isLetterOrDigit(delimiter)
        else { return nil }
        return (delimiter, min(line.endIndex + 1, bytes.endIndex))
    }

    private static func isSameLetter(_ byte: UInt8, _ small: UInt8) -> Bool {
        byte == small || isLetterOrDigit(byte) && byte | 0x20 == small
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
