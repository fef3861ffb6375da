import Testing
import TrendyTestSupport

@testable import TrendyData

@Suite("The parser of event streams")
struct EventStreamParserTests {
    private typealias Element = EventStreamParser.Element

    private func parse(_ pieces: [[UInt8]]) throws -> [Element] {
        var parser = EventStreamParser()
        return try pieces.flatMap { try parser.parse($0) }
    }

    private func parse(_ text: String) throws -> [Element] { try parse([Array(text.utf8)]) }

    /// A stream with everything that the format has.
    private static let stream = """
        \u{FEFF}: hello\r\nevent: head\r\ndata: {"head":1}\r\n\r\n:\n\nevent:head\rdata:  two\r\rid: 7\nretry: 10
        data: ä€😀\ndata\ndata: x: y\n\nevent: empty\n\nunknown: field\nnothing\n\ndata:last\n\n
        """

    private static let elements: [EventStreamParser.Element] = [
        .comment, .event(name: "head", data: "{\"head\":1}"), .comment, .event(name: "head", data: " two"),
        .event(name: "message", data: "ä€😀\n\nx: y"), .event(name: "message", data: "last"),
    ]

    @Test("reads names, data, comments and every end of a line")
    func format() throws {
        #expect(try parse(Self.stream) == Self.elements)
    }

    @Test("reads the same wherever the bytes are cut")
    func pieces() throws {
        let bytes = Array(Self.stream.utf8)
        #expect(try parse(bytes.map { [$0] }) == Self.elements)
        for cut in bytes.indices {
            #expect(try parse([Array(bytes[..<cut]), Array(bytes[cut...])]) == Self.elements, "\(cut)")
        }
        let random = SeededRandomSource(seed: 7)
        for round in 0..<200 {
            var (rest, pieces) = (bytes[...], [[UInt8]]())
            while !rest.isEmpty {
                pieces.append(Array(rest.prefix(1 + Int(random.next() % 9))))
                rest = rest.dropFirst(pieces.last?.count ?? 0)
            }
            #expect(try parse(pieces) == Self.elements, "\(round)")
        }
    }

    @Test("holds an event back until its end, and forgets one that has none")
    func incomplete() throws {
        var parser = EventStreamParser()
        #expect(try parser.parse(Array("event: head\ndata: 1\n".utf8)) == [])
        #expect(try parser.parse(Array("\n".utf8)) == [.event(name: "head", data: "1")])
        #expect(try parser.parse(Array("data: 2".utf8)) == [])
    }

    @Test("makes text of bytes that are none")
    func invalidText() throws {
        let bytes: [UInt8] = Array("data: a".utf8) + [0xFF, 0x00, 0xC3] + Array("b\n\n".utf8)
        #expect(try parse([bytes]) == [.event(name: "message", data: "a\u{FFFD}\u{0}\u{FFFD}b")])
    }

    @Test("refuses a line or an event that is too long, before all of it has come")
    func tooLong() throws {
        let line = [UInt8](repeating: UInt8(ascii: ":"), count: EventStreamParser.limit)
        #expect(try parse([line]) == [])
        #expect(throws: EventStreamParser.TooLong.self) { try parse([line, [UInt8(ascii: ":")]]) }
        let data = Array("data: \(String(repeating: "x", count: 1000))\n".utf8)
        #expect(throws: EventStreamParser.TooLong.self) { try parse(Array(repeating: data, count: 70)) }
    }
}
