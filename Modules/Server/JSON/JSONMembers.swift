import TrendyDomain

/// Finds the members of objects in JSON that was found to be well-formed, and copies nothing.
struct JSONMembers {
    let bytes: UnsafeRawBufferPointer

    /// Tells the name of each member of an object, and the place of its value.
    func forEach(in object: Range<Int>, _ body: (_ name: String, _ value: Range<Int>) throws -> Void) throws {
        var reader = JSONReader(bytes: bytes, noting: .ofValues, depthLimit: JSONOutline.deepest)
        reader.index = object.lowerBound + 1
        if reader.closes(UInt8(ascii: "}")) { return }
        repeat {
            let name = try reader.string()
            try reader.skipColon()
            let start = reader.index
            try reader.skipValue()
            try body(name, start..<reader.index)
        } while try reader.goesOn(before: UInt8(ascii: "}"))
    }

    /// A string; nil where the value is something else, or no text that can be held.
    func text(_ value: Range<Int>) -> String? {
        guard bytes[value.lowerBound] == UInt8(ascii: "\"") else { return nil }
        var reader = reader(at: value)
        return try? reader.string()
    }

    func isNull(_ value: Range<Int>) -> Bool { bytes[value.lowerBound] == UInt8(ascii: "n") }

    /// A whole number, however it is written; 0 for null, and nil where the value is something else.
    func wholeNumber(_ value: Range<Int>) -> Int64? {
        if isNull(value) { return 0 }
        var reader = reader(at: value)
        guard case .integer(let number)? = try? reader.number() else { return nil }
        return number
    }

    private func reader(at value: Range<Int>) -> JSONReader {
        var reader = JSONReader(bytes: bytes)
        reader.index = value.lowerBound
        return reader
    }
}
