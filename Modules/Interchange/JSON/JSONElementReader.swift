import TrendyDomain
import TrendyNotation

/// An element of a JSON file.
package struct JSONElement {
    /// The name of its array, if the file is an object of arrays.
    package var section: String?
    /// The number of its first line; the first line of the file is 1.
    package var line: Int
    /// Its position in the array from 1; 0 outside an array.
    package var number = 0
    package var bytes: [UInt8]

    /// A key that is unique in the file.
    package var key: String { "\(section ?? "") \(number) \(line)" }
}

/// Splits a JSON file into elements, with only one element in memory.
///
/// The file is an array, or an object whose members are arrays. Missing commas are tolerated. The elements are parsed
/// elsewhere.
struct JSONElementReader {
    /// The maximum length of an element, in bytes.
    static let limit = 1 << 24

    private enum State {
        case start
        /// Within an array, which may be a member of the object that the file is.
        case array(section: String?, isMember: Bool)
        case object
        case end
    }

    private var source: any ByteSource
    private var buffer: [UInt8] = []
    private var index = 0
    private var isAtEnd = false
    private var line = 1
    /// The number of elements of the present array so far.
    private var count = 0
    private var state = State.start

    init(_ source: any ByteSource) {
        self.source = source
    }

    /// The next element; nil at the end.
    ///
    /// - Throws: ``InputError`` if the file does not have this form, or is incomplete.
    mutating func next() throws -> JSONElement? {
        if case .start = state { try skipByteOrderMark() }
        while true {
            try skipBlanks()
            switch state {
            case .start: try begin()
            case .array(let section, let isMember):
                if let element = try element(of: section, isMember) { return element }
            case .object:
                if let element = try member() { return element }
            case .end:
                if try peek() != nil { throw failure("there is text after the end of the JSON") }
                return nil
            }
        }
    }

    private mutating func begin() throws {
        switch try peek() {
        case UInt8(ascii: "["): state = .array(section: nil, isMember: false)
        case UInt8(ascii: "{"): state = .object
        case nil: throw failure("the file is empty")
        default: throw failure("this is not JSON: it begins neither with '[' nor with '{'; name another file")
        }
        index += 1
    }

    private mutating func element(of section: String?, _ isMember: Bool) throws -> JSONElement? {
        guard try peek() == UInt8(ascii: "]") else {
            var element = try value(in: section)
            count += 1
            element.number = count
            return element
        }
        index += 1
        count = 0
        state = isMember ? .object : .end
        return nil
    }

    private mutating func member() throws -> JSONElement? {
        if try peek() == UInt8(ascii: "}") {
            index += 1
            state = .end
            return nil
        }
        guard try peek() == UInt8(ascii: "\"") else { throw failure("the name of a member is missing") }
        let name = try value(in: nil)
        let section = String(decoding: name.bytes.dropFirst().dropLast(), as: UTF8.self)
        try skipBlanks()
        guard try peek() == UInt8(ascii: ":") else { throw failure("':' is missing after \"\(section)\"") }
        index += 1
        try skipBlanks()
        guard try peek() == UInt8(ascii: "[") else { return try value(in: section) }
        index += 1
        state = .array(section: section, isMember: true)
        return nil
    }

    // MARK: Values

    /// The text of a value.
    private mutating func value(in section: String?) throws -> JSONElement {
        var element = JSONElement(section: section, line: line, bytes: [])
        var nesting = JSONNesting()
        // Texts and brackets end with their own last character; other values end before a separator.
        var isEnclosed = false
        while true {
            guard let byte = try peek() else {
                if nesting.isClosed, !element.bytes.isEmpty { return element }
                throw failure(
                    nesting.isInText
                        ? "the file ends within a text and is incomplete; export it again"
                        : "the file ends within the JSON and is incomplete; export it again")
            }
            if nesting.isClosed, !element.bytes.isEmpty, isEnclosed || Self.endsScalar(byte) { return element }
            nesting.pass(byte)
            if nesting.depth < 0 { throw failure("there is a closing bracket without an opening one") }
            if !nesting.isClosed { isEnclosed = true }
            element.bytes.append(byte)
            if byte == UInt8(ascii: "\n") { line += 1 }
            index += 1
            try requireShort(element)
        }
    }

    private func requireShort(_ element: JSONElement) throws {
        if element.bytes.count > Self.limit {
            throw InputError.data("line \(element.line): the element is longer than \(Self.limit) bytes")
        }
    }

    private static func endsScalar(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":")].contains(byte)
    }

    // MARK: Bytes

    private mutating func peek() throws -> UInt8? {
        while index == buffer.count {
            if isAtEnd { return nil }
            buffer = try source.next()
            index = 0
            if buffer.isEmpty { isAtEnd = true }
        }
        return buffer[index]
    }

    /// Skips a byte order mark.
    private mutating func skipByteOrderMark() throws {
        for byte: UInt8 in [0xEF, 0xBB, 0xBF] {
            guard try peek() == byte else { return }
            index += 1
        }
    }

    private mutating func skipBlanks() throws {
        while let byte = try peek(), byte <= 0x20 || byte == UInt8(ascii: ",") {
            if byte == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
    }

    private func failure(_ message: String) -> InputError { .data("line \(line): \(message)") }
}
