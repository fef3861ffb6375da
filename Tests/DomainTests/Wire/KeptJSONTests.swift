import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("JSON that is kept as it came")
struct KeptJSONTests {
    private let fields = FieldNames(Event.fields + ServerFields.CodingKeys.allCases.map(\.rawValue))

    /// What the tree of the JSON decodes to.
    private func expected<Value: Decodable>(_ type: Value.Type, _ json: JSONValue) -> Value? {
        try? WireCoding.value(type, from: json.objectValue ?? [:])
    }

    private func event(_ values: RandomValues) throws -> [String: JSONValue] {
        var event = makeEvent(id: values.text(), notes: values.maybe(values.text()))
        event.endDate = values.maybe(values.moment())
        event.locationLatitude = values.maybe(Double(values.number(below: 900)) / 10)
        event.properties = ["amount": .number(Double(values.number(below: 9))), "other": .text(values.text())]
        var document = try WireCoding.fields(of: event)
        document["updated_at"] = values.maybe(.string(values.moment().description))
        document["user_id"] = values.maybe("u")
        return document
    }

    @Test("a record is decoded as from its tree, and what is unknown in it is kept")
    func records() throws {
        let values = RandomValues(seed: 41)
        for _ in 0..<1_000 {
            var document = try event(values)
            let unknown: [String: JSONValue] = values.flag() ? ["x_one": values.json(), "x_two": .null] : [:]
            document.merge(unknown) { $1 }
            let json = JSONValue.object(document)
            let read = try #require(
                try KeptJSON(WireCoding.encode(json)).decoded(Remote<Event>.self, besides: fields))
            #expect(read.value == expected(Remote<Event>.self, json))
            #expect(JSONValue.object(read.others) == .object(unknown.filter { $1 != .null }))
        }
    }

    @Test("a record in which something is wrong is left to its tree")
    func wrongRecords() throws {
        let values = RandomValues(seed: 42)
        for _ in 0..<4_000 {
            var document = try event(values)
            document[values.pick(Event.fields)] = values.json(depth: 1)
            let json = JSONValue.object(document)
            let read = try KeptJSON(WireCoding.encode(json)).decoded(Remote<Event>.self, besides: fields)
            guard let read else { continue }
            #expect(read.value == expected(Remote<Event>.self, json), "\(json)")
        }
    }

    @Test(
        "names that cannot be compared as bytes, and what is no object, are left to the tree",
        arguments: [#"{"i\u0064":"a"}"#, #"{"ä":1,"id":"a"}"#, "[]", "7", "null", #""text""#])
    func leftToTree(_ text: String) throws {
        let kept = try KeptJSON(Data(text.utf8))
        #expect(kept.decoded([String: JSONValue].self, besides: FieldNames([])) == nil)
        #expect(try kept.value == JSONValue(parsing: Data(text.utf8)))
    }

    /// Takes other JSON where its first try fails, and asks for things that few types ask for.
    private struct Choosy: Decodable, Equatable {
        var count: Int?
        var texts: [String]
        var path: [String]

        private enum CodingKeys: String, CodingKey { case count, texts }

        init(from decoder: any Decoder) throws {
            path = decoder.codingPath.map(\.stringValue)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            count =
                (try? container.decode(Int.self, forKey: .count))
                ?? (try? Int(container.decode(String.self, forKey: .count))) ?? nil
            var list = try container.nestedUnkeyedContainer(forKey: .texts)
            texts = []
            while !list.isAtEnd { texts.append(try list.decode(String.self)) }
        }
    }

    @Test("a type that catches its errors never takes one of this decoder's for an error of the JSON")
    func choosy() throws {
        let json = Data(#"{"count":"7","texts":["a","b"]}"#.utf8)
        #expect(try KeptJSON(json).decoded(Choosy.self, besides: FieldNames([])) == nil)
        #expect(try WireCoding.decode(Choosy.self, from: json).count == 7)
    }

    @Test("of a name that stands twice, the first value counts")
    func twice() throws {
        let kept = try KeptJSON(Data(#" {"a": 1, "b": null, "a": 2, "b": 3} "#.utf8))
        let read = try #require(kept.decoded([String: Int?].self, besides: FieldNames(["a"])))
        #expect(read.value["a"] == 1 && read.others.isEmpty)
        #expect(kept == (try KeptJSON(Data(#"{"a":1,"b":null}"#.utf8))))
    }

    @Test("what is no JSON is refused", arguments: ["", "{", #"{"a":}"#, "[1,]", "\"\u{1}\"", "1 2", #"{"a":"\x"}"#])
    func malformed(_ text: String) {
        #expect(throws: DecodingError.self) { try KeptJSON(Data(text.utf8)) }
    }

    @Test("JSON is passed as it is read: what can be read, and nothing else")
    func passed() throws {
        let values = RandomValues(seed: 43)
        for _ in 0..<2_000 {
            var bytes = try [UInt8](WireCoding.encode(values.json()))
            if values.flag() { bytes[values.number(below: bytes.count)] = UInt8(values.number(below: 256)) }
            let json = Data(bytes)
            let tree = try? JSONValue(parsing: json)
            #expect(tree == nil || (try? KeptJSON(json).value) == tree, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
