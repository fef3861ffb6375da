import TrendyTerminal

/// Reads CSV (RFC 4180) record by record, holding no more than one record and one piece of input.
///
/// Beyond the RFC it takes a UTF-8 byte order mark, a first line like `sep=;`, bare line feeds, bare carriage returns
/// where all lines end with one, blank lines and quotes inside unquoted fields. After a record that it cannot read it
/// goes on with the next line, so that one lost quote costs one line.
struct CSVReader<Source: ByteSource> {
    /// The longest record, in bytes: what a quote that is never closed may swallow before that is noticed.
    static var recordLimit: Int { 1 << 20 }

    private var source: Source
    private let delimiter: UInt8
    private var buffer: [UInt8] = []
    private var start = 0
    private var line = 1
    private var isAtEnd = false
    private var hasBegun = false
    /// The byte that ends a line, whatever stands before it.
    private var lineEnd = UInt8(ascii: "\n")
    private var namedDelimiter: UInt8?

    init(_ source: Source, delimiter: UInt8 = UInt8(ascii: ",")) {
        self.source = source
        self.delimiter = delimiter
    }

    /// The next record, or what is wrong with it; nil at the end.
    ///
    /// - Throws: ``CommandFailure`` where the input cannot be read or is no text in UTF-8's family.
    mutating func next() throws -> Result<CSVRow, CSVProblem>? {
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
                let problem = CSVProblem(line: line, message: message)
                try skipLine()
                return .failure(problem)
            }
        }
    }

    /// What stands between the fields by the file's own first line, as spreadsheets write it; nil where it has none.
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
            throw CommandFailure.data("the file is in UTF-16; save it as UTF-8 first")
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

    /// Goes on after the end of the line that begins here.
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
            // The rest of an overlong line is not kept.
            start = index
            try fill()
            index = start
        }
    }

    // MARK: Scanning

    private enum Scan {
        /// A record (nil for a blank line), where it ends, and how many lines it takes.
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
