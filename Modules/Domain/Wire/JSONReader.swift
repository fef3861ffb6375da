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
        do {
            self = try json.withUnsafeBytes { bytes in
                var reader = JSONReader(bytes: bytes)
                return try reader.document { reader throws(JSONFault) in try reader.value() }
            }
        } catch let fault as JSONFault {
            throw fault.decodingError
        }
    }
}

/// Reads JSON from its first byte to its last: the only code here that knows its tokens.
///
/// What is read is strict (RFC 8259, UTF-8). Who can do without a value that is wrong names the kinds of faults in
/// ``noted``: the reader keeps them in ``faults`` and goes on behind them. Every byte is read through ``peek(_:)``,
/// which checks the bounds.
package struct JSONReader {
    /// How many lists and objects may lie within each other; Foundation reads as many.
    package static let depthLimit = 512

    package let bytes: UnsafeRawBufferPointer
    /// The place of the next byte.
    package var index = 0
    /// What is noted in place of being thrown.
    package var noted: JSONFault.Kind = []
    /// What was noted, in the order of the bytes.
    package var faults: [JSONFault] = []
    var depthLimit = JSONReader.depthLimit
    private var depth = 0
    /// The members of all objects that are open, so that a dictionary is made when its size is known.
    private var members: [(name: String, value: JSONValue)] = []
    /// The names of the members that were read of all objects that are open.
    var names: [UnsafeRawBufferPointer] = []

    package init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// A reader that notes faults.
    package init(bytes: UnsafeRawBufferPointer, noting noted: JSONFault.Kind, depthLimit: Int = JSONReader.depthLimit) {
        self.bytes = bytes
        self.noted = noted
        self.depthLimit = depthLimit
    }

    /// The first fault of a text that should be one value of JSON; nil where it has none.
    package static func fault(in text: [UInt8]) -> JSONFault? {
        text.withUnsafeBytes { bytes in
            var reader = JSONReader(bytes: bytes)
            do throws(JSONFault) {
                try reader.document { reader throws(JSONFault) in try reader.skipValue() }
                return nil
            } catch {
                return error
            }
        }
    }

    /// Reads the one value of a text, which a byte order mark and blanks may stand around.
    package mutating func document<Value>(
        _ read: (inout JSONReader) throws(JSONFault) -> Value
    ) throws(JSONFault) -> Value {
        skipMark()
        skipSpace()
        let value = try read(&self)
        try requireEnd()
        return value
    }

    /// Makes sure that nothing follows.
    package mutating func requireEnd() throws(JSONFault) {
        skipSpace()
        guard index == bytes.count else { throw malformed("there is text after the end of the value") }
    }

    /// The byte at a place; 0, which stands nowhere in JSON, where there is none.
    @inline(__always)
    func peek(_ place: Int) -> UInt8 { place < bytes.count ? bytes[place] : 0 }

    /// The next byte; 0 where there is none.
    package var next: UInt8 { peek(index) }

    /// The bytes of some places as text.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    /// What is thrown for JSON that is wrong at the place that was reached, or at another.
    @inline(never)
    package func malformed(_ reason: String, at place: Int? = nil) -> JSONFault {
        let place = place ?? index
        return JSONFault(kind: .syntax, reason: reason, place: place..<min(place + 1, max(place, bytes.count)))
    }

    /// Notes what is wrong with a value, or throws it.
    @inline(never)
    mutating func note(_ kind: JSONFault.Kind, _ reason: String, at place: Range<Int>) throws(JSONFault) {
        let fault = JSONFault(kind: kind, reason: reason, place: place)
        guard noted.contains(kind) else { throw fault }
        faults.append(fault)
    }

    /// Passes the mark that some programs write before UTF-8 (RFC 8259, section 8.1).
    package mutating func skipMark() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    @inline(__always)
    package mutating func skipSpace() {
        while true {
            switch peek(index) {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): index += 1
            default: return
            }
        }
    }

    mutating func value() throws(JSONFault) -> JSONValue {
        switch peek(index) {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        default: return try scalar()
        }
    }

    /// Reads a number, `true`, `false` or `null`.
    package mutating func scalar() throws(JSONFault) -> JSONValue {
        switch peek(index) {
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-") where peek(index + 1) == UInt8(ascii: "I"): return try nonNumber("-Infinity")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "N"): return try nonNumber("NaN")
        case UInt8(ascii: "I"): return try nonNumber("Infinity")
        case UInt8(ascii: "'"): throw malformed("a text stands in single quotation marks, and not in double ones")
        default: throw noValue()
        }
    }

    @inline(never)
    private func noValue() -> JSONFault {
        let isSign = ",:]}".utf8.contains(peek(index))
        return malformed(
            index == bytes.count || isSign
                ? "a value is missing" : "a value is missing; texts stand in double quotation marks")
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
        guard word.withUTF8Buffer({ bytes[index...].starts(with: $0) }) else { throw noValue() }
        index += word.utf8CodeUnitCount
        return value
    }

    /// Reads what some programs write in the place of a number that JSON cannot hold.
    @inline(never)
    private mutating func nonNumber(_ word: String) throws(JSONFault) -> JSONValue {
        guard bytes[index...].starts(with: word.utf8) else { throw noValue() }
        let place = index..<index + word.utf8.count
        try note(.word, "'\(word)' is no number of JSON", at: place)
        index = place.upperBound
        return .string(word)
    }

    private mutating func array() throws(JSONFault) -> JSONValue {
        try enter()
        var elements: [JSONValue] = []
        if !closes(UInt8(ascii: "]")) {
            repeat { elements.append(try value()) } while try goesOn(before: UInt8(ascii: "]"))
        }
        leave()
        return .array(elements)
    }

    private mutating func object() throws(JSONFault) -> JSONValue {
        try enter()
        let first = members.count
        if !closes(UInt8(ascii: "}")) {
            repeat {
                try requireName()
                let name = try string()
                try skipColon()
                members.append((name, try value()))
            } while try goesOn(before: UInt8(ascii: "}"))
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

    /// Makes sure that the name of a member is next.
    @inline(__always)
    package func requireName() throws(JSONFault) {
        if peek(index) != UInt8(ascii: "\"") { throw malformed("a name in double quotation marks is missing") }
    }

    /// Passes the colon behind a name, up to the value.
    @inline(__always)
    package mutating func skipColon() throws(JSONFault) {
        skipSpace()
        guard peek(index) == UInt8(ascii: ":") else { throw malformed("':' is missing") }
        index += 1
        skipSpace()
    }

    @inline(__always)
    mutating func enter() throws(JSONFault) {
        guard depth < depthLimit else { throw tooDeep(index..<index + 1) }
        depth += 1
        index += 1
    }

    @inline(never)
    func tooDeep(_ place: Range<Int>) -> JSONFault {
        JSONFault(kind: .depth, reason: "there are more than \(depthLimit) levels", place: place)
    }

    var isAtDepthLimit: Bool { depth == depthLimit }

    mutating func leave() { depth -= 1 }

    /// Whether a list or an object ends before its first value.
    @inline(__always)
    package mutating func closes(_ end: UInt8) -> Bool {
        skipSpace()
        guard peek(index) == end else { return false }
        index += 1
        return true
    }

    /// Whether a comma follows, and not the end; passes either, and goes on to the next value.
    @inline(__always)
    package mutating func goesOn(before end: UInt8) throws(JSONFault) -> Bool {
        skipSpace()
        let byte = peek(index)
        if byte == end {
            index += 1
            return false
        }
        guard byte == UInt8(ascii: ",") else { throw noComma(before: end) }
        index += 1
        skipSpace()
        if peek(index) == end { throw malformed("there is a comma too many") }
        return true
    }

    @inline(never)
    private func noComma(before end: UInt8) -> JSONFault { malformed("',' or '\(Unicode.Scalar(end))' is missing") }
}
