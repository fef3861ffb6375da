import TrendyNotation

/// A line of iCalendar, unfolded: `DTSTART;TZID=Europe/Berlin:20260301T080000` (RFC 5545, section 3.1).
struct ContentLine {
    /// The number of its first line in the file.
    let line: Int
    /// The name of the property, in upper case.
    let name: String
    /// The parameters by their names in upper case.
    let parameters: [String: String]
    let value: String

    /// Reads a line; nil if it is not valid.
    init?(_ text: String, line: Int) {
        var rest = text[...]
        let name = rest.prefix { $0 != ";" && $0 != ":" }
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
            return nil
        }
        rest = rest.dropFirst(name.count)
        var parameters: [String: String] = [:]
        while rest.first == ";" {
            rest = rest.dropFirst()
            let key = rest.prefix { $0 != "=" && $0 != ":" && $0 != ";" }
            rest = rest.dropFirst(key.count)
            guard rest.first == "=" else { return nil }
            rest = rest.dropFirst()
            parameters[key.uppercased()] = Self.parameterValue(&rest)
        }
        guard rest.first == ":" else { return nil }
        self.line = line
        self.name = name.uppercased()
        self.parameters = parameters
        value = String(rest.dropFirst())
    }

    /// The value of a parameter, with or without quotation marks; a list is returned as one text.
    private static func parameterValue(_ rest: inout Substring) -> String {
        var value = ""
        var isQuoted = false
        while let character = rest.first {
            if character == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, character == ";" || character == ":" {
                break
            } else {
                value.append(character)
            }
            rest = rest.dropFirst()
        }
        return value
    }

    /// The value as text, without its escapes (section 3.3.11).
    var text: String { Self.unescaped(value[...]) }

    /// The texts of a list with commas.
    var texts: [String] { pieces.map(Self.unescaped) }

    /// The parts between unescaped commas.
    private var pieces: [Substring] {
        var pieces: [Substring] = []
        var start = value.startIndex
        var isEscaped = false
        for index in value.indices {
            if isEscaped {
                isEscaped = false
            } else if value[index] == "\\" {
                isEscaped = true
            } else if value[index] == "," {
                pieces.append(value[start..<index])
                start = value.index(after: index)
            }
        }
        return pieces + [value[start...]]
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.contains("\\") else { return String(text) }
        var result = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                result.append(character == "n" || character == "N" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return result
    }
}

/// Reads the unfolded lines of an iCalendar file.
struct ContentLineReader {
    private var lines: LineReader
    /// The start of the next line.
    private var ahead: ArraySlice<UInt8>?
    private var hasBegun = false

    init(_ source: any ByteSource) {
        lines = LineReader(source)
    }

    /// The next line, or an error with its line; nil at the end.
    mutating func next() throws -> Result<ContentLine, CSVError>? {
        if !hasBegun {
            hasBegun = true
            ahead = try lines.next()
        }
        while var bytes = ahead {
            let number = lines.number
            ahead = try lines.next()
            while let more = ahead, let first = more.first, first == 0x20 || first == 0x09 {
                bytes += more.dropFirst()
                if bytes.count > LineReader.limit {
                    throw InputError.data("line \(number) is longer than \(LineReader.limit) bytes")
                }
                ahead = try lines.next()
            }
            if bytes.allSatisfy({ $0 <= 0x20 }) { continue }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return .failure(CSVError(line: number, message: "it is not UTF-8; \(RowError.conversion)"))
            }
            guard let line = ContentLine(text, line: number) else {
                return .failure(CSVError(line: number, message: "'\(text.prefix(40))' is not a line of iCalendar"))
            }
            return .success(line)
        }
        return nil
    }
}
