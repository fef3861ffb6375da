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
                try KeptJSON(WireCoding.encode(json)).record(of: Event.self, besides: fields))
            #expect(read.remote == expected(Remote<Event>.self, json))
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
            let read = try KeptJSON(WireCoding.encode(json)).record(of: Event.self, besides: fields)
            guard let read else { continue }
            #expect(read.remote == expected(Remote<Event>.self, json), "\(json)")
        }
    }

    @Test(
        "names that cannot be compared as bytes, and what is no object, are left to the tree",
        arguments: [#"{"i\u0064":"a"}"#, #"{"ä":1,"id":"a"}"#, "[]", "7", "null", #""text""#])
    func leftToTree(_ text: String) throws {
        let kept = try KeptJSON(Data(text.utf8))
        #expect(kept.record(of: Event.self, besides: fields) == nil)
        #expect(try kept.value == JSONValue(parsing: Data(text.utf8)))
    }

    /// Takes other JSON where its first try fails, and asks for things that few types ask for.
    private struct Choosy: SyncEntity {
        static let entityType: EntityType = "choosy"
        static let fields = ["id", "count", "texts"]
        var id: String
        var count: Int?
        var texts: [String] = []

        private enum CodingKeys: String, CodingKey { case id, count, texts }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            count = try? container.decode(Int.self, forKey: .count)
            if count == nil { count = try Int(container.decode(String.self, forKey: .count)) }
            if id == "nested" {
                var list = try container.nestedUnkeyedContainer(forKey: .texts)
                while !list.isAtEnd { texts.append(try list.decode(String.self)) }
            } else if id == "path" {
                texts = decoder.codingPath.map(\.stringValue)
            } else {
                texts = try container.decode([String].self, forKey: .texts)
            }
        }
    }

    @Test(
        "a type that catches errors, or asks for what this decoder does not have, gets the tree's decoder",
        arguments: [
            (#"{"count":7,"id":"a","texts":["b"]}"#, true), (#"{"count":"7","id":"a","texts":["b"]}"#, false),
            (#"{"count":7,"id":"nested","texts":["b"]}"#, false), (#"{"count":7,"id":"path","texts":["b"]}"#, false),
        ])
    func choosy(_ text: String, isRead: Bool) throws {
        let json = Data(text.utf8)
        let read = try KeptJSON(json).record(of: Choosy.self, besides: fields)
        #expect((read != nil) == isRead)
        let tree = try WireCoding.decode(Choosy.self, from: json)
        #expect(tree.count == 7 && (read == nil || read?.remote.entity == tree))
    }

    @Test("of a name that stands twice, the first value counts")
    func twice() throws {
        let text =
            #" {"x":1,"y":null,"id":"a","event_type_id":"t","timestamp":"2026-01-01T00:00:00Z","#
            + #""x":2,"y":3,"id":"b","properties":{"p":{"type":"text","value":"1"},"p":{"type":"text","value":"2"}}} "#
        let json = Data(text.utf8)
        let read = try #require(try KeptJSON(json).record(of: Event.self, besides: fields))
        #expect(try read.remote == WireCoding.decode(Remote<Event>.self, from: json))
        #expect(read.remote.id == "a" && read.others == ["x": 1])
    }

    @Test("what is no JSON is refused", arguments: ["", "{", #"{"a":}"#, "\"\u{1}\"", "1 2", #"{"a":"\x"}"#])
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
