/// Reads JSON as RFC 8259 has it, once from front to back, without recursion.
struct JSONScanner {
    /// An object or array that has begun.
    struct Frame {
        var isObject: Bool
        var start: Int
        /// Elements before this one.
        var index = 0
        /// The quoted name of this member.
        var name = 0..<0
    }

    /// How many troubles are remembered.
    static let memory = 64

    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    var frames: [Frame] = []
    var outline = JSONOutline()
    /// The elements of the array that is a member of the outermost object.
    private var elements: [Range<Int>] = []

    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    func fail(_ expected: String) -> JSONSyntaxError { JSONSyntaxError(offset: position, expected: expected) }

    mutating func scan() throws(JSONSyntaxError) {
        // RFC 8259, section 8.1: a byte order mark may be passed over.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        repeat {
            skipSpace()
        } while try !value()
        skipSpace()
        guard position == bytes.count else { throw fail("the end") }
    }

    /// Reads a value, or the beginning of one that has parts.
    ///
    /// - Returns: Whether nothing is open any more.
    private mutating func value() throws(JSONSyntaxError) -> Bool {
        let start = position
        switch next {
        case UInt8(ascii: "{"):
            open(Frame(isObject: true, start: start))
            skipSpace()
            if next != UInt8(ascii: "}") {
                try name()
                return false
            }
        case UInt8(ascii: "["):
            open(Frame(isObject: false, start: start))
            skipSpace()
            if next != UInt8(ascii: "]") { return false }
        case UInt8(ascii: "\""):
            try string()
            finish(start, .string)
        case .some(let byte) where byte == UInt8(ascii: "-") || isDigit(byte):
            try number()
            finish(start, .number)
        default:
            try literal()
            finish(start, .literal)
        }
        return try proceed()
    }

    /// Passes over what ends containers, up to where the next value begins.
    private mutating func proceed() throws(JSONSyntaxError) -> Bool {
        while let frame = frames.last {
            skipSpace()
            switch next {
            case UInt8(ascii: ","):
                position += 1
                frames[frames.count - 1].index += 1
                if frame.isObject {
                    skipSpace()
                    try name()
                }
                return false
            case UInt8(ascii: frame.isObject ? "}" : "]"):
                position += 1
                frames.removeLast()
                finish(frame.start, frame.isObject ? .object : .array)
            default:
                throw fail(frame.isObject ? "a comma or }" : "a comma or ]")
            }
        }
        return true
    }

    private mutating func open(_ frame: Frame) {
        frames.append(frame)
        position += 1
        if frames.count == JSONOutline.deepest + 1 {
            frames.removeLast()
            note("is nested more than \(JSONOutline.deepest) deep")
            frames.append(frame)
        }
    }

    /// Notes a value that has ended where it is the outermost one, a member of that, or an element of such a member.
    private mutating func finish(_ start: Int, _ kind: JSONOutline.Kind) {
        if frames.isEmpty { outline.kind = kind }
        if frames.count == 2, frames[0].isObject, !frames[1].isObject { elements.append(start..<position) }
        guard frames.count == 1, frames[0].isObject else { return }
        outline.members.append(
            JSONOutline.Member(name: text(frames[0].name), value: start..<position, kind: kind, elements: elements))
        elements = []
    }

    private mutating func name() throws(JSONSyntaxError) {
        let start = position
        guard next == UInt8(ascii: "\"") else { throw fail("a name in quotes") }
        // What is wrong in a name is wrong in the object.
        frames[frames.count - 1].name = start..<start
        try string()
        frames[frames.count - 1].name = start..<position
        skipSpace()
        guard next == UInt8(ascii: ":") else { throw fail("a colon") }
        position += 1
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }
}

extension JSONScanner {
    /// The place where the scanner is, as names and indices.
    var path: [String] {
        frames.prefix(JSONOutline.deepest).map { $0.isObject ? text($0.name) : String($0.index) }
    }

    mutating func note(_ message: String) {
        guard outline.troubles.count < Self.memory else { return }
        outline.troubles.append(JSONOutline.Trouble(path: path, message: message))
    }
}
