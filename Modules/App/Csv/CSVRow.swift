/// One record of a CSV file.
struct CSVRow {
    /// The number of the line that it begins on; the first line is 1.
    let line: Int
    private let bytes: [UInt8]
    private let ends: [Int]

    init(line: Int, bytes: [UInt8], ends: [Int]) {
        self.line = line
        self.bytes = bytes
        self.ends = ends
    }

    /// How many fields it has.
    var count: Int { ends.count }

    /// True where no field has more than blanks.
    var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

    /// The bytes of a field, without quotes.
    func bytes(_ column: Int) -> ArraySlice<UInt8> {
        bytes[(column == 0 ? 0 : ends[column - 1])..<ends[column]]
    }

    /// The text of a field, nil where it is not UTF-8.
    func text(_ column: Int) -> String? {
        String(validating: bytes(column), as: UTF8.self)
    }
}

/// Why a line of a CSV file cannot be read.
struct CSVProblem: Error, Hashable {
    let line: Int
    let message: String
}
