// Reads JSON of a known shape without a tree of it. What has another shape is refused, and a coder reads it again.

extension JSONReader {
    /// A value is not as servers write it.
    struct Misfit: Error {}

    /// The name of a member, as its bytes.
    struct Name {
        let bytes: UnsafeRawBufferPointer

        static func ~= (name: StaticString, member: Name) -> Bool {
            name.utf8CodeUnitCount == member.bytes.count && name.withUTF8Buffer { member.bytes.elementsEqual($0) }
        }
    }

    /// Reads the members of an object; what is called for each reads or passes its value.
    ///
    /// - Throws: ``Misfit`` for names with escapes, for those that are not ASCII, and for one that stands twice.
    mutating func readMembers(_ read: (inout JSONReader, Name) throws -> Void) throws {
        guard peek(index) == UInt8(ascii: "{") else { throw Misfit() }
        try enter()
        let first = names.count
        if !closes(UInt8(ascii: "}")) {
            repeat {
                guard peek(index) == UInt8(ascii: "\""), let end = plainStringEnd() else { throw Misfit() }
                let name = UnsafeRawBufferPointer(rebasing: bytes[index + 1..<end])
                for earlier in names[first...] where earlier.count == name.count {
                    if earlier.elementsEqual(name) { throw Misfit() }
                }
                names.append(name)
                try skipName()
                try read(&self, Name(bytes: name))
            } while try goesOn(before: UInt8(ascii: "}"))
        }
        leave()
        names.removeSubrange(first...)
    }

    /// Reads the elements of an array.
    mutating func list<Element>(_ read: (inout JSONReader) throws -> Element) throws -> [Element] {
        guard peek(index) == UInt8(ascii: "[") else { throw Misfit() }
        try enter()
        var elements: [Element] = []
        if !closes(UInt8(ascii: "]")) {
            repeat { elements.append(try read(&self)) } while try goesOn(before: UInt8(ascii: "]"))
        }
        leave()
        return elements
    }

    /// Reads a value that may be null.
    mutating func present<Value>(_ read: (inout JSONReader) throws -> Value) throws -> Value? {
        guard peek(index) == UInt8(ascii: "n") else { return try read(&self) }
        try skipValue()
        return nil
    }

    mutating func text() throws -> String {
        guard peek(index) == UInt8(ascii: "\"") else { throw Misfit() }
        return try string()
    }

    mutating func whole() throws -> Int64 {
        guard case .integer(let whole) = try value() else { throw Misfit() }
        return whole
    }

    mutating func flag() throws -> Bool {
        guard case .boolean(let flag) = try value() else { throw Misfit() }
        return flag
    }

    mutating func moment() throws -> Timestamp {
        guard peek(index) == UInt8(ascii: "\""), let end = plainStringEnd(),
            let moment = Timestamp(utf8: UnsafeRawBufferPointer(rebasing: bytes[index + 1..<end]))
        else { throw Misfit() }
        index = end + 1
        return moment
    }
}
