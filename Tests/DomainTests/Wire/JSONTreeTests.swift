import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("values without a detour over bytes")
struct JSONTreeTests {
    private func viaBytes(_ value: some Encodable) throws -> [String: JSONValue] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try JSONDecoder().decode([String: JSONValue].self, from: encoder.encode(value))
    }

    private func expectSame(_ value: some SyncEntity) throws {
        let fields = try WireCoding.fields(of: value)
        #expect(try fields == viaBytes(value))
        #expect(try WireCoding.value(type(of: value), from: fields) == value)
    }

    @Test("the fields of a record are those of its bytes, and make it again")
    func records() throws {
        let values = RandomValues(seed: 25)
        for _ in 0..<2_000 {
            try expectSame(values.event())
            try expectSame(values.definition())
            try expectSame(values.geofence())
            let local = LocalRecord(values.event(), server: ServerFields(updatedAt: values.moment()))
            #expect(try WireCoding.fields(of: local) == viaBytes(local))
        }
    }

    @Test("random numbers are the same in fields as when they are read back")
    func numbers() throws {
        let values = RandomValues(seed: 26)
        for _ in 0..<20_000 {
            let number = Double(values.number(below: 1 << 62)) * values.pick([1, 1, 4, 0.5, -16, 1e-3])
            #expect(try WireCoding.fields(of: ["a": number]) == viaBytes(["a": number]), "\(number)")
            let fields = ["a": [JSONValue.number(number)]]
            #expect(try WireCoding.fields(of: fields) == viaBytes(fields))
            #expect(try WireCoding.value([String: [Double]].self, from: ["a": [.number(number)]]) == ["a": [number]])
        }
        #expect(try WireCoding.value([String: Int].self, from: ["a": .number(3)]) == ["a": 3])
        #expect(try WireCoding.fields(of: ["a": UInt64.max]) == viaBytes(["a": UInt64.max]))
        #expect(try WireCoding.fields(of: ["a": Float(0.1)]) == ["a": 0.1])
    }

    /// A type with a member of each kind that decodes by a way of its own.
    private struct Shape: Codable, Hashable {
        struct Inner: Codable, Hashable { var x: Int }
        var i: Int?
        var u: UInt8?
        var b: Bool?
        var s: String?
        var d: Double?
        var f: Float?
        var l: [Int]?
        var m: [String: Int]?
        var t: Timestamp?
        var url: URL?
        var data: Data?
        var price: Decimal?
        var date: Date?
        var n: Inner?
        var j: JSONValue?
        var k: [Int: [Inner]]?
        var p: PropertyType?
        var list: [JSONValue]?
        var optional: [Int?]?
        var big: UInt64?
    }

    @Test(
        "any shape is decoded from a tree as from bytes",
        arguments: [
            "{}", #"{"i":1,"u":255,"b":true,"s":"a","d":1.5,"f":0.1,"l":[1],"m":{"a":1},"n":{"x":2},"p":"text"}"#,
            #"{"i":1.0,"d":3,"l":[],"m":{},"t":"2026-01-01T00:00:00Z","url":"http://a/b","data":"AQI="}"#,
            #"{"price":12.5,"date":1.5,"j":{"a":[null]},"k":{"7":[{"x":1}]},"list":[1,null,"a"],"optional":[1,null]}"#,
            #"{"i":null,"j":null,"big":18446744073709551615}"#, #"{"big":9223372036854775809,"price":3}"#,
        ])
    func shapes(_ text: String) throws {
        let expected = try JSONDecoder().decode(Shape.self, from: Data(text.utf8))
        #expect(try WireCoding.decode(Shape.self, from: Data(text.utf8)) == expected)
        guard !text.contains("big") else { return }
        let fields = try JSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))
        #expect(try WireCoding.value(Shape.self, from: fields) == expected)
    }

    @Test(
        "what does not fit is refused as by Foundation: the same kind of error, of the same type, at the same place",
        arguments: [
            #"{"i":"a"}"#, #"{"b":1}"#, #"{"s":1}"#, #"{"d":"x"}"#, #"{"d":true}"#, #"{"l":{}}"#, #"{"l":[1,null]}"#,
            #"{"l":[1,"a"]}"#, #"{"m":[]}"#, #"{"m":{"a":"b"}}"#, #"{"t":5}"#, #"{"t":"x"}"#, #"{"url":""}"#,
            #"{"url":5}"#, #"{"data":"***"}"#, #"{"price":"x"}"#, #"{"date":"x"}"#, #"{"n":{}}"#, #"{"n":[]}"#,
            #"{"n":{"x":null}}"#, #"{"k":{"1":[{"x":0},{"x":"a"}]}}"#, #"{"p":5}"#, #"{"list":{}}"#,
        ])
    func misfits(_ text: String) throws {
        let fields = try JSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))
        let own = #expect(throws: DecodingError.self) { try WireCoding.value(Shape.self, from: fields) }
        let theirs = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Shape.self, from: Data(text.utf8)) }
        #expect(try summary(#require(own)) == summary(#require(theirs)))
    }

    @Test("a number that does not fit its type is refused with its path", arguments: ["i", "u", "f"])
    func misfittingNumbers(_ field: String) throws {
        let error = #expect(throws: DecodingError.self) { try WireCoding.value(Shape.self, from: [field: 1e300]) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("it throws \(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == [field])
    }

    private func summary(_ error: DecodingError) -> String {
        func words(_ context: DecodingError.Context) -> String {
            context.codingPath.map { "\($0.stringValue)/\($0.intValue ?? -1)" }.joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context): return "\(words(context)) lacks \(key.stringValue)"
        case .valueNotFound(let type, let context): return "\(words(context)) is null, no \(type)"
        case .typeMismatch(let type, let context): return "\(words(context)) is no \(type)"
        case .dataCorrupted(let context): return "\(words(context)) is corrupt: \(context.debugDescription)"
        @unknown default: return "\(error)"
        }
    }

    @Test("an element that cannot be decoded stays the next of its list")
    func lists() throws {
        let page = try WireCoding.decode(ListPage<EventType>.self, from: Data(#"[5,{"id":"a","name":"n"},null]"#.utf8))
        #expect(page.records.count == 1 && page.undecodable == [5, nil])
    }
}
