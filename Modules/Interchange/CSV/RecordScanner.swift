import TrendyNotation

/// Scans one CSV record at the start of a buffer.
struct RecordScanner {
    enum Outcome {
        case done
        /// The buffer ends within the record, or is empty.
        case needsMore
        case broken(String)
    }

    let bytes: UnsafeBufferPointer<UInt8>
    /// The position; after ``run()`` the end of the record.
    private(set) var index: Int
    let delimiter: UInt8
    /// The byte that ends a line; a carriage return before a line feed belongs to the line end.
    let lineEnd: UInt8
    /// Whether the buffer is the end of the file.
    let isAtEnd: Bool

    private(set) var content: [UInt8] = []
    private(set) var ends: [Int] = []
    /// The number of line ends in the record.
    private(set) var lines = 0
    private(set) var isBlank = false

    private static let quote = UInt8(ascii: "\"")
    private static let carriageReturn = UInt8(ascii: "\r")

    init(bytes: UnsafeBufferPointer<UInt8>, index: Int, delimiter: UInt8, lineEnd: UInt8, isAtEnd: Bool) {
        self.bytes = bytes
        self.index = index
        self.delimiter = delimiter
        self.lineEnd = lineEnd
        self.isAtEnd = isAtEnd
        content.reserveCapacity(128)
    }

    mutating func run() -> Outcome {
        let start = index
        if index == bytes.count { return .needsMore }
        while true {
            if index < bytes.count, bytes[index] == Self.quote {
                if let outcome = quoted() { return outcome }
            } else if let outcome = plain() {
                return outcome
            }
            ends.append(content.count)
            if index < bytes.count, bytes[index] == delimiter {
                index += 1
                if index == bytes.count, !isAtEnd { return .needsMore }
                continue
            }
            isBlank = content.isEmpty && ends.count == 1 && !(start < bytes.count && bytes[start] == Self.quote)
            return passLineEnd()
        }
    }

    /// Reads an unquoted field up to the delimiter or line end.
    private mutating func plain() -> Outcome? {
        let begin = index
        while index < bytes.count, bytes[index] != delimiter, bytes[index] != lineEnd { index += 1 }
        if index == bytes.count, !isAtEnd { return .needsMore }
        var end = index
        let endsLine = index == bytes.count || bytes[index] == lineEnd
        if endsLine, end > begin, bytes[end - 1] == Self.carriageReturn { end -= 1 }
        content.append(contentsOf: bytes[begin..<end])
        return nil
    }

    /// Reads a quoted field; a doubled quote is an escaped quote.
    private mutating func quoted() -> Outcome? {
        index += 1
        while true {
            let begin = index
            while index < bytes.count, bytes[index] != Self.quote {
                if bytes[index] == lineEnd { lines += 1 }
                index += 1
            }
            content.append(contentsOf: bytes[begin..<index])
            guard index < bytes.count else {
                return isAtEnd ? .broken("the closing quote of a field is missing") : .needsMore
            }
            index += 1
            if index == bytes.count, !isAtEnd { return .needsMore }
            guard index < bytes.count, bytes[index] == Self.quote else { break }
            content.append(Self.quote)
            index += 1
        }
        return checkAfterQuote()
    }

    private mutating func checkAfterQuote() -> Outcome? {
        guard index < bytes.count else { return nil }
        switch bytes[index] {
        case delimiter, lineEnd: return nil
        case Self.carriageReturn:
            if index + 1 == bytes.count {
                if !isAtEnd { return .needsMore }
                index += 1
                return nil
            }
            if bytes[index + 1] == lineEnd {
                index += 1
                return nil
            }
            return .broken("there is text after a closing quote")
        default: return .broken("there is text after a closing quote")
        }
    }

    private mutating func passLineEnd() -> Outcome {
        if index < bytes.count {
            index += 1
            lines += 1
        }
        return .done
    }
}
