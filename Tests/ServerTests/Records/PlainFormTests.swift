import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("A record of plain form")
struct PlainFormTests {
    private let codec = RecordKind.event.codec

    /// What decoding makes of the same JSON; nil where it is refused.
    private func decoded(_ json: Data) -> PreparedRecord? { try? codec.prepare(json + Data(" ".utf8), beneath: nil) }

    @Test("is recognised as devices write it, whatever is left out")
    func recognised() throws {
        var event = Event.sample(2, notes: "a note of words: é, 日本 and 🏃")
        #expect(codec.plain(try WireCoding.encode(event)) != nil)
        event.externalId = "x"
        event.originalTitle = "t"
        event.geofenceId = id(7)
        event.locationName = "Sydney"
        event.sourceType = .imported
        event.isAllDay = true
        event.properties = ["how": .text("well"), "km": .number(7.25), "n": .number(-3), "ok": .boolean(true)]
        let plain = try #require(codec.plain(try WireCoding.encode(event)))
        #expect(plain.index.references.map(\.field) == ["event_type_id", "geofence_id"])
        #expect(plain.index.order == event.timestamp.milliseconds && plain.id == id(2))
    }

    @Test("is what decoding makes of it, and nothing is of plain form that decoding refuses or writes otherwise")
    func equivalence() throws {
        let random = SeededRandomSource(seed: 5)
        func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
        let odd: [String: [String]] = [
            "event_type_id": [#""\#(id(1).uppercased())""#, #""x""#, "null", "5"], "id": [#""""#, #""\#(id(2))x""#],
            "external_id": ["null", "\"\"", #""a\"b""#, "\"" + String(repeating: "x", count: 501) + "\""],
            "geofence_id": [#""nowhere""#, "null", #""\#(id(8))""#], "is_all_day": ["1", "\"true\"", "false", "true"],
            "notes": [
                "\"\"", #""\n""#, "\"é\"", "7", "\"" + String(repeating: "é", count: 10_001) + "\"", "\"\u{FF}\"",
            ],
            "properties": [
                "null", "[]", "{ }", #"{"":{"type":"text","value":"x"}}"#, #"{"a":{"type":"number","value":1.0}}"#,
                #"{"a":{"type":"number","value":1e3}}"#, #"{"a":{"type":"number","value":-0}}"#,
                #"{"a":{"type":"number","value":0.1}}"#, #"{"a":{"type":"number","value":00.1}}"#,
                #"{"a":{"type":"number","value":123456789012345678}}"#, #"{"a":{"type":"boolean","value":"x"}}"#,
                #"{"b":{"type":"text","value":"x"},"a":{"type":"text","value":"x"}}"#,
                #"{"a":{"type":"text","value":"x"},"b":{"type":"boolean","value":false}}"#,
                #"{"a":{"type":"text"}}"#, #"{"a":{"type":"email","value":"nobody"}}"#,
                #"{"a":{"type":"text","value":"x"},"a":{"type":"text","value":"y"}}"#,
                #"{" ":{"type":"text","value":"x"}}"#, #"{"é":{"type":"text","value":"x"}}"#,
            ],
            "source_type": ["\"telepathy\"", "\"geofence\"", "\"healthkit\"", "null"],
            "timestamp": [
                "\"2026-01-01T00:00:00Z\"", "\"2026-01-01T00:00:60.000Z\"", "\"2026-02-30T00:00:00.000Z\"",
                "\"2026-01-01t00:00:00.000z\"", "\"2026-01-01T00:00:00.123Z\"", "5",
            ],
            "unknown": ["1", "null"], "original_title": [" \"x\"", "\"x\" "], "location_name": ["\"\t\""],
        ]
        var count = 0
        for _ in 0..<4_000 {
            var members = [
                "event_type_id": "\"\(id(1))\"", "id": "\"\(id(2))\"", "is_all_day": "false", "properties": "{}",
                "source_type": "\"manual\"", "timestamp": "\"2026-01-01T00:00:00.000Z\"",
            ]
            for _ in 0..<random.next() % 3 {
                let name = pick(odd.keys.sorted())
                members[name] = random.next() % 8 == 0 ? nil : pick(odd[name] ?? [])
            }
            var parts = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
            if random.next() % 10 == 0 { parts.swapAt(0, parts.count - 1) }
            if random.next() % 20 == 0 { parts.append(parts[0]) }
            let json = Data("{\(parts.joined(separator: ","))}".utf8)
            guard let plain = codec.plain(json) else { continue }
            count += 1
            let other = try #require(decoded(json), "\(String(decoding: json, as: UTF8.self))")
            #expect(plain.json == other.json && plain.index == other.index && plain.id == other.id)
            #expect(plain.isAsSent && other.isAsSent)
        }
        #expect(count > 1_000)
    }

    @Test("is none where the bytes are no UTF-8")
    func badUTF8() throws {
        var json = try WireCoding.encode(Event.sample(2, notes: "xyz"))
        let place = try #require(json.firstRange(of: Data("xyz".utf8)))
        json.replaceSubrange(place, with: [0x78, 0xFF, 0x7A])
        #expect(codec.plain(json) == nil)
    }
}
