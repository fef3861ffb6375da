import TrendyNotation

/// Reads lines from a source of bytes, which end with a line feed or with CRLF.
struct LineReader {
    /// The maximum length of a line, in bytes.
    static let limit = 1 << 22

    private var source: any ByteSource
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// The number of the last line; the first line is 1.
    private(set) var number = 0

    init(_ source: any ByteSource) {
        self.source = source
    }

    /// The next line without its end; nil at the end.
    ///
    /// - Throws: ``InputError`` if the source fails, or a line is too long.
    mutating func next() throws -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) { return take(upTo: end, skipping: 1) }
            if isAtEnd { return start == buffer.count ? nil : take(upTo: buffer.count, skipping: 0) }
            guard buffer.count - start <= Self.limit else {
                throw InputError.data(
                    "line \(number + 1) is longer than \(Self.limit) bytes; name another file")
            }
            buffer.removeFirst(start)
            start = 0
            searched = buffer.count
            let piece = try source.next()
            if piece.isEmpty { isAtEnd = true }
            buffer += piece
        }
    }

    private mutating func take(upTo end: Int, skipping count: Int) -> ArraySlice<UInt8> {
        number += 1
        var line = buffer[start..<end]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        start = end + count
        return line
    }
}
