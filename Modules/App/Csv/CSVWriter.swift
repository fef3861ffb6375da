/// Writes CSV (RFC 4180): a field is quoted where it must be, lines end with CRLF.
struct CSVWriter {
    private(set) var bytes: [UInt8] = []

    /// Adds a record.
    mutating func add(_ fields: [String]) {
        for (position, field) in fields.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            append(field, mustQuote: fields.count == 1 && field.isEmpty)
        }
        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }

    /// Empties the writer and gives what was written.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private mutating func append(_ field: String, mustQuote: Bool) {
        let needsQuotes =
            mustQuote
            || field.utf8.contains { byte in
                byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
                    || byte == UInt8(ascii: "\r")
            }
        guard needsQuotes else {
            bytes.append(contentsOf: field.utf8)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in field.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
