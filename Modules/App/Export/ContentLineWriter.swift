/// Writes lines of iCalendar (RFC 5545, section 3.1): they end with CRLF, and none is longer than 75 bytes.
struct ContentLineWriter {
    /// The longest line, in bytes, without its end.
    static let limit = 75

    private(set) var bytes: [UInt8] = []

    /// Adds a property with a value that needs no escapes.
    mutating func add(_ name: String, _ value: String) {
        fold(Array((name + ":" + value).utf8))
    }

    /// Adds a property whose value is text.
    mutating func add(_ name: String, text: String) {
        add(name, Self.escaped(text))
    }

    /// Empties the writer and gives what was written.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Breaks a line before a byte that begins a character, never within one.
    private mutating func fold(_ line: [UInt8]) {
        var start = 0
        var room = Self.limit
        while line.count - start > room {
            var end = start + room
            while end > start + 1, line[end] & 0xC0 == 0x80 { end -= 1 }
            bytes += line[start..<end]
            bytes += [0x0D, 0x0A, 0x20]
            start = end
            // The blank that goes on counts.
            room = Self.limit - 1
        }
        bytes += line[start...]
        bytes += [0x0D, 0x0A]
    }

    /// The text with escapes (section 3.3.11), without the control characters that no text may have.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var scalars = text.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\\", ";", ",":
                result.append("\\")
                result.append(scalar)
            case "\r":
                if scalars.first != "\n" { result.append(contentsOf: "\\n".unicodeScalars) }
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\t": result.append(scalar)
            default: if scalar.value >= 0x20 && scalar.value != 0x7F { result.append(scalar) }
            }
        }
        return String(result)
    }
}
