import TrendyNotation

/// Reads CSV (RFC 4180) record by record. It keeps only one record and one piece of input in memory.
///
/// Beyond the RFC it accepts a UTF-8 byte order mark, a first line like `sep=;`, bare line feeds, bare carriage returns
/// if all lines end with one, blank lines, and quotes inside unquoted fields. After a bad record it continues with the
/// next line, so that a missing quote costs one line.
package struct CSVReader<Source: ByteSource> {
    /// The longest record, in bytes; a missing closing quote is noticed after that.
    static var recordLimit: Int { 1 << 20 }

    private var source: Source
    private let delimiter: UInt8
    private var buffer: [UInt8] = []
    private var start = 0
    private var line = 1
    private var isAtEnd = false
    private var hasBegun = false
    /// The byte that ends a line.
    private var lineEnd = UInt8(ascii: "\n")
    private var namedDelimiter: UInt8?

    package init(_ source: Source, delimiter: UInt8 = UInt8(ascii: ",")) {
        self.source = source
        self.delimiter = delimiter
    }

    /// The next record, or its error; nil at the end.
    ///
    /// - Throws: ``InputError`` if the input cannot be read, or is in UTF-16.
    package mutating func next() throws -> Result<CSVRow, CSVError>? {
        if !hasBegun { try begin() }
        while true {
            switch scan() {
            case .record(let row, let end, let lines):
                start = end
                line += lines
                if let row { return .success(row) }
            case .incomplete:
                if isAtEnd { return nil }
                try fill()
            case .broken(let message):
                let problem = CSVError(line: line, message: message)
                try skipLine()
                return .failure(problem)
            }
        }
    }

    /// The delimiter in a first line like `sep=;`, which spreadsheets write; nil if there is none.
    ///
    /// - Throws: As ``next()``.
    mutating func ownDelimiter() throws -> UInt8? {
        if !hasBegun { try begin() }
        return namedDelimiter
    }

    // MARK: Input

    private mutating func begin() throws {
        hasBegun = true
        while buffer.count < 3, !isAtEnd { try fill() }
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
        if FileKind.isWide(buffer) {
            throw InputError.data("the file is in UTF-16; save it as UTF-8 first")
        }
        var beginning = CSVBeginning(buffer[start...], isWhole: isAtEnd)
        while !beginning.isCertain, !isAtEnd, buffer.count < CSVBeginning.length {
            try fill()
            beginning = CSVBeginning(buffer[start...], isWhole: isAtEnd)
        }
        lineEnd = beginning.lineEnd
        guard let separator = beginning.separator else { return }
        namedDelimiter = separator.delimiter
        start = separator.end
        line += 1
    }

    private mutating func fill() throws {
        buffer.removeFirst(start)
        start = 0
        let piece = try source.next()
        if piece.isEmpty { isAtEnd = true }
        buffer += piece
    }

    /// Skips the present line.
    private mutating func skipLine() throws {
        var index = start
        while true {
            while index < buffer.count {
                index += 1
                if buffer[index - 1] == lineEnd {
                    start = index
                    line += 1
                    return
                }
            }
            if isAtEnd {
                start = index
                return
            }
            // The rest of an overlong line is dropped.
            start = index
            try fill()
            index = start
        }
    }

    // MARK: Scanning

    private enum Scan {
        /// A record (nil for a blank line), its end, and its number of lines.
        case record(CSVRow?, end: Int, lines: Int)
        case incomplete
        case broken(String)
    }

    private func scan() -> Scan {
        buffer.withUnsafeBufferPointer { bytes in
            var record = RecordScanner(
                bytes: bytes, index: start, delimiter: delimiter, lineEnd: lineEnd, isAtEnd: isAtEnd)
            switch record.run() {
            case .done:
                let row = record.isBlank ? nil : CSVRow(line: line, bytes: record.content, ends: record.ends)
                return .record(row, end: record.index, lines: record.lines)
            case .needsMore where bytes.count - start > Self.recordLimit:
                return .broken("the record is longer than \(Self.recordLimit) bytes; a closing quote may be missing")
            case .needsMore:
                return .incomplete
            case .broken(let message):
                return .broken(message)
            }
        }
    }
}

/// One record of a CSV file.
package struct CSVRow {
    /// The number of its first line; the first line of the file is 1.
    package let line: Int
    private let bytes: [UInt8]
    private let ends: [Int]

    init(line: Int, bytes: [UInt8], ends: [Int]) {
        self.line = line
        self.bytes = bytes
        self.ends = ends
    }

    package var count: Int { ends.count }

    /// Whether all fields are blank.
    package var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

    /// The bytes of a field, without quotes.
    package func bytes(_ column: Int) -> ArraySlice<UInt8> {
        bytes[(column == 0 ? 0 : ends[column - 1])..<ends[column]]
    }

    /// The text of a field; nil if it is not UTF-8.
    package func text(_ column: Int) -> String? {
        String(validating: bytes(column), as: UTF8.self)
    }
}

/// The error of a line of a CSV file.
package struct CSVError: Error, Hashable {
    package let line: Int
    package let message: String
}

/// Properties of a CSV file that its beginning shows.
struct CSVBeginning {
    /// The maximum number of examined bytes.
    static let length = 1 << 16

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// Whether more bytes cannot change the result.
    var isCertain: Bool { lineEnd == Self.lineFeed && hasLineEnd }

    /// Whether a line end was found.
    private let hasLineEnd: Bool
    /// The byte that ends a line: a carriage return only if there are no line feeds, as on an old Macintosh.
    let lineEnd: UInt8
    /// The delimiter of a line `sep=;` and the end of that line; nil without such a line.
    let separator: (delimiter: UInt8, end: Int)?

    /// Examines bytes.
    ///
    /// - Parameter isWhole: Whether the bytes are the whole file.
    init(_ bytes: ArraySlice<UInt8>, isWhole: Bool) {
        let found = Self.lineEnd(bytes.prefix(Self.length), isWhole: isWhole)
        hasLineEnd = found != nil
        lineEnd = found ?? Self.lineFeed
        separator = Self.separator(bytes, lineEnd)
    }

    /// The line end; those within quotes belong to a field.
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

    /// Reads a first line like `sep=;`, with or without quotes.
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
