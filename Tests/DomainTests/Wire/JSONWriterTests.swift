import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("writing JSON")
struct JSONWriterTests {
    private func foundation(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    private func expectSame(_ value: some Encodable, at place: SourceLocation = #_sourceLocation) throws {
        let (own, theirs) = (try WireCoding.encode(value), try foundation(value))
        #expect(
            own == theirs, "\(String(decoding: own, as: UTF8.self)) \(String(decoding: theirs, as: UTF8.self))",
            sourceLocation: place)
    }

    @Test("random values have the bytes that Foundation writes")
    func values() throws {
        let values = RandomValues(seed: 23)
        for _ in 0..<3_000 {
            let json = values.json()
            try expectSame(json)
            try expectSame(["a": json])
            try expectSame(values.event())
            try expectSame(values.definition())
            try expectSame(values.geofence())
            try expectSame(LocalRecord(values.event(), server: ServerFields(updatedAt: values.moment())))
        }
    }

    @Test("random floating-point numbers are written as Foundation writes them")
    func numbers() throws {
        let values = RandomValues(seed: 24)
        for _ in 0..<20_000 {
            let number = Double(bitPattern: values.source.next())
            if number.isFinite { try expectSame(JSONValue.number(number)) }
            try expectSame(Double(values.number(below: 1 << 60)) / values.pick([1, 4, 10, 1000]))
        }
        for number in [0, -0.0, 1e15, 1e16, 1e17, 0x1p53, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e-5, 1e-4]
            as [Double]
        {
            try expectSame(JSONValue.number(number))
            try expectSame(["a": number])
        }
        try expectSame([0.1, 3, 1e20] as [Float])
        try expectSame(UInt64.max)
        try expectSame(Int64.min)
        try expectSame([Decimal(string: "1.10"), Decimal(string: "12345678901234567890.123")])
    }

    @Test("texts are escaped, and names are in order, as Foundation has it")
    func texts() throws {
        let controls = (0..<0x80).compactMap(Unicode.Scalar.init).map(String.init).joined()
        try expectSame(controls + "/é\u{2028}\u{FFFF}😀")
        let names = ["", "b", "a", "B", "é", "e\u{301}x", "a10", "a2", "\u{FFFF}", "😀", "z", "\"", "\n"]
        try expectSame(Dictionary(names.map { ($0, 1) }) { $1 })
        try expectSame([1: 2, 10: 3, 2: 4])
    }

    @Test("other types of Foundation and the standard library are written as Foundation writes them")
    func types() throws {
        struct Shape: Encodable {
            var when = Date(timeIntervalSince1970: 1.5)
            var bytes = Data([1, 2, 255])
            var address = URL(string: "http://example.org/a?b=c")
            var price = Decimal(string: "12.50")
            var nothing: Int?
            var list: [Int?] = [1, nil]
            var empty: [String: Int] = [:]
            var small: UInt8 = 7
            var range = 1..<3
        }
        struct Blank: Encodable { func encode(to encoder: any Encoder) {} }
        try expectSame(Shape())
        try expectSame([Blank()])
        try expectSame(Optional<Int>.none)
        #expect(throws: EncodingError.self) { try WireCoding.encode(Blank()) }
    }

    @Test("nested and inherited containers are written as Foundation writes them")
    func containers() throws {
        struct Nest: Encodable {
            enum Keys: String, CodingKey { case a, b, c, d }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                var inner = container.nestedContainer(keyedBy: Keys.self, forKey: .b)
                try inner.encode(1, forKey: .c)
                var list = container.nestedUnkeyedContainer(forKey: .a)
                try list.encode("x")
                var deeper = list.nestedContainer(keyedBy: Keys.self)
                try deeper.encodeNil(forKey: .d)
                try 5.encode(to: list.superEncoder())
                try "s".encode(to: container.superEncoder())
                try true.encode(to: container.superEncoder(forKey: .c))
                try inner.encode(2, forKey: .d)
                var again = encoder.container(keyedBy: Keys.self)
                try again.encode(2.5, forKey: .d)
            }
        }
        try expectSame(Nest())
    }

    @Test("a number that JSON cannot hold is refused with its path")
    func misfits() throws {
        for number in [Double.nan, .infinity] {
            for wrong in [["a": [JSONValue.number(number)]]] {
                let error = #expect(throws: EncodingError.self) { try WireCoding.encode(wrong) }
                guard case .invalidValue(_, let context) = error else { continue }
                #expect(context.codingPath.map(\.stringValue) == ["a", "Index 0"])
            }
            #expect(throws: EncodingError.self) { try WireCoding.encode(number) }
            #expect(throws: EncodingError.self) { try WireCoding.fields(of: ["a": number]) }
            #expect(throws: EncodingError.self) { try WireCoding.encode(["a": Float(number)]) }
        }
    }
}
