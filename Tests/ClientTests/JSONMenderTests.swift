import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyData

@Suite("JSON that can be read but for a text or a number")
struct JSONMenderTests {
    private func mended(_ text: String) -> String? {
        JSONMender.mended(Data(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "is mended there, and nowhere else",
        arguments: [
            (#"{"a":"x\ud83d","b":"\uDC00y"}"#, #"{"a":"x\ufffd","b":"\ufffdy"}"#),
            (#"["\ud83d\ud83d\ude00"]"#, #"["\ufffd\ud83d\ude00"]"#), (#"["\ud83d\n"]"#, #"["\ufffd\n"]"#),
            (#"{"\ud83d":1}"#, #"{"\ufffd":1}"#), (#"["\x","\u12"]"#, #"["\\x","\\u12"]"#),
            ("[\"a\nb\"]", #"["a\u000ab"]"#), ("[\"a\u{1f}\"]", #"["a\u001f"]"#),
            ("[1e400,-1E+400,1e308]", #"["1e400","-1E+400",1e308]"#),
            ("[NaN,Infinity,-Infinity]", #"["NaN","Infinity","-Infinity"]"#),
            (#"{"n":1e999,"t":"1e999"}"#, #"{"n":"1e999","t":"1e999"}"#),
        ])
    func spoiled(_ text: String, _ expected: String) throws {
        #expect(mended(text) == expected)
        _ = try WireCoding.decode(JSONValue.self, from: Data(expected.utf8))
    }

    @Test("bytes that are no UTF-8 become U+FFFD")
    func bytes() throws {
        let text = Data("[\"ä".utf8) + Data([0xFF]) + Data("b\",\"\\ud800\"]".utf8)
        let mended = try #require(JSONMender.mended(text))
        #expect(try WireCoding.decode([String].self, from: mended) == ["ä\u{FFFD}b", "\u{FFFD}"])
    }

    @Test("a number of very many digits is too large, too")
    func digits() {
        let digits = String(repeating: "9", count: 400)
        #expect(mended("[\(digits)]") == "[\"\(digits)\"]")
        #expect(mended("[0.\(digits)]") == nil)
    }

    @Test("what lies too deep becomes null, and what stands behind it stays")
    func depth() throws {
        let limit = JSONMender.depthLimit
        func nested(_ levels: Int, _ inner: String) -> String {
            String(repeating: "[", count: levels) + inner + String(repeating: "]", count: levels)
        }
        let deepest = nested(limit - 1, "1")
        #expect(mended("[\(deepest)]") == nil)
        let tooDeep = nested(limit - 1, #"[1],{"a\"]}":[1e400,"\ud83d",{}]},"b",1e400"#)
        let expected = nested(limit - 1, #"null,null,"b","1e400""#)
        #expect(mended("{\"a\":\(tooDeep),\"b\":\(deepest)}") == "{\"a\":\(expected),\"b\":\(deepest)}")
        _ = try WireCoding.decode(JSONValue.self, from: Data("[\(expected)]".utf8))
        // Far deeper than any stack.
        #expect(mended(nested(1_000_000, "")) == nested(limit, "null"))
        #expect(mended(String(repeating: "[", count: 1_000_000)) == nil)
    }

    @Test(
        "what is otherwise no JSON stays none",
        arguments: ["", "{", "[1,2", "gone", "nonsense", "\u{0}", "NaNs", "[\"a", "[\"\\", "[1e", "-"])
    func hopeless(_ text: String) {
        #expect(mended(text) == nil)
    }

    @Test("valid JSON stays as it is, byte for byte", arguments: 1...20 as ClosedRange<UInt64>)
    func valid(seed: UInt64) throws {
        var random = Numbers(state: seed)
        for _ in 0..<50 {
            let value = Self.value(&random, depth: 4)
            let sorted = try WireCoding.encode(value)
            #expect(JSONMender.mended(sorted) == nil, "\(String(decoding: sorted, as: UTF8.self))")
            // The same with everything beyond ASCII as escapes, in pairs where it takes two.
            let escaped = Data(Self.escaped(String(decoding: sorted, as: UTF8.self)).utf8)
            #expect(JSONMender.mended(escaped) == nil, "\(String(decoding: escaped, as: UTF8.self))")
        }
    }

    private static func value(_ random: inout Numbers, depth: Int) -> JSONValue {
        switch random.below(depth == 0 ? 5 : 7) {
        case 0: return .null
        case 1: return .boolean(random.below(2) == 0)
        case 2: return .integer(Int64(bitPattern: random.next()))
        case 3:
            let number = Double(bitPattern: random.next())
            return .number(number.isFinite ? number : 0.1)
        case 4: return .string(text(&random))
        case 5: return .array((0..<random.below(4)).map { _ in value(&random, depth: depth - 1) })
        default:
            var members: [String: JSONValue] = [:]
            for _ in 0..<random.below(4) { members[text(&random)] = value(&random, depth: depth - 1) }
            return .object(members)
        }
    }

    private static func text(_ random: inout Numbers) -> String {
        let pieces = ["\"", "\\", "\\u", "d83d", "\u{FFFD}", "😀", "ä", "\n", "\u{1}", "NaN", "1e400", "/", "x"]
        return (0..<random.below(6)).map { _ in pieces[random.below(pieces.count)] }.joined()
    }

    private static func escaped(_ text: String) -> String {
        text.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return unit < 0x80
                ? String(UnicodeScalar(UInt8(unit)))
                : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    /// Numbers that are the same in each run.
    private struct Numbers {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state ^ (state >> 29)) &* 0xBF58_476D_1CE4_E5B9
        }

        mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % bound }
    }
}

@Suite("pages with a record that no parser reads")
struct UnreadableElementTests {
    private static func change(_ id: Int, _ data: String) -> String {
        """
        {"id":\(id),"entity_type":"geofence","operation":"create","entity_id":"\(testId(UInt64(id)))","data":\(data)}
        """
    }

    private static func place(_ id: Int, name: String = "home", latitude: String = "1") -> String {
        """
        {"id":"\(testId(UInt64(id)))","name":"\(name)","latitude":\(latitude),"longitude":2,"radius":100,
        "created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}
        """
    }

    private static let places = [
        place(1), place(2, name: "a\\ud83d"), place(3, latitude: "1e400"), place(4, name: "\\udc00x"),
        place(5, latitude: "\"1\""), place(6),
    ]

    @Test("a page of the feed is read, the text with U+FFFD and the number as a text")
    func feed() async throws {
        let entries = Self.places.enumerated().map { Self.change($0 + 1, $1) }
        let body = #"{"changes":[\#(entries.joined(separator: ","))],"next_cursor":6,"has_more":false}"#
        try await withHarness { _ in
            .json(body)
        } _: { harness async throws in
            let page = try await harness.client.getChanges(since: 0, limit: 10)
            #expect(page.changes.map(\.id) == [1, 2, 3, 4, 5, 6] && page.nextCursor == 6)
            #expect(page.changes.allSatisfy { $0.entityType == .geofence })
            let data = page.changes.map { $0.data?.objectValue ?? [:] }
            #expect(data.map { $0["name"] } == ["home", "a\u{FFFD}", "home", "\u{FFFD}x", "home", "home"])
            #expect(data[2]["latitude"] == "1e400")
        }
    }

    @Test("a listing is read, and keeps the record with the number raw")
    func listing() async throws {
        let body = "[\(Self.places.joined(separator: ","))]"
        try await withHarness { _ in
            .json(body)
        } _: { harness async throws in
            let page = try await harness.client.list(Geofence.self, ListRequest(limit: 10))
            #expect(page.records.map(\.entity.name) == ["home", "a\u{FFFD}", "\u{FFFD}x", "home"])
            #expect(page.undecodable.map { $0.objectValue?["latitude"] } == ["1e400", "1"])
        }
    }

    @Test("a field of very many levels keeps nothing else from being read, whether it is known or not")
    func deepField() async throws {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let places = [
            Self.place(1), Self.place(2, latitude: "1,\"extra\":\(deep)"), Self.place(3, latitude: deep), Self.place(4),
        ]
        let entries = places.enumerated().map { Self.change($0 + 1, $1) }
        let feed = #"{"changes":[\#(entries.joined(separator: ","))],"next_cursor":4,"has_more":false}"#
        let listing = "[\(places.joined(separator: ","))]"
        try await withHarness { request in
            .json(request.target.contains("changes") ? feed : listing)
        } _: { harness async throws in
            let changes = try await harness.client.getChanges(since: 0, limit: 10)
            #expect(changes.changes.map(\.id) == [1, 2, 3, 4] && changes.nextCursor == 4)
            #expect(changes.changes.allSatisfy { $0.entityType == .geofence })
            let page = try await harness.client.list(Geofence.self, ListRequest(limit: 10))
            #expect(page.records.map(\.id) == [testId(1), testId(2), testId(4)])
            #expect(page.undecodable.count == 1)
        }
    }

    @Test("a number of the page itself that cannot be read is still an answer without sense")
    func cursor() async throws {
        try await withHarness { _ in
            .json(#"{"changes":[],"next_cursor":1e400,"has_more":false}"#)
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.getChanges(since: 0, limit: 10) }
            #expect(error?.isMalformed == true)
            #expect(error?.description.contains("next_cursor") == true)
        }
    }
}
