public import Foundation

extension JSONValue {
    /// Reads the one value of some JSON (RFC 8259) in UTF-8.
    ///
    /// A number whose value is whole and fits 64 bits is an integer, however it is written (`1`, `1.0`, `1e2`). Of a
    /// name that stands twice in an object, the first value counts, as with Foundation.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with the place of the first byte that is wrong, also where values lie
    ///   more than 512 levels deep, and where a number is too large for a `Double`.
    public init(parsing json: Data) throws {
        self = try json.withUnsafeBytes { bytes in
            var reader = JSONReader(bytes: bytes)
            return try reader.document()
        }
    }
}

/// Reads JSON from its first byte to its last.
///
/// Every byte is read through ``peek(_:)``, which checks the bounds.
struct JSONReader {
    /// How many lists and objects may lie within each other; Foundation reads as many.
    static let depthLimit = 512

    let bytes: UnsafeRawBufferPointer
    var index = 0
    private var depth = 0
    /// The members of all objects that are open, so that a dictionary is made when its size is known.
    private var members: [(name: String, value: JSONValue)] = []
    /// The names of the members that were read of all objects that are open.
    var names: [UnsafeRawBufferPointer] = []

    init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    mutating func document() throws -> JSONValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        skipSpace()
        let value = try value()
        try requireEnd()
        return value
    }

    /// Makes sure that nothing follows.
    mutating func requireEnd() throws {
        skipSpace()
        guard index == bytes.count else { throw malformed("the end is expected") }
    }

    /// The byte at a place; 0, which stands nowhere in JSON, where there is none.
    @inline(__always)
    func peek(_ place: Int) -> UInt8 { place < bytes.count ? bytes[place] : 0 }

    /// What is thrown for JSON that is wrong at the place that was reached, or at another.
    @inline(never)
    func malformed(_ reason: String, at place: Int? = nil) -> DecodingError {
        .dataCorrupted(
            .init(codingPath: [], debugDescription: "malformed JSON: \(reason) at byte \(place ?? index)"))
    }

    @inline(__always)
    mutating func skipSpace() {
        while true {
            switch peek(index) {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): index += 1
            default: return
            }
        }
    }

    mutating func value() throws -> JSONValue {
        switch peek(index) {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw malformed("a value is expected")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws -> JSONValue {
        let length = word.utf8CodeUnitCount
        let isThere = word.withUTF8Buffer { bytes[index...].starts(with: $0) }
        guard isThere else { throw malformed("a value is expected") }
        index += length
        return value
    }

    private mutating func array() throws -> JSONValue {
        try enter()
        var elements: [JSONValue] = []
        if !closes(UInt8(ascii: "]")) {
            repeat {
                skipSpace()
                elements.append(try value())
            } while try goesOn(before: UInt8(ascii: "]"), "a comma or ']' is expected")
        }
        leave()
        return .array(elements)
    }

    private mutating func object() throws -> JSONValue {
        try enter()
        let first = members.count
        if !closes(UInt8(ascii: "}")) {
            repeat {
                skipSpace()
                guard peek(index) == UInt8(ascii: "\"") else { throw malformed("a name is expected") }
                let name = try string()
                skipSpace()
                guard peek(index) == UInt8(ascii: ":") else { throw malformed("a colon is expected") }
                index += 1
                skipSpace()
                members.append((name, try value()))
            } while try goesOn(before: UInt8(ascii: "}"), "a comma or '}' is expected")
        }
        leave()
        var object = [String: JSONValue](minimumCapacity: members.count - first)
        // From the last to the first, so that the first of several with one name stays.
        while members.count > first {
            let member = members.removeLast()
            object[member.name] = member.value
        }
        return .object(object)
    }

    mutating func enter() throws {
        guard depth < Self.depthLimit else { throw malformed("there are more than \(Self.depthLimit) levels") }
        depth += 1
        index += 1
    }

    mutating func leave() { depth -= 1 }

    /// Whether a list or an object ends before its first value.
    mutating func closes(_ end: UInt8) -> Bool {
        skipSpace()
        guard peek(index) == end else { return false }
        index += 1
        return true
    }

    /// Whether a comma follows, and not the end.
    @inline(__always)
    mutating func goesOn(before end: UInt8, _ expectation: String) throws -> Bool {
        skipSpace()
        let byte = peek(index)
        guard byte == UInt8(ascii: ",") || byte == end else { throw malformed(expectation) }
        index += 1
        return byte != end
    }
}
