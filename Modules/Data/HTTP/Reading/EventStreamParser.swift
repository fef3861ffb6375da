/// Reads server-sent events from bytes that come in pieces, cut anywhere.
///
/// A pure value, by the rules of the HTML standard, section 9.2.6. Ids and reconnection times are not read.
struct EventStreamParser {
    /// What the bytes hold.
    enum Element: Hashable {
        /// An event with its data, whose lines are divided by line feeds. The name is "message" where none was given.
        case event(name: String, data: String)
        /// A line that only shows that the server lives.
        case comment
    }

    /// A line or an event is longer than is read.
    struct TooLong: Error {}

    /// The most bytes of a line, and of the data of an event.
    static let limit = 1 << 16

    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    /// A line feed that comes next belongs to the end of the line before.
    private var isAfterReturn = false
    private var isFirstLine = true

    init() {}

    /// Reads the next bytes, and answers what has ended with them.
    ///
    /// - Throws: ``TooLong``; then nothing more can be read.
    mutating func parse(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [Element] {
        var elements: [Element] = []
        for byte in bytes {
            defer { isAfterReturn = byte == Self.carriageReturn }
            switch byte {
            case Self.lineFeed where isAfterReturn: continue
            case Self.lineFeed, Self.carriageReturn: if let element = try endLine() { elements.append(element) }
            default:
                guard line.count < Self.limit else { throw TooLong() }
                line.append(byte)
            }
        }
        return elements
    }

    private mutating func endLine() throws(TooLong) -> Element? {
        defer {
            line.removeAll(keepingCapacity: true)
            isFirstLine = false
        }
        if isFirstLine, line.starts(with: Self.byteOrderMark) { line.removeFirst(Self.byteOrderMark.count) }
        if line.isEmpty { return endEvent() }
        guard let colon = line.firstIndex(of: Self.colon) else {
            try take(field: line[...], value: [])
            return nil
        }
        if colon == 0 { return .comment }
        var value = line[(colon + 1)...]
        if value.first == Self.space { value.removeFirst() }
        try take(field: line[..<colon], value: value)
        return nil
    }

    private mutating func take(field: ArraySlice<UInt8>, value: ArraySlice<UInt8>) throws(TooLong) {
        if field.elementsEqual("event".utf8) {
            name = String(decoding: value, as: UTF8.self)
        } else if field.elementsEqual("data".utf8) {
            guard data.count + value.count < Self.limit else { throw TooLong() }
            if hasData { data.append(Self.lineFeed) }
            data += value
            hasData = true
        }
    }

    /// An event without data is none.
    private mutating func endEvent() -> Element? {
        defer {
            name = ""
            data.removeAll(keepingCapacity: true)
            hasData = false
        }
        guard hasData else { return nil }
        return .event(name: name.isEmpty ? "message" : name, data: String(decoding: data, as: UTF8.self))
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let colon = UInt8(ascii: ":")
    private static let space = UInt8(ascii: " ")
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
