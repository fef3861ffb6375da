import TrendyDomain

/// Takes JSON apart once from front to back, without recursion, and tells of each value where it lies.
struct JSONScanner {
    /// An object or array that has begun.
    private struct Frame {
        var isObject: Bool
        var start: Int
        /// Elements before this one.
        var index = 0
        /// The quoted name of this member.
        var name = 0..<0
    }

    /// How many troubles are remembered.
    static let memory = 64

    private(set) var outline = JSONOutline()
    private var reader: JSONReader
    private var frames: [Frame] = []
    /// The elements of the array that is a member of the outermost object.
    private var elements: [Range<Int>] = []

    init(bytes: UnsafeRawBufferPointer) {
        reader = JSONReader(bytes: bytes, noting: [.half, .infinite, .vanishing, .zero])
    }

    mutating func scan() throws(JSONFault) {
        reader.skipMark()
        repeat {
            reader.skipSpace()
        } while try !value()
        try reader.requireEnd()
    }

    /// Reads a value, or the beginning of one that has parts.
    ///
    /// - Returns: Whether nothing is open any more.
    private mutating func value() throws(JSONFault) -> Bool {
        let start = reader.index
        switch reader.next {
        case UInt8(ascii: "{"):
            open(Frame(isObject: true, start: start))
            guard reader.closes(UInt8(ascii: "}")) else {
                try name()
                return false
            }
            close()
        case UInt8(ascii: "["):
            open(Frame(isObject: false, start: start))
            guard reader.closes(UInt8(ascii: "]")) else { return false }
            close()
        case UInt8(ascii: "\""):
            try reader.skipString()
            finish(start, .string)
        default:
            let isLiteral = "tfn".utf8.contains(reader.next)
            _ = try reader.scalar()
            finish(start, isLiteral ? .literal : .number)
        }
        noteFaults()
        return try proceed()
    }

    /// Passes over what ends containers, up to where the next value begins.
    private mutating func proceed() throws(JSONFault) -> Bool {
        while let frame = frames.last {
            if try reader.goesOn(before: UInt8(ascii: frame.isObject ? "}" : "]")) {
                frames[frames.count - 1].index += 1
                if frame.isObject { try name() }
                return false
            }
            close()
        }
        return true
    }

    private mutating func open(_ frame: Frame) {
        if frames.count == JSONOutline.deepest { note("is nested more than \(JSONOutline.deepest) deep") }
        frames.append(frame)
        reader.index += 1
    }

    /// Ends the innermost container, behind its bracket.
    private mutating func close() {
        guard let frame = frames.popLast() else { return }
        finish(frame.start, frame.isObject ? .object : .array)
    }

    /// Notes a value that has ended where it is the outermost one, a member of that, or an element of such a member.
    private mutating func finish(_ start: Int, _ kind: JSONOutline.Kind) {
        let place = start..<reader.index
        if frames.isEmpty { outline.kind = kind }
        if frames.count == 2, frames[0].isObject, !frames[1].isObject { elements.append(place) }
        guard frames.count == 1, frames[0].isObject else { return }
        outline.members.append(
            JSONOutline.Member(name: text(frames[0].name), value: place, kind: kind, elements: elements))
        elements = []
    }

    private mutating func name() throws(JSONFault) {
        let start = reader.index
        try reader.requireName()
        // What is wrong in a name is wrong in the object.
        frames[frames.count - 1].name = start..<start
        try reader.skipString()
        noteFaults()
        frames[frames.count - 1].name = start..<reader.index
        try reader.skipColon()
    }

    // MARK: Troubles

    /// The text of a string with its quotes.
    private func text(_ range: Range<Int>) -> String {
        guard !range.isEmpty else { return "" }
        var reader = JSONReader(bytes: reader.bytes, noting: .ofValues)
        reader.index = range.lowerBound
        return (try? reader.string()) ?? ""
    }

    /// Tells of what was noted in the value or the name that was passed last.
    private mutating func noteFaults() {
        if reader.faults.isEmpty { return }
        for fault in reader.faults {
            switch fault.kind {
            // PostgreSQL cannot hold it in a text, and what is written in C takes it for the end of one.
            case .zero: note("has the character U+0000, which cannot be kept")
            case .half: note("has half of a surrogate pair, which is no character")
            default: note("is a number beyond the range of 64-bit floating point")
            }
        }
        reader.faults = []
    }

    private mutating func note(_ message: String) {
        guard outline.troubles.count < Self.memory else { return }
        let path = frames.prefix(JSONOutline.deepest).map { $0.isObject ? text($0.name) : String($0.index) }
        outline.troubles.append(JSONOutline.Trouble(path: path, message: message))
    }
}
